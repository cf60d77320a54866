/** Which searches may take less time than handing them to a thread: those that a few domains decide. */
import type { Condition } from '../../../model/record/condition.ts';

/** More might keep the event loop waiting while they are put in order. */
export const fewDomains = 64;
const partsMax = 16;

/** What is quick to ask of a few domains. */
const quickKinds: ReadonlySet<Condition['kind']> = new Set([
  'has',
  'historical',
  'tld',
  'active',
  'compare',
  'domain',
  'whois',
]);

/** Whether it is worth a look how many domains there are to decide it. */
export function mayBeQuick(condition: Condition): boolean {
  const parts = condition.kind === 'and' ? condition.of : [condition];
  return (
    parts.length <= partsMax &&
    parts.every(
      (part) => quickKinds.has(part.kind) && !(part.kind === 'has' && part.attributes.length > partsMax),
    )
  );
}
