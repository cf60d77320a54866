/**
 * Names from a list on their whole way: intake, store of names, feed of discoveries, matcher, lists, every stage durable and all of them
 * at once, as in a server. Against it a bare loop that does no more than it must: parse a line, insert a row, commit as often.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
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
import { longestPauseMs } from '../longest-pause.ts';
import { want } from '../want.ts';

const shared = join(import.meta.dirname, '../../../shared/data/names/newly-registered.tsv.gz');
const lesserNames = Number(process.env['BENCH_NAMES'] ?? 30_000);
const monitors = 100;
const lf = 10;
const pollMs = 50;
/** As the source of lists takes them. */
const committedNames = 5000;
const clock = { now: () => Date.now() };
const words = [
  'lotus',
  'harbor',
  'violet',
  'summit',
  'meadow',
  'copper',
  'falcon',
  'garnet',
  'timber',
  'willow',
];

/** Real ones where there are any, evenly spread over their list; made of words otherwise. */
export function namesFor(count: number): string[] {
  if (!existsSync(shared)) return Array.from({ length: count }, (_, index) => madeName(index));
  const bytes = gunzipSync(readFileSync(shared));
  const names: string[] = [];
  // Only as many as needed: garbage collection would visit the rest again and again while we measure.
  for (let index = 0; index < count; index += 1) {
    const at = bytes.indexOf(lf, Math.floor((bytes.length / count) * index)) + 1;
    const line = bytes.toString('latin1', at, Math.max(at, bytes.indexOf(lf, at)));
    if (line !== '') names.push(line.split('\t')[0] as string);
  }
  return names;
}

function madeName(index: number): string {
  // An odd factor: neighbours are strangers.
  const number = Math.imul(index, 2_654_435_761) >>> 0;
  return `${words[number % 10]}-${number.toString(36)}${words[(number >>> 8) % 10]}.com`;
}

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
  readonly seconds: number;
  readonly published: number;
  readonly discovered: number;
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
    const began = performance.now();
    let passed = { published: 0, discovered: 0 };
    const pauseMs = await longestPauseMs(async () => {
      passed = await passOn(file, directory, needs);
    });
    return { seconds: (performance.now() - began) / 1000, ...passed, pauseMs };
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

export async function benchNames(directory: string): Promise<void> {
  console.log(
    `\nnames of a list through discovery with ${monitors} monitors; bare: parsed as JSON, into one table`,
  );
  const costs: number[] = [];
  for (const count of [lesserNames, 10 * lesserNames]) {
    const names = namesFor(count);
    const bare = bareSeconds(join(directory, `bare-${count}.db`), names);
    const { seconds, published, discovered, pauseMs } = await discoverAll(
      join(directory, `names-${count}`),
      names,
    );
    costs.push(seconds / names.length);
    const perSecond = Math.round(names.length / seconds);
    console.log(
      `${names.length.toLocaleString('en')} names: ${perSecond.toLocaleString('en')}/s, ` +
        `${(bare / seconds).toFixed(2)} of bare (${Math.round(names.length / bare).toLocaleString('en')}/s); ` +
        `${published.toLocaleString('en')} published, ${discovered.toLocaleString('en')} on lists; ` +
        `longest pause of the event loop ${pauseMs.toFixed(0)} ms`,
    );
  }
  const [lesser = 0, greater = 0] = costs;
  want('thousand names a second', 1 / greater / 1000, '>=', 20);
  want('ten times the names: each costs ×', greater / lesser, '<=', 1.3);
}
