/** How each kind of text in a record is written. What came is brought into its form, or refused with a reason. */
import { domainToASCII } from 'node:url';
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../dns/ip-address.ts';

export type TextForm = keyof typeof forms;

/** Undefined for a text that cannot be of the form; empty stands for nothing known. */
type Form = readonly [form: (text: string) => string | undefined, must: string];

const textLengthMax = 8192;
const proseLengthMax = 131_072;

/** On one line, without control characters, as it came otherwise. */
function oneLine(text: string): string | undefined {
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
  // Registries put the page that explains a status behind it.
  return oneLine(text)
    ?.replace(/ \(?https?:.*$/i, '')
    .replaceAll(' ', '')
    .toLowerCase();
}

const isAscii = /^[\x21-\x7e]*$/;
const hostPattern = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/;

/** In punycode. Labels are those of the DNS as it is: underscores occur, and hyphens anywhere. */
function host(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  if (trimmed.length > 1024) return undefined;
  const ascii = isAscii.test(trimmed) ? trimmed.toLowerCase() : domainToASCII(trimmed);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  return hostPattern.test(name) ? name : undefined;
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

/** A day is its midnight, a time without a zone is in UTC. */
function instant(text: string): string | undefined {
  const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const [hours, minutes] = [zone.slice(0, 3), zone.slice(3).replace(':', '') || '00'];
  const offset = zone.length === 1 ? 'Z' : `${hours}:${minutes}`;
  // Days that a month does not have would become days of the next.
  const ms = isDay(day) ? Date.parse(`${day}T${time}${offset}`) : Number.NaN;
  const iso = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

const forms = {
  text: [oneLine, `be a text of at most ${textLengthMax} characters`],
  prose: [prose, `be a text of at most ${proseLengthMax} characters`],
  lower: [(text) => oneLine(text)?.toLowerCase(), `be a text of at most ${textLengthMax} characters`],
  digits: [(text) => oneLine(text)?.replaceAll(/\D/g, ''), 'be a telephone number'],
  status: [status, `be a text of at most ${textLengthMax} characters`],
  host: [host, 'be a host name'],
  'alt-name': [altName, `be a text of at most ${textLengthMax} characters`],
  address: [address, 'be an IP address'],
  sha1: [sha1, 'be 40 hex digits'],
  day: [(text) => instant(text)?.slice(0, 10), 'be a day, YYYY-MM-DD'],
  instant: [instant, 'be a time, YYYY-MM-DDThh:mm:ssZ'],
} as const satisfies Record<string, Form>;

/** The text in its form, or what it must be. */
export function inForm(form: TextForm, text: string): { readonly text: string } | { readonly must: string } {
  const [make, must]: Form = forms[form];
  const made = make(text);
  return made === undefined ? { must } : { text: made };
}
