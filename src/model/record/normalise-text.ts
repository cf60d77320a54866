/** The text formats of record members. A text is normalised to its format, or refused with a reason. */
import { domainToASCII } from 'node:url';
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../dns/ip-address.ts';
import { isPlainText } from './plain-text.ts';

export type TextFormat = keyof typeof formats;

/** Undefined for an invalid text; an empty text means unknown. */
type Format = readonly [normalise: (text: string) => string | undefined, must: string];

const textLengthMax = 8192;
const proseLengthMax = 131_072;

/** On one line, without control characters, otherwise unchanged. */
function oneLine(text: string): string | undefined {
  if (isPlainText(text)) return text.length > textLengthMax ? undefined : text;
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > textLengthMax ? undefined : line;
}

function prose(text: string): string | undefined {
  return text.length > proseLengthMax ? undefined : text.toWellFormed().replaceAll('\0', '');
}

function status(text: string): string | undefined {
  // Registries append the URL of a page that explains the status.
  return oneLine(text)
    ?.replace(/ \(?https?:.*$/i, '')
    .replaceAll(' ', '')
    .toLowerCase();
}

const isAscii = /^[\x21-\x7e]*$/;
/** `domainToASCII` ends a host at these or decodes them. */
const endsHost = /[\s/?#:@%\\[\]]/;
const hostPattern = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/;

/** In punycode. Accepts labels that occur in real DNS: with underscores, and with hyphens anywhere. */
function host(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  if (trimmed.length > 1024 || endsHost.test(trimmed)) return undefined;
  const ascii = isAscii.test(trimmed) ? trimmed.toLowerCase() : domainToASCII(trimmed);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  return hostPattern.test(name) ? name : undefined;
}

/** With the host in punycode. A text that is no address is only lower-cased. */
function email(text: string): string | undefined {
  const line = oneLine(text)?.toLowerCase();
  const hostAt = (line?.lastIndexOf('@') ?? -1) + 1;
  if (line === undefined || hostAt === 0 || isAscii.test(line)) return line;
  return `${line.slice(0, hostAt)}${host(line.slice(hostAt)) ?? line.slice(hostAt)}`;
}

function altName(text: string): string | undefined {
  return oneLine(text)
    ?.toLowerCase()
    .replace(/[. ]+$/, '');
}

const bytes = new Uint8Array(ipv6Bytes);

function address(text: string): string | undefined {
  const trimmed = text.trim();
  if (putIpv4(trimmed, 0, bytes, 0)) return ipv4Text(bytes, 0);
  return putIpv6(trimmed, bytes, 0) ? ipv6Text(bytes, 0) : undefined;
}

function sha1(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replaceAll(':', '');
  return /^[0-9a-f]{40}$/.test(digits) ? digits : undefined;
}

const isoPattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A day means its midnight, and a time without a zone is UTC. */
function instant(text: string): string | undefined {
  const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const [hours, minutes] = [zone.slice(0, 3), zone.slice(3).replace(':', '') || '00'];
  const offset = zone.length === 1 ? 'Z' : `${hours}:${minutes}`;
  // `Date.parse` reads February 30 as March 2.
  const ms = isDay(day) ? Date.parse(`${day}T${time}${offset}`) : Number.NaN;
  const iso = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the calendar has a day of the form YYYY-MM-DD. */
function isDay(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8)].map(Number) as [
    number,
    number,
    number,
  ];
  const isLeapDay = month === 2 && day === 29;
  if (isLeapDay) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (daysOfMonths[month - 1] ?? 0);
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Most days are written as days, and need not become an instant first. */
function dayOf(text: string): string | undefined {
  if (dayPattern.test(text)) return isDay(text) ? text : undefined;
  return instant(text)?.slice(0, 10);
}

const formats = {
  text: [oneLine, `be a text of at most ${textLengthMax} characters`],
  prose: [prose, `be a text of at most ${proseLengthMax} characters`],
  lower: [(text) => oneLine(text)?.toLowerCase(), `be a text of at most ${textLengthMax} characters`],
  email: [email, `be a text of at most ${textLengthMax} characters`],
  digits: [(text) => oneLine(text)?.replaceAll(/\D/g, ''), 'be a telephone number'],
  status: [status, `be a text of at most ${textLengthMax} characters`],
  host: [host, 'be a host name'],
  'alt-name': [altName, `be a text of at most ${textLengthMax} characters`],
  address: [address, 'be an IP address'],
  sha1: [sha1, 'be 40 hex digits'],
  day: [dayOf, 'be a day, YYYY-MM-DD'],
  instant: [instant, 'be a time, YYYY-MM-DDThh:mm:ssZ'],
} as const satisfies Record<string, Format>;

/** The normalised text, or what it must be. */
export function normaliseText(
  format: TextFormat,
  text: string,
): { readonly text: string } | { readonly must: string } {
  const [normalise, must]: Format = formats[format];
  const normalised = normalise(text);
  return normalised === undefined ? { must } : { text: normalised };
}
