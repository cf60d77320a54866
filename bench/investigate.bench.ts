/**
 * Searches over records at two sizes, ten times apart, in the store against PostgreSQL 15 on the same data (jsonb with GIN, trigrams,
 * full text, and for counts a table of all values) with the same questions: pivots on one value, three values at once of which two
 * belong to half of all domains, part of a text, words of WHOIS records, and pages of 500 records with all counts. Then over HTTP. Loading
 * a million records takes long: `--keep DIR` keeps them for the next run.
 */
import { type Bench, resultOf } from './harness/benchmark.ts';
import { askStoreAndPeer } from './investigate/ask-store-and-peer.ts';
import { investigateOverHttp } from './investigate/over-http.ts';
import { seedCounts } from './serving/seeds.ts';

export const bench: Bench = async (context) => {
  const count = context.sized(seedCounts.records);
  const lesser = await askStoreAndPeer(count / 10, 'alone', context);
  const greater = await askStoreAndPeer(count, 'with PostgreSQL', context);
  const inStore = greater.map(({ question, p50Ms, p99Ms, postgresP50Ms = 0, cpuSeconds, memoryBytes }, at) =>
    resultOf({
      work: `Investigate in the store: ${question.name}, p50`,
      ours: { value: p50Ms, unit: 'ms' },
      peer: { name: 'PostgreSQL', value: postgresP50Ms, unit: 'ms' },
      wanted: { ratio: { atMost: 0.33 }, growthAt10x: { atMost: 1.5 } },
      growthAt10x: p99Ms / (lesser[at]?.p99Ms ?? 0),
      cpuSeconds,
      memoryBytes,
    }),
  );
  return [...inStore, ...(await investigateOverHttp(count, context))];
};
