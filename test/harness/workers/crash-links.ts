/** The links that the killed process stores for its domain n: few, so that many domains share each. */
import type { Link } from '../../../src/model/risk/proximity/link.ts';

export const crashAddresses: readonly Link[] = Array.from({ length: 5 }, (_, index) => ({
  kind: 'address',
  attribute: 'ip',
  value: `192.0.2.${index}`,
}));

export function crashLinks(number: number): readonly Link[] {
  return crashAddresses.filter((_, index) => number % (index + 2) === 0 || index === 0);
}
