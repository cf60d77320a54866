/** Names in a zone file: `@` is the origin, and a name without final dot is relative to it. */
import { parseName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';

const nameBytesMax = 255;

/** Stands for an unknown origin: no name fits below it, so relative names are refused and absolute ones are not. */
export const unreachableOrigin: WireName = new Uint8Array(nameBytesMax + 1);

/** A final dot after an odd number of backslashes is part of the last label. */
function isAbsolute(text: string): boolean {
  if (!text.endsWith('.')) return false;
  let backslashes = 0;
  while (text.at(-2 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 0;
}

/** The name, or the reason why it is invalid. */
export function zoneName(text: string, origin: WireName | undefined): WireName | string {
  const isRelative = !isAbsolute(text);
  if (isRelative && origin === undefined) return 'a relative name, but no origin is known';
  if (text === '@' && origin !== undefined) return origin;
  const name = hasInvalidUtf8(text) ? undefined : parseName(text);
  const bytes = (name?.length ?? 0) + (isRelative ? (origin?.length ?? 0) - 1 : 0);
  if (name === undefined || bytes > nameBytesMax) return 'its name is not a domain name';
  if (!isRelative || origin === undefined) return name;
  const whole = new Uint8Array(bytes);
  whole.set(name);
  whole.set(origin, name.length - 1);
  return whole;
}
