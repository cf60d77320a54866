/**
 * Feature selection for the record model: drops facts that few records have (overfitting), and attributes that are known only for bad or
 * only for good records (sampling bias: that an attribute was collected proves nothing).
 */
import type { RecordFact } from '../../src/model/risk/record/record-fact.ts';
import type { RecordRow } from './record-rows.ts';

const identityRecordsMin = 8;
const formRecordsMin = 4;
/** Of bad and of good records each. */
const sideRecordsMin = 20;
const factsMax = 10_000;

/** The most frequent first. */
export function selectFacts(rows: readonly RecordRow[]): readonly RecordFact[] {
  const sides = new Map<string, { bad: number; good: number }>();
  const counts = new Map<RecordFact, number>();
  for (const { facts, labels } of rows) {
    for (const what of new Set(facts.map((fact) => fact.what))) {
      const side = sides.get(what) ?? { bad: 0, good: 0 };
      side[labels === 'good' ? 'good' : 'bad'] += 1;
      sides.set(what, side);
    }
    for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  const isOnBothSides = ({ what }: RecordFact) => {
    const side = sides.get(what);
    return side !== undefined && Math.min(side.bad, side.good) >= sideRecordsMin;
  };
  return [...counts]
    .filter(([fact, records]) => records >= (fact.isIdentity ? identityRecordsMin : formRecordsMin))
    .filter(([fact]) => isOnBothSides(fact))
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a.fact < b.fact ? -1 : 1))
    .slice(0, factsMax)
    .map(([fact]) => fact);
}
