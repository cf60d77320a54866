/**
 * Charges per second of the limits engine, against the least that a durable counter can cost: one UPDATE in a transaction of
 * its own on the same engine and disk. How the cost grows with ten times the accounts, and with ten times the width of a limit.
 */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openUsageStore } from '../src/store/embedded/usage-store.ts';
import { type Charges, chargeAll } from './data/charges.ts';
import { type Bench, resultOf } from './harness/benchmark.ts';
import { interleave } from './harness/interleave.ts';
import { ownUsage } from './harness/usage.ts';

const together = 32;
const width = 1_000_000;

export const bench: Bench = async ({ directory, sized, after }) => {
  const usage = openUsageStore(directory);
  after(() => usage.close());
  const count = sized({ tiny: 640, small: 6400, full: 19_200 });
  const base: Charges = { name: 'base', width, accounts: 100, count, together };
  const perSecond = async (charges: Charges) => {
    const used = await ownUsage(() => chargeAll(usage, charges));
    return { ...used, value: count / used.seconds };
  };
  await perSecond({ ...base, name: 'warm' });
  const bare = bareCounter(directory);
  const rate = await interleave(sized({ tiny: 1, small: 3, full: 5 }), {
    ours: () => perSecond(base),
    peer: async () => bare(count),
  });
  const many = await perSecond({ ...base, name: 'many', accounts: 1000 });
  const wide = await perSecond({ ...base, name: 'wide', width: 10 * width });
  const { cpuSeconds, memoryBytes } = rate;
  return [
    resultOf({
      work: `charges of two limits and a tally, ${together} at once`,
      ours: { value: rate.ours, unit: 'charges/s' },
      peer: { name: 'UPDATE of a counter', value: rate.peer, unit: 'charges/s' },
      ratio: rate.ratio,
      growthAt10x: rate.ours / many.value,
      cpuSeconds,
      memoryBytes,
    }),
    resultOf({
      work: 'charges, limits ten times as wide',
      ours: { value: wide.value, unit: 'charges/s' },
      peer: { name: 'the narrower limits', value: rate.ours, unit: 'charges/s' },
      cpuSeconds: wide.cpuSeconds,
      memoryBytes: wide.memoryBytes,
    }),
  ];
};

/** Gives what raises a counter as often as wanted, in updates a second. */
function bareCounter(directory: string): (count: number) => number {
  const database = new Sqlite(join(directory, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = normal');
  database.exec(
    'create table counter (id integer primary key, used integer not null); insert into counter values (1, 0)',
  );
  const raise = database.prepare('update counter set used = used + 1 where id = 1 and used < 1000000000');
  return (count) => {
    const began = performance.now();
    for (let done = 0; done < count; done += 1) raise.run();
    return count / ((performance.now() - began) / 1000);
  };
}
