/** A name as a string key. Copied through a scratch buffer, because a Buffer view would move a small array off the V8 heap. */
import type { WireName } from '../../model/dns/rrset.ts';

const scratch = Buffer.alloc(255);

export function nameKey(name: WireName): string {
  scratch.set(name);
  return scratch.toString('latin1', 0, name.length);
}
