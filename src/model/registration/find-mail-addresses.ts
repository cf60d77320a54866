/** The mail addresses in a text, lower case, without duplicates, in linear time. */
import { domainToASCII } from 'node:url';
import { isMailAddress } from '../mail-address.ts';

const addressesMax = 50;
const candidatesMax = 400;
const localMax = 64;
const hostMax = 190;

const isLocal = charactersOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+&'-");
const isHost = charactersOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-');

const unicodeHost = /^[\p{L}\p{M}\p{N}.-]*/u;

/** Hosts in punycode. */
export function findMailAddresses(text: string): string[] {
  const found = new Set<string>();
  let candidates = 0;
  for (let at = text.indexOf('@'); at >= 0 && found.size < addressesMax; at = text.indexOf('@', at + 1)) {
    candidates += 1;
    if (candidates > candidatesMax) break;
    let start = at;
    while (at - start < localMax && isLocal[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = at + 1;
    while (end - at < hostMax && isHost[text.charCodeAt(end)] === 1) end += 1;
    const local = text.slice(start, at).replace(/^[.'&-]+/, '');
    const host = hostIn(text, at + 1, end);
    const address = `${local}@${host}`.toLowerCase();
    if (host !== undefined && isMailAddress(address)) found.add(address);
  }
  return [...found];
}

/** `end`: where the ASCII characters of the host end. */
function hostIn(text: string, start: number, end: number): string | undefined {
  const ascii = text.slice(start, end).replace(/[.-]+$/, '');
  if (!(text.charCodeAt(end) > 127)) return hasTopLevel(ascii) ? ascii : undefined;
  const [whole = ''] = unicodeHost.exec(text.slice(start, start + hostMax)) ?? [];
  const name = domainToASCII(whole.replace(/[.-]+$/, ''));
  // Text in another script may follow the address without a space.
  const isWhole = hasTopLevel(name) && (/\.[a-z]+$/.test(name) || !hasTopLevel(ascii));
  if (isWhole) return name;
  return hasTopLevel(ascii) ? ascii : undefined;
}

function hasTopLevel(host: string): boolean {
  return /[a-z0-9-]\.(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i.test(host);
}

function charactersOf(all: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const character of all) table[character.charCodeAt(0)] = 1;
  return table;
}
