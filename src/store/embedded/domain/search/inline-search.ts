/** Which searches run on the event loop: with few candidates a search takes less time than a call of a worker thread. */
import type { Condition } from '../../../../model/record/condition.ts';

/** Sorting more might block the event loop too long. */
export const inlineDomainsMax = 64;
const partsMax = 16;

/** Conditions that are cheap to check for a few domains. */
const cheapKinds: ReadonlySet<Condition['kind']> = new Set([
  'has',
  'historical',
  'tld',
  'active',
  'compare',
  'domain',
  'whois',
]);

/** Whether it is worth estimating the number of candidates. */
export function mayRunInline(condition: Condition): boolean {
  const parts = condition.kind === 'and' ? condition.of : [condition];
  return (
    parts.length <= partsMax &&
    parts.every(
      (part) => cheapKinds.has(part.kind) && !(part.kind === 'has' && part.attributes.length > partsMax),
    )
  );
}
