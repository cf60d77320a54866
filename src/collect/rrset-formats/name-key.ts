/** A name as a text to look it up by. Copied by way of a scratch buffer: a view on a small array would move it off the heap. */
import type { WireName } from '../../model/dns/rrset.ts';

const scratch = Buffer.alloc(255);

export function nameKey(name: WireName): string {
  scratch.set(name);
  return scratch.toString('latin1', 0, name.length);
}
