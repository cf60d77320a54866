/** Whether a name is within the span of a selection by name. */
import { isAtOrBelow } from '../../../model/dns/name.ts';
import type { WireName } from '../../../model/dns/rrset.ts';
import type { NameSpan } from '../../rrset-store.ts';
import { compareBytes, startsWith } from '../segment/byte-order.ts';

export function isInSpan(name: WireName, of: WireName, span: NameSpan): boolean {
  if (span === 'none') return compareBytes(name, name.length, of, of.length) === 0;
  if (span === 'right') return startsWith(name, name.length, of.subarray(0, of.length - 1));
  if (!isAtOrBelow(name, of)) return false;
  return span === 'below' || name.length === of.length + 1 + (name[0] as number);
}
