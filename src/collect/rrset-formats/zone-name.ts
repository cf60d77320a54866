/** Names of a zone file: `@` is the origin, and a name without its final dot is below it. */
import { parseName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasLostBytes } from './lost-bytes.ts';

const nameBytesMax = 255;

/** Stands for an origin that is not known: no name fits below it, so relative names are refused and whole ones are not. */
export const unreachableOrigin: WireName = new Uint8Array(nameBytesMax + 1);

/** A final dot behind an odd number of backslashes is part of the last label. */
function isAbsolute(text: string): boolean {
  if (!text.endsWith('.')) return false;
  let backslashes = 0;
  while (text.at(-2 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 0;
}

/** The name, or the reason why it is none. */
export function zoneName(text: string, origin: WireName | undefined): WireName | string {
  const isRelative = !isAbsolute(text);
  if (isRelative && origin === undefined) return 'a relative name, but no origin is known';
  if (text === '@' && origin !== undefined) return origin;
  const name = hasLostBytes(text) ? undefined : parseName(text);
  const bytes = (name?.length ?? 0) + (isRelative ? (origin?.length ?? 0) - 1 : 0);
  if (name === undefined || bytes > nameBytesMax) return 'its name is not a domain name';
  if (!isRelative || origin === undefined) return name;
  const whole = new Uint8Array(bytes);
  whole.set(name);
  whole.set(origin, name.length - 1);
  return whole;
}
