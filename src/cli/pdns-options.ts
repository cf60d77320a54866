/** The options that describe a passive DNS key. */
import { InvalidArgumentError } from 'commander';
import type { PdnsGrant, PdnsQuota } from '../model/account.ts';
import { isAddressRange } from '../model/address-range.ts';
import { type CalendarPeriod, dayPeriod } from '../model/limit.ts';
import { unlimitedPdns } from '../product/account/operate.ts';

export interface PdnsOptions {
  readonly pdnsQuota?: PdnsQuota | 'none';
  readonly pdnsBurst?: { readonly size: number; readonly windowSeconds: number };
  readonly pdnsResultsMax?: number;
  readonly pdnsOffsetMax?: number | 'none';
  readonly pdnsAllow?: readonly string[];
  readonly pdnsVersions?: readonly number[];
}

export function pdnsGrantOf(options: PdnsOptions): PdnsGrant | undefined {
  const { pdnsQuota: quota = unlimitedPdns.quota } = options;
  if (quota === 'none') return undefined;
  return {
    quota,
    ...(options.pdnsBurst ? { burst: options.pdnsBurst } : {}),
    ...(options.pdnsResultsMax === undefined ? {} : { resultsMax: options.pdnsResultsMax }),
    ...(options.pdnsOffsetMax === undefined ? {} : { offsetMax: options.pdnsOffsetMax }),
    allowedAddresses: options.pdnsAllow ?? [],
    apiVersions: options.pdnsVersions ?? unlimitedPdns.apiVersions,
  };
}

const periods: Readonly<Record<string, CalendarPeriod>> = {
  hourly: 3600,
  daily: dayPeriod,
  monthly: 'month',
};

/** `unlimited`, `none`, `daily:N`, `hourly:N`, `monthly:N`, `<seconds>s:N`, `block:N:EXPIRES`. */
export function readQuota(text: string): PdnsQuota | 'none' {
  if (text === 'none') return 'none';
  if (text === 'unlimited') return { type: 'unlimited' };
  const [word = '', size = '', ...rest] = text.split(':');
  const limit = readWhole(size);
  if (word === 'block') return { type: 'block', limit, expiresMs: readInstant(rest.join(':')) };
  const seconds = /^(\d+)s$/.exec(word)?.[1];
  const period = seconds ? readPositive(seconds) : Object.hasOwn(periods, word) ? periods[word] : undefined;
  if (period === undefined || rest.length > 0) {
    throw new InvalidArgumentError(
      'Say unlimited, none, daily:N, hourly:N, monthly:N, 600s:N or block:N:EXPIRES.',
    );
  }
  return { type: 'time', limit, period };
}

export function readBurst(text: string): { size: number; windowSeconds: number } {
  const [size = '', windowSeconds = ''] = text.split(':');
  return { size: readPositive(size), windowSeconds: readPositive(windowSeconds) };
}

export function readOffsetMax(text: string): number | 'none' {
  return text === 'n/a' || text === 'none' ? 'none' : readWhole(text);
}

export function readAddressRange(text: string): string {
  if (!isAddressRange(text))
    throw new InvalidArgumentError('Say an address or a prefix such as 192.0.2.0/24.');
  return text;
}

export function readWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Say a whole number.');
  return Number(text);
}

export function readPositive(text: string): number {
  const number = readWhole(text);
  if (number < 1) throw new InvalidArgumentError('Say a number of 1 or more.');
  return number;
}

/** Epoch seconds, or ISO 8601; a date alone is its start in UTC. */
export function readInstant(text: string): number {
  const instant = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (text === '' || Number.isNaN(instant)) {
    throw new InvalidArgumentError('Say epoch seconds or a date such as 2027-01-01 or 2027-01-01T00:00:00Z.');
  }
  return instant;
}
