/**
 * Messages of the syslog protocol (RFC 5424), each with its length before it (octet counting: RFC 6587, 3.4.1; RFC 5425, 4.3), so that nothing in
 * a message can end it. At most 8 KiB, which every receiver has to accept (RFC 5425, 4.3.1).
 */
import type { WatchlistEvent } from '../../watchlist.ts';
import { boundedText } from '../bounded-value.ts';
import type { AlertMessage } from '../message.ts';
import type { SyslogFormat } from '../receiver.ts';
import { writeCef } from './cef.ts';
import { writeEcs } from './ecs.ts';
import { severityOf } from './severity.ts';

/** local0 */
const facility = 16;
const [warning, notice, informational] = [4, 5, 6];
/** The number that RFC 5612 sets aside for those who have none of their own. */
const elementId = 'nameglass@32473';
const [hostBytesMax, valueBytesMax] = [255, 128];
/** Says that the text which follows is UTF-8 (RFC 5424, 6.4). Many parsers stumble over it, so plain ASCII goes without. */
const byteOrderMark = '\ufeff';

const writers = { cef: writeCef, ecs: writeEcs };

/** One for each event, or one for a test. `host` is the name of this server. */
export function writeSyslog(format: SyslogFormat, message: AlertMessage, host: string): readonly Buffer[] {
  const events = message.events.length === 0 ? [undefined] : message.events;
  return events.map((event) => counted(messageOf(format, event, message, host)));
}

function messageOf(
  format: SyslogFormat,
  event: WatchlistEvent | undefined,
  message: AlertMessage,
  host: string,
): string {
  const time = new Date(event?.atMs ?? message.atMs).toISOString();
  const head = `<${facility * 8 + levelOf(event)}>1 ${time} ${hostOf(host)} nameglass - ${event?.kind ?? 'test'}`;
  const body = writers[format](event, message);
  const mark = /^[ -~]*$/.test(body) ? '' : byteOrderMark;
  return `${head} ${elementOf(event, message)} ${mark}${body}`;
}

function levelOf(event: WatchlistEvent | undefined): number {
  if (!event) return informational;
  return severityOf(event) >= 7 ? warning : notice;
}

/** Printable ASCII without spaces. */
function hostOf(host: string): string {
  return boundedText(host.replaceAll(/[^!-~]/g, ''), hostBytesMax) || '-';
}

function elementOf(event: WatchlistEvent | undefined, { subscriptionId, deliveryId }: AlertMessage): string {
  const parameters = {
    ...(event ? { event_id: String(event.id), domain_id: event.domainId } : {}),
    subscription_id: subscriptionId,
    delivery_id: deliveryId,
  };
  const written = Object.entries(parameters).map(([name, value]) => ` ${name}="${parameterValue(value)}"`);
  return `[${elementId}${written.join('')}]`;
}

function parameterValue(text: string): string {
  return boundedText(text, valueBytesMax).replaceAll(/["\\\]]/g, '\\$&');
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}
