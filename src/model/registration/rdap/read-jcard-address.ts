/**
 * The address of a jCard. The standard has seven parts; some registrars leave out the first one or two, and some write the
 * whole address as text or as a label.
 */
import type { ContactDraft } from '../contact-draft.ts';
import { findCountryCode } from '../country.ts';
import { readAddressLines } from '../whois/read-address-lines.ts';
import { type JsonObject, listIn, textIn, textsIn } from './json-value.ts';

/** The last four of the seven parts; all before are the street. */
const localityFields = ['city', 'state', 'postal', 'country'] as const;
const partsMax = 7;

export function readAddress(parameters: JsonObject, content: unknown, draft: ContactDraft): void {
  const parts = partsOf(content);
  if (parts.length > localityFields.length && parts.some((part) => part.length > 0)) addParts(parts, draft);
  else addLines(linesOf(parts, parameterOf(parameters, 'label')), draft);
  // RFC 8605: the country may be given as a code only.
  const code = parameterOf(parameters, 'cc');
  if (code !== undefined && !draft.has('country')) draft.add('country', code);
}

/** Each part has any number of texts. A list within a list, in place of parts, is the address. */
function partsOf(content: unknown): readonly (readonly string[])[] {
  if (typeof content === 'string') return [[content]];
  const [first, ...others] = listIn(content);
  const list = Array.isArray(first) && others.length === 0 ? listIn(first) : listIn(content);
  return Array.from(list.slice(0, partsMax), textsIn);
}

function addParts(parts: readonly (readonly string[])[], draft: ContactDraft): void {
  const streets = isWithoutCountry(parts)
    ? partsMax - localityFields.length
    : parts.length - localityFields.length;
  for (const [index, texts] of parts.entries())
    for (const text of texts) draft.add(localityFields[index - streets] ?? 'street', text);
}

/** Six parts that end with a postal code are the standard's seven without the last. */
function isWithoutCountry(parts: readonly (readonly string[])[]): boolean {
  const last = parts.at(-1)?.[0] ?? '';
  return parts.length === partsMax - 1 && /\d/.test(last) && findCountryCode(last) === undefined;
}

function linesOf(parts: readonly (readonly string[])[], label = ''): readonly string[] {
  const written = parts.flat().join('\n') || label;
  const lines = written.split(/\r?\n|\\n/);
  return lines.length > 1 ? lines : written.split(',');
}

function addLines(lines: readonly string[], draft: ContactDraft): void {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (written.length > 0) readAddressLines(written, 'street', draft);
}

/** Names of parameters are case-insensitive. */
function parameterOf(parameters: JsonObject, name: string): string | undefined {
  const key = Object.keys(parameters).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : textIn(parameters[key]);
}
