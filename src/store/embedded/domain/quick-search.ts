/** Which searches take less time than handing them to a thread: those that a value of few domains decides. */
import type { Condition } from '../../../model/record/condition.ts';

/** More might keep the event loop waiting while they are put in order. */
const fewDomains = 64;
const partsMax = 16;

/** What is quick to ask of a few domains. */
const quickKinds: ReadonlySet<Condition['kind']> = new Set([
  'has',
  'historical',
  'tld',
  'active',
  'compare',
  'domain',
]);

type Having = Extract<Condition, { kind: 'has' }>;

export function isDecidedByFew(condition: Condition, countOf: (part: Having) => number): boolean {
  const parts = condition.kind === 'and' ? condition.of : [condition];
  if (parts.length > partsMax || !parts.every(({ kind }) => quickKinds.has(kind))) return false;
  return parts.some((part) => {
    if (part.kind === 'domain') return part.names.length <= fewDomains;
    return part.kind === 'has' && part.attributes.length <= partsMax && countOf(part) <= fewDomains;
  });
}
