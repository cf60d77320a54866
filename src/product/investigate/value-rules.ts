/** Validation of parameter values. Each rule gives the value in its search form, or throws `InvalidValue`. */
import { isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { findDayNumber, findInstantMs } from '../../model/instant.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';
import { findListFault, requestedDomains } from '../../model/record/requested-domains.ts';

/** Why a value is invalid. The caller adds the name of the parameter or the position in the query. */
export class InvalidValue extends Error {}

export type Rule<Value> = (text: string) => Value;

const addressForm = /^[^\s@"<>]{1,64}@([^\s@]+)$/;

export function plainText(charactersMax: number): Rule<string> {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || text.length > 2 * charactersMax || Array.from(trimmed).length > charactersMax)
      throw new InvalidValue(`must have 1 to ${charactersMax} characters`);
    return trimmed;
  };
}

/** Free text without a single word cannot be searched for. */
export const words: Rule<string> = (text) => {
  const trimmed = plainText(1024)(text);
  if (!/[\p{L}\p{N}]/u.test(trimmed)) throw new InvalidValue('must have at least one word');
  return trimmed;
};

/** In punycode and lower case without the final dot, as in records; undefined for an invalid host name. */
export function findHostName(text: string): string | undefined {
  const made = normaliseText('host', text);
  return 'text' in made && made.text !== '' ? made.text : undefined;
}

export const hostName: Rule<string> = (text) => {
  const name = findHostName(text);
  if (name === undefined) throw new InvalidValue('must be a host name of up to 253 characters');
  return name;
};

/** Comma-separated names without duplicates. A text that is no domain name cannot have a record and is left out. */
export function domainNames(namesMax: number): Rule<readonly string[]> {
  return (text) => {
    const items = listItems(text);
    const fault = findListFault(items, namesMax);
    if (fault !== undefined) throw new InvalidValue(fault);
    return requestedDomains(items).flatMap(({ name }) => name ?? []);
  };
}

export function listItems(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Alternative names of a certificate may be wildcards. */
export const alternativeName: Rule<string> = (text) => {
  const made = normaliseText('alt-name', plainText(1024)(text));
  return 'text' in made ? made.text : text;
};

/** With the host in punycode. */
export const emailAddress: Rule<string> = (text) => {
  const trimmed = text.trim();
  const domain = addressForm.exec(trimmed)?.[1];
  const host = domain === undefined ? undefined : findHostName(domain);
  if (trimmed.length > 254 || host === undefined)
    throw new InvalidValue('must be an e-mail address of up to 254 characters');
  return `${trimmed.slice(0, trimmed.lastIndexOf('@') + 1)}${host}`;
};

/** An e-mail address or its domain, in punycode where it is in Unicode; any other text unchanged. */
export const mailText: Rule<string> = (text) => {
  const trimmed = plainText(1024)(text);
  const made = normaliseText(trimmed.includes('@') ? 'email' : 'host', trimmed);
  return 'text' in made ? made.text : trimmed;
};

/** A host or an e-mail address in punycode, and in Unicode if that differs: records hold what their source wrote. */
export function spellingsOf(text: string): readonly [string, ...string[]] {
  if (!/xn--/i.test(text)) return [text];
  const hostAt = text.lastIndexOf('@') + 1;
  return [text, `${text.slice(0, hostAt)}${domainToUnicode(text.slice(hostAt))}`];
}

export const ipv4: Rule<string> = (text) => {
  const trimmed = text.trim();
  if (!isIPv4(trimmed)) throw new InvalidValue('must be an IPv4 address');
  return trimmed;
};

export const sha1: Rule<string> = (text) => {
  const trimmed = text.trim().toLowerCase();
  if (!/^[0-9a-f]{40}$/.test(trimmed)) throw new InvalidValue('must be 40 hex digits');
  return trimmed;
};

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Rule<number> {
  const message =
    maximum === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${minimum}`
      : `must be an integer from ${minimum} to ${maximum}`;
  return (text) => {
    const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(number >= minimum && number <= maximum)) throw new InvalidValue(message);
    return number;
  };
}

/** Phone numbers are compared by their digits. */
export const phoneDigits: Rule<string> = (text) => {
  const digits = plainText(128)(text).replaceAll(/\D/g, '');
  if (digits === '') throw new InvalidValue('must contain digits');
  return digits;
};

export const tagList: Rule<readonly string[]> = (text) => {
  const trimmed = text.trim();
  const labels = listItems(trimmed);
  if (Array.from(trimmed).length > 512 || labels.length === 0)
    throw new InvalidValue('must be tags separated by commas, up to 512 characters');
  return labels;
};

export const countryCode: Rule<string> = (text) => {
  if (!/^[A-Za-z]{2}$/.test(text.trim())) throw new InvalidValue('must be a country code of two letters');
  return text.trim().toLowerCase();
};

export const booleanValue: Rule<boolean> = (text) => {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  throw new InvalidValue('must be true or false');
};

export const dayNumber: Rule<number> = (text) => {
  const day = findDayNumber(text.trim());
  if (day === undefined) throw new InvalidValue('must be a date as YYYY-MM-DD');
  return day;
};

/** As in certificate fields: `2026-05-28` is 20260528. */
export const certificateDay: Rule<string> = (text) => {
  dayNumber(text);
  return text.trim().replaceAll('-', '');
};

export function instantMs(text: string, nowMs: number): number {
  const ms = findInstantMs(text.trim(), nowMs);
  if (ms === undefined)
    throw new InvalidValue('must be a time as 2026-03-04T10:00:00Z, or -N for N seconds ago');
  return ms;
}

export const topLevelDomain: Rule<string> = (text) => hostName(text.trim().replace(/^\./, ''));

export const autonomousSystem: Rule<string> = (text) => {
  const number = /^(?:as)?(\d{1,10})$/i.exec(text.trim())?.[1];
  if (number === undefined || Number(number) > 4_294_967_295)
    throw new InvalidValue('must be an autonomous system number');
  return String(Number(number));
};
