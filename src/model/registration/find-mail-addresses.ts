/** The mail addresses in a text, lower case, without duplicates, in linear time. */
import { isMailAddress } from '../mail-address.ts';

const addressesMax = 50;
const candidatesMax = 400;
const localMax = 64;
const hostMax = 190;

const isLocal = charactersOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+&'-");
const isHost = charactersOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-');

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
    const host = text.slice(at + 1, end).replace(/[.-]+$/, '');
    const address = `${local}@${host}`.toLowerCase();
    if (/[a-z0-9-]\.(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(host.toLowerCase()) && isMailAddress(address))
      found.add(address);
  }
  return [...found];
}

function charactersOf(all: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const character of all) table[character.charCodeAt(0)] = 1;
  return table;
}
