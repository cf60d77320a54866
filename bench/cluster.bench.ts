/**
 * Distributed stores beside the embedded ones in the same run: searches over records, updates, charges and appends in the stores, then requests to one and two API nodes. The
 * embedded stores are the peer. CPU time of PostgreSQL counts, and is a row of its own as well.
 */
import { benchApiNodes } from './cluster/api-nodes.ts';
import { benchAppends, benchCharges } from './cluster/charges-and-appends.ts';
import { type LoadFigures, loadDistributed } from './cluster/distributed-records.ts';
import { benchSearches } from './cluster/searches.ts';
import { type Bench, type Result, resultOf } from './harness/benchmark.ts';
import { seedCounts } from './serving/seeds.ts';

export const bench: Bench = async (context) => {
  const count = context.sized(seedCounts.records);
  const records = await loadDistributed(count, context);
  const results = [
    ...loadResults(count, records.load),
    ...(await benchSearches(count, records, context)),
    ...(await benchCharges(records, context)),
    ...(await benchAppends(records, context)),
    ...(await benchApiNodes(count, records, context)),
  ];
  await records.postgres.stop();
  return results;
};

/** Of the run that loaded them, where they were kept. */
function loadResults(count: number, load: LoadFigures): readonly Result[] {
  const usage = {
    cpuSeconds: load.ownCpuSeconds + load.postgresCpuSeconds,
    memoryBytes: load.memoryBytes,
  };
  return [
    resultOf({
      work: 'new records, 1,000 at once, distributed stores',
      ours: { value: count / load.seconds, unit: 'records/s' },
      ...usage,
    }),
    resultOf({
      work: 'CPU time with PostgreSQL: a new record',
      ours: { value: (usage.cpuSeconds / count) * 1000, unit: 'ms' },
      ...usage,
    }),
  ];
}
