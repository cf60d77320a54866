/** What a subscription may say. */
import { isWebPort } from '../../../model/address/web-port.ts';
import { findSyslogTarget, isSyslogPort } from '../../../model/detect/alert/syslog/target.ts';
import type { DigestSchedule } from '../../../model/detect/digest-schedule.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import { isTimeZone } from '../../../model/time-zone.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';

/** In a stable form: each day once, in order. */
export function getSchedule(schedule: DigestSchedule): DigestSchedule {
  const { hour, zone } = schedule;
  const weekdays = [...new Set(schedule.weekdays)].sort((one, other) => one - other);
  if (!Number.isInteger(hour) || hour < 0 || hour > 23)
    throw fieldProblem('invalid-parameters', 'schedule.hour', 'must be an hour from 0 to 23');
  if (!isTimeZone(zone))
    throw fieldProblem('invalid-parameters', 'schedule.zone', 'must be a time zone such as Europe/Berlin');
  if (weekdays.length === 0 || !weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7)) {
    const message = 'must have at least one day, from 1 (Monday) to 7 (Sunday)';
    throw fieldProblem('invalid-parameters', 'schedule.weekdays', message);
  }
  return { hour, zone, weekdays };
}

export function refuseServicePort(webhook: string): void {
  const url = URL.parse(webhook);
  if (!url || isWebPort(url)) return;
  const message = `must not use port ${url.port}; the operator can add it on the command line`;
  throw fieldProblem('invalid-parameters', 'webhook', message);
}

export function refuseOtherSyslogPort(syslog: string): void {
  const target = findSyslogTarget(syslog);
  if (!target || isSyslogPort(target.port)) return;
  const message = `must not use port ${target.port}; the operator can add it on the command line`;
  throw fieldProblem('invalid-parameters', 'syslog', message);
}

/** Throws `invalid-parameters` for a target that could never be delivered to. */
export function checkWebhook(webhook: string, dialer: Pick<Dialer, 'check'>): Promise<void> {
  return checkUrl('webhook', webhook, dialer);
}

/** The same. */
export async function checkSyslog(syslog: string, dialer: Pick<Dialer, 'check'>): Promise<void> {
  const target = findSyslogTarget(syslog);
  if (!target) {
    const message = 'must be tls://HOST:PORT or tcp://HOST:PORT, such as tls://siem.example:6514';
    throw fieldProblem('invalid-parameters', 'syslog', message);
  }
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  await checkUrl('syslog', `http://${host}:${target.port}/`, dialer);
}

async function checkUrl(field: string, url: string, dialer: Pick<Dialer, 'check'>): Promise<void> {
  try {
    await dialer.check(url, 'configured');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw fieldProblem('invalid-parameters', field, error.message);
  }
}
