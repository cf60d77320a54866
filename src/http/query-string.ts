/**
 * Parameters of a query string or form body, as `URLSearchParams` reads them, but in linear time: that of Node takes seconds for a
 * megabyte of parameters without `=`. Their number is bounded, whatever the size of headers and bodies.
 */
import { Problem } from '../model/problem.ts';

/** Ten times what the longest list of the contract needs. */
export const parametersMax = 10_000;

/** Decoded names and values in order. What follows the first `parametersMax` separators is not read. */
export function readPairs(text: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const written = text.startsWith('?') ? text.slice(1) : text;
  for (let [at, count] = [0, 0]; at < written.length && count < parametersMax; count += 1) {
    const found = written.indexOf('&', at);
    const end = found < 0 ? written.length : found;
    if (end > at) pairs.push(readPair(written.slice(at, end)));
    at = end + 1;
  }
  return pairs;
}

/** For a few names of a URL that has no dialect of parameters. */
export function searchParams(text: string): URLSearchParams {
  return new URLSearchParams(readPairs(text));
}

/** Repeated names are kept, `name[]` is `name`. */
export function readQuery(text: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  if (text === '') return parameters;
  for (const [written, value] of readPairs(text)) {
    const name = written.endsWith(']') ? written.replace(/\[\d*\]$/, '') : written;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** Counts separators, decodes nothing. */
export function hasTooManyParameters(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= parametersMax; at = text.indexOf('&', at + 1))
    count += 1;
  return count > parametersMax;
}

/** For a URL or its query string. */
export function findQueryFault(url: string): Problem | undefined {
  if (!hasTooManyParameters(url)) return undefined;
  return new Problem('request-too-large', `The query string has more than ${parametersMax} parameters.`);
}

function readPair(written: string): [string, string] {
  const equalsAt = written.indexOf('=');
  if (equalsAt < 0) return [decoded(written), ''];
  return [decoded(written.slice(0, equalsAt)), decoded(written.slice(equalsAt + 1))];
}

/** A percent sign without two hex digits stays; bytes that are not UTF-8 become U+FFFD. */
function decoded(written: string): string {
  const text = written.includes('+') ? written.replaceAll('+', ' ') : written;
  if (!text.includes('%')) return text.toWellFormed();
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const value = bytes[at] === percent ? hexByte(bytes, at + 1) : undefined;
    bytes[length] = value ?? (bytes[at] as number);
    if (value !== undefined) at += 2;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

const percent = 0x25;

function hexByte(bytes: Buffer, at: number): number | undefined {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

/** -1 for what is none. */
function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
