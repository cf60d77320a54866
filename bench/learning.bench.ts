/**
 * What suggestions are worth in the following month. Two teams watch the brands of the simulated Internet through the real stores; both decide about
 * everything for a month. Then one of them accepts all that the product suggests, and both go on. What the other one has on its list
 * and this one has not was left out by the accepted suggestions: rightly where the analyst would have ignored it.
 */
import { join } from 'node:path';
import { Mutex } from '../src/concurrency/mutex.ts';
import { ActiveMonitorSearch } from '../src/pipeline/discovery/active-monitor-search.ts';
import { followRecords } from '../src/pipeline/discovery/follow-records.ts';
import { ThreadedNameSearch } from '../src/pipeline/discovery/threaded-name-search.ts';
import { openEmbeddedStores } from '../src/store/embedded/open-stores.ts';
import { type Bench, type BenchContext, resultOf } from './harness/benchmark.ts';
import { ownUsage } from './harness/usage.ts';
import { SimulatedDays } from './learning/simulated-days.ts';
import { SimulatedTeam } from './learning/simulated-team.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');
const seed = 26;
const eventsPerHour = 40;

interface Learned {
  readonly accepted: readonly string[];
  /** In the following month, by what the analyst who sees everything thinks of them. */
  readonly ignorable: number;
  readonly crews: number;
  /** Of these, those that crews bought from parkers: parked at first. */
  readonly bought: number;
  readonly leftOutIgnorable: number;
  readonly leftOutCrews: number;
}

export const bench: Bench = async (context) => {
  const days = context.sized({ tiny: 9, small: 30, full: 30 });
  const used = await ownUsage(() => learn(days, context));
  const { accepted, ignorable, crews, bought, leftOutIgnorable, leftOutCrews } = used.value;
  const usage = { cpuSeconds: used.cpuSeconds, memoryBytes: used.memoryBytes };
  const leftOut = leftOutIgnorable + leftOutCrews;
  if (accepted.length === 0 || leftOut === 0) throw new Error('nothing was suggested, or nothing left out');
  const of = `in ${days} days after ${accepted.length} accepted suggestions`;
  return [
    resultOf({
      work: `precision of what was left out ${of} (${leftOut} domains)`,
      ours: { value: (100 * leftOutIgnorable) / leftOut, unit: '%' },
      wanted: { ours: { atLeast: 97 } },
      ...usage,
    }),
    resultOf({
      work: `decisions to ignore that were saved ${of} (of ${ignorable})`,
      ours: { value: (100 * leftOutIgnorable) / ignorable, unit: '%' },
      wanted: { ours: { atLeast: 80 } },
      ...usage,
    }),
    resultOf({
      work: `crews' lookalikes left out ${of} (of ${crews}, ${bought} bought from parkers)`,
      ours: { value: (100 * leftOutCrews) / crews, unit: '%' },
      wanted: { ours: { atMost: 0.5 } },
      ...usage,
    }),
  ];
};

async function learn(days: number, { directory, note }: BenchContext): Promise<Learned> {
  const world = new SimulatedDays(seed, startMs, eventsPerHour);
  const clock = { now: () => world.now() };
  const stores = openEmbeddedStores({ data: join(directory, 'learning'), clock });
  const search = new ThreadedNameSearch();
  try {
    const monitorSearch = new ActiveMonitorSearch({ monitors: stores.monitors, search });
    const needs = { ...stores, clock, monitorSearch, factsMutex: new Mutex() };
    const [learner, control] = [new SimulatedTeam('learner', stores), new SimulatedTeam('control', stores)];
    for (const team of [learner, control]) await team.watchBrands(clock.now());
    const pass = async () => {
      for (let day = 0; day < days; day += 1) {
        await stores.domains.upsert(await world.nextDay());
        await followRecords(needs);
        for (const team of [learner, control]) await team.decide(world.isCrews, clock.now());
      }
    };
    await pass();
    const before = new Set(control.decided.keys());
    const accepted = await learner.acceptSuggestions(clock.now());
    note(`${before.size} decisions, accepted: ${accepted.join(', ')}`);
    await pass();
    const later = [...control.decided.keys()].filter((domain) => !before.has(domain));
    const leftOut = later.filter((domain) => !learner.decided.has(domain));
    const crews = later.filter(world.isCrews).length;
    const leftOutCrews = leftOut.filter(world.isCrews).length;
    return {
      accepted,
      crews,
      bought: later.filter(world.isBought).length,
      leftOutCrews,
      ignorable: later.length - crews,
      leftOutIgnorable: leftOut.length - leftOutCrews,
    };
  } finally {
    await search.close();
    await stores.close();
  }
}
