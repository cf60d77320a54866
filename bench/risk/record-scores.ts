/** Full scores of records, against reading the same records from JSON. */
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { assessDomain } from '../../src/model/risk/assess-domain.ts';
import type { RiskFacts } from '../../src/model/risk/assessment.ts';
import { RiskScorer } from '../../src/model/risk/risk-scorer.ts';
import { readModel } from '../../src/product/risk/read-model.ts';
import { recordOf } from '../data/record-lines.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { fastest } from '../harness/fastest.ts';

const rounds = 3;
const nowMs = Date.parse('2026-11-15T00:00:00Z');

export async function benchRecordScores({ sized }: BenchContext): Promise<readonly Result[]> {
  const count = sized({ tiny: 200, small: 5000, full: 20_000 });
  const scorer = new RiskScorer(readModel(), { popularRankMax: 0 });
  const texts = Array.from({ length: count }, (_, at) => JSON.stringify(recordOf(at, count)));
  const facts = texts.map((text): RiskFacts => {
    const record = JSON.parse(text) as DomainRecord;
    const { domain } = record;
    return { domain, record, verdicts: [], links: [], seenMs: 0, status: 'full', nowMs };
  });
  const score = (some: readonly RiskFacts[]) =>
    fastest(rounds, () => {
      for (const one of some) assessDomain(one, scorer);
    });
  await score(facts.slice(0, count / 10));
  const [lesser, greater] = [await score(facts.slice(0, count / 10)), await score(facts)];
  const bare = await fastest(rounds, () => {
    for (const text of texts) JSON.parse(text);
  });
  return [
    resultOf({
      work: `full scores of ${count.toLocaleString('en')} records`,
      ours: { value: count / greater.seconds, unit: 'records/s' },
      peer: { name: 'JSON.parse of the records', value: count / bare.seconds, unit: 'records/s' },
      wanted: { ours: { atLeast: 10_000 }, growthAt10x: { atMost: 1.2 } },
      growthAt10x: greater.seconds / (10 * lesser.seconds),
      cpuSeconds: greater.cpuSeconds,
      memoryBytes: greater.memoryBytes,
    }),
  ];
}
