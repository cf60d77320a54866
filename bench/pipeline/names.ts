/**
 * Names from a list on their whole way: intake, store of names, feed of discoveries, matcher, lists, every stage durable and all of them
 * at once, as in a server. Against it a bare loop that does no more than it must: parse a line, insert a row, commit as often.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { openNameIntake } from '../../src/collect/sources/name-intake.ts';
import { createNameListSource } from '../../src/collect/sources/name-lists/name-list-source.ts';
import { Mutex } from '../../src/concurrency/mutex.ts';
import { ActiveMonitorSearch } from '../../src/pipeline/discovery/active-monitor-search.ts';
import {
  type DiscoveredCounts,
  type DiscoverNeeds,
  discoverNames,
} from '../../src/pipeline/discovery/discover-names.ts';
import { ThreadedNameSearch } from '../../src/pipeline/discovery/threaded-name-search.ts';
import { publishDiscoveries } from '../../src/pipeline/publishing/publish-discoveries.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import type { Stores } from '../../src/stores.ts';
import { madeNames, newNames } from '../data/known-names.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { longestPauseMs, pauseResult } from '../harness/longest-pause.ts';
import { ownUsage, type Used } from '../harness/usage.ts';

const monitors = 100;
const pollMs = 50;
/** As the source of lists takes them. */
const committedNames = 5000;
const clock = { now: () => Date.now() };
function termsFrom(names: readonly string[]): string[] {
  const labels = new Set(names.map((name) => /^[a-z]{7,12}(?=\.|-)/.exec(name)?.[0] ?? ''));
  labels.delete('');
  const usable = [...labels, ...Array.from({ length: monitors }, (_, index) => `brandterm${index}x`)];
  const step = Math.max(1, Math.floor(usable.length / monitors));
  return Array.from({ length: monitors }, (_, index) => usable[index * step] as string);
}

/** Again and again, as a server does it more slowly, and once more when nothing more can come. */
async function follow(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  for (let last = false; !last; await pause(pollMs)) {
    last = isOver();
    await work();
  }
}

interface Measured {
  readonly used: Used<void>;
  readonly pauseMs: number;
}

async function discoverAll(directory: string, names: readonly string[]): Promise<Measured> {
  mkdirSync(directory);
  const stores = openEmbeddedStores({ data: directory, clock });
  const searcher = new ThreadedNameSearch();
  try {
    for (const term of termsFrom(names)) {
      const monitor = { term, matchSubstringVariations: false, nameserverExclusions: [], textExclusions: [] };
      await stores.monitors.createMonitor('bench', monitor, { username: 'bench', atMs: clock.now() });
    }
    const monitorSearch = new ActiveMonitorSearch({ monitors: stores.monitors, search: searcher });
    const needs = { ...stores, clock, searcher, monitorSearch, factsMutex: new Mutex() };
    const list = (name: string, lines: readonly string[]) => {
      const file = join(directory, name);
      writeFileSync(file, `${lines.join('\n')}\n`);
      return file;
    };
    // Worker threads start on first use.
    await passOn(list('first.txt', ['first-of-all.com']), directory, needs);
    const file = list('names.txt', names);
    let [pauseMs, published] = [0, 0];
    const used = await ownUsage(async () => {
      pauseMs = await longestPauseMs(async () => {
        ({ published } = await passOn(file, directory, needs));
      });
    });
    if (published === 0) throw new Error('nothing was published');
    return { used, pauseMs };
  } finally {
    await searcher.close();
    await stores.close();
  }
}

/** All stages, until every name of the list has come to its end. */
async function passOn(
  file: string,
  directory: string,
  needs: DiscoverNeeds & Pick<Stores, 'names' | 'streams'>,
): Promise<{ readonly published: number; readonly discovered: number }> {
  let [isIngested, isPublished, published, discovered] = [false, false, 0, 0];
  const onDiscovered = (counts: DiscoveredCounts) => {
    discovered += counts.discovered;
  };
  const ingest = async () => {
    await takeList(file, directory, needs);
    isIngested = true;
  };
  const publish = async () => {
    await follow(
      () => isIngested,
      async () => {
        published += await publishDiscoveries(needs);
      },
    );
    isPublished = true;
  };
  const discover = () =>
    follow(
      () => isPublished,
      () => discoverNames('domaindiscovery', { ...needs, onDiscovered }),
    );
  await Promise.all([ingest(), publish(), discover()]);
  return { published, discovered };
}

async function takeList(
  file: string,
  directory: string,
  stores: Pick<Stores, 'names' | 'streams'>,
): Promise<void> {
  const noDialer = { send: () => Promise.reject(new Error('the list is on this machine')) };
  const settings = { sources: { pollSeconds: 1 } };
  const source = createNameListSource(
    { name: basename(file, '.txt'), location: file },
    { dialer: noDialer, directory, clock, settings },
  );
  await source.poll(openNameIntake({ ...stores, clock }), new AbortController().signal);
}

/** The same names as lines of JSON, into one table. */
function bareSeconds(path: string, names: readonly string[]): number {
  const lines = names.map((domain) => JSON.stringify({ timestamp: '2026-03-04T10:00:00Z', domain }));
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = full');
  database.exec('create table name (name text primary key) strict, without rowid');
  const insert = database.prepare('insert or ignore into name values (?)');
  const began = performance.now();
  for (let at = 0; at < lines.length; at += committedNames) {
    database.transaction(() => {
      for (const line of lines.slice(at, at + committedNames))
        insert.run((JSON.parse(line) as { domain: string }).domain);
    })();
  }
  const seconds = (performance.now() - began) / 1000;
  database.close();
  return seconds;
}

export async function benchNames({ directory, size, sized }: BenchContext): Promise<readonly Result[]> {
  const count = sized({ tiny: 2000, small: 30_000, full: 300_000 });
  const namesFor = size === 'tiny' ? madeNames : newNames;
  const lesser = await discoverAll(join(directory, 'fewer-names'), namesFor(count / 10));
  const names = namesFor(count);
  const bare = bareSeconds(join(directory, 'bare.db'), names);
  const { used, pauseMs } = await discoverAll(join(directory, 'names'), names);
  const work = `${count.toLocaleString('en')} names of a list through discovery, ${monitors} monitors`;
  return [
    resultOf({
      work,
      ours: { value: names.length / used.seconds, unit: 'names/s' },
      peer: { name: 'JSON into one SQLite table', value: names.length / bare, unit: 'names/s' },
      wanted: { ours: { atLeast: 20_000 }, growthAt10x: { atMost: 1.3 } },
      growthAt10x: used.seconds / (10 * lesser.used.seconds),
      cpuSeconds: used.cpuSeconds,
      memoryBytes: used.memoryBytes,
    }),
    pauseResult(work, pauseMs, used),
  ];
}
