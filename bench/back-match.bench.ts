/**
 * The first search for a new monitor over all names that are known, through the real stores: the stream of names is read, matched in
 * its thread, and what is found becomes durable. Against GNU grep that searches a file of the same names for the term.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mutex } from '../src/concurrency/mutex.ts';
import { namesStream } from '../src/model/stream-names.ts';
import { searchKnownNames } from '../src/pipeline/discovery/search-known-names.ts';
import { ThreadedNameSearch } from '../src/pipeline/discovery/threaded-name-search.ts';
import { openEmbeddedStores } from '../src/store/embedded/open-stores.ts';
import { madeNames, newNames, popularNames } from './data/known-names.ts';
import { type Bench, type BenchContext, resultOf } from './harness/benchmark.ts';
import { longestPauseMs, pauseResult } from './harness/longest-pause.ts';
import { ownUsage, type Used } from './harness/usage.ts';

const appendedNames = 100_000;
const clock = { now: () => Date.now() };

export const bench: Bench = async (context) => {
  const { size, sized, directory } = context;
  const count = sized({ tiny: 5000, small: 200_000, full: 3_000_000 });
  const names = size === 'tiny' ? madeNames(count) : [...newNames(count), ...popularNames()];
  const lesser = await search(names.slice(0, names.length / 10), context);
  const greater = await search(names, context);
  const file = join(directory, 'names');
  writeFileSync(file, `${names.join('\n')}\n`);
  const began = performance.now();
  spawnSync('grep', ['-c', 'paypal', file]);
  const grepSeconds = (performance.now() - began) / 1000;
  return greater.flatMap(({ used, pauseMs, isInside }, at) => {
    const work = `first search of a monitor over ${names.length.toLocaleString('en')} stored names${isInside ? ', also inside labels' : ''}`;
    return [
      resultOf({
        work,
        ours: { value: used.seconds, unit: 's' },
        peer: { name: 'grep', value: grepSeconds, unit: 's' },
        wanted: { ours: { atMost: 10 } },
        growthAt10x: used.seconds / (10 * (lesser[at]?.used.seconds ?? 0)),
        cpuSeconds: used.cpuSeconds,
        memoryBytes: used.memoryBytes,
      }),
      pauseResult(work, pauseMs, used),
    ];
  });
};

interface Searched {
  readonly used: Used<number>;
  readonly pauseMs: number;
  /** Whether variations inside labels were searched for. */
  readonly isInside: boolean;
}

async function search(names: readonly string[], { directory }: BenchContext): Promise<readonly Searched[]> {
  const stores = openEmbeddedStores({ data: join(directory, `known-${names.length}`), clock });
  const searcher = new ThreadedNameSearch();
  try {
    for (let at = 0; at < names.length; at += appendedNames) {
      const bytes = Buffer.from(`${names.slice(at, at + appendedNames).join('\n')}\n`);
      await stores.streams.append([{ stream: namesStream, bytes }], clock.now());
    }
    const searched: Searched[] = [];
    for (const isInside of [false, true]) {
      const settings = {
        term: 'paypal',
        matchSubstringVariations: isInside,
        nameserverExclusions: [],
        textExclusions: [],
      };
      const account = isInside ? 'with' : 'without';
      await stores.monitors.createMonitor(account, settings, { username: 'bench', atMs: clock.now() });
      const needs = { ...stores, clock, search: searcher, factsMutex: new Mutex(), onFound: () => undefined };
      const used = await ownUsage(() => longestPauseMs(() => searchKnownNames(needs)));
      searched.push({ used, pauseMs: used.value, isInside });
    }
    return searched;
  } finally {
    await searcher.close();
    await stores.close();
  }
}
