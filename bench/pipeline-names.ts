/**
 * Names from a list on their whole way: intake, store of names, feed of discoveries, matcher, lists, every stage durable and all of them
 * at once, as in a server. Against it a bare loop that does no more than it must: parse a line, insert a row, commit as often.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import {
  type DiscoverNeeds,
  discoverNames,
  type TakenCounts,
} from '../src/collect/discovery/discover-names.ts';
import { NameSearcher } from '../src/collect/discovery/name-searcher.ts';
import { StandingSearch } from '../src/collect/discovery/standing-search.ts';
import { Turns } from '../src/collect/discovery/turns.ts';
import { openNameIntake } from '../src/collect/sources/name-intake.ts';
import { createNameListSource } from '../src/collect/sources/name-lists/name-list-source.ts';
import { tellDiscoveries } from '../src/collect/sources/tell-discoveries.ts';
import { openDomainStore } from '../src/store/embedded/domain-store.ts';
import { openJobStore } from '../src/store/embedded/job-store.ts';
import { openNameStore } from '../src/store/embedded/name-store.ts';
import { openStreamStore } from '../src/store/embedded/stream-store.ts';
import { openWatchlistStore } from '../src/store/embedded/watchlist-store.ts';
import { longestPauseMs } from './longest-pause.ts';
import { want } from './want.ts';

const shared = join(import.meta.dirname, '../../shared/data/names/newly-registered.tsv.gz');
const lesserNames = Number(process.env['BENCH_NAMES'] ?? 30_000);
const monitors = 100;
const lf = 10;
const lookMs = 50;
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
function namesFor(count: number): string[] {
  if (!existsSync(shared)) return Array.from({ length: count }, (_, index) => madeName(index));
  const bytes = gunzipSync(readFileSync(shared));
  const names: string[] = [];
  // Not more of them than are wanted: what lies in memory is looked at again and again while we measure.
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

function openStores(directory: string) {
  return {
    names: openNameStore(directory),
    streams: openStreamStore(directory),
    domains: openDomainStore(directory, clock),
    watchlist: openWatchlistStore(directory),
    jobs: openJobStore(directory),
  };
}

/** Again and again, as a server does it more slowly, and once more when nothing more can come. */
async function follow(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  for (let last = false; !last; await pause(lookMs)) {
    last = isOver();
    await work();
  }
}

interface Measured {
  readonly seconds: number;
  readonly told: number;
  readonly discovered: number;
  readonly pauseMs: number;
}

async function discoverAll(directory: string, names: readonly string[]): Promise<Measured> {
  mkdirSync(directory);
  const stores = openStores(directory);
  const searcher = new NameSearcher();
  try {
    for (const term of termsFrom(names)) {
      const monitor = { term, matchSubstringVariations: false, nameserverExclusions: [], textExclusions: [] };
      await stores.watchlist.createMonitor('bench', monitor, { username: 'bench', atMs: clock.now() });
    }
    const standing = new StandingSearch({ watchlist: stores.watchlist, search: searcher });
    const needs = { ...stores, clock, searcher, standing, factTurns: new Turns() };
    const list = (name: string, lines: readonly string[]) => {
      const file = join(directory, name);
      writeFileSync(file, `${lines.join('\n')}\n`);
      return file;
    };
    // Threads are started by whoever needs them first.
    await passOn(list('first.txt', ['first-of-all.com']), directory, needs);
    const file = list('names.txt', names);
    const began = performance.now();
    let passed = { told: 0, discovered: 0 };
    const pauseMs = await longestPauseMs(async () => {
      passed = await passOn(file, directory, needs);
    });
    return { seconds: (performance.now() - began) / 1000, ...passed, pauseMs };
  } finally {
    await searcher.close();
    for (const store of Object.values(stores)) await store.close();
  }
}

/** All stages, until every name of the list has come to its end. */
async function passOn(
  file: string,
  directory: string,
  needs: DiscoverNeeds & Pick<ReturnType<typeof openStores>, 'names' | 'streams'>,
): Promise<{ readonly told: number; readonly discovered: number }> {
  let [isTaken, isTold, told, discovered] = [false, false, 0, 0];
  const onTaken = (taken: TakenCounts) => {
    discovered += taken.discovered;
  };
  const take = async () => {
    await takeList(file, directory, needs);
    isTaken = true;
  };
  const tell = async () => {
    await follow(
      () => isTaken,
      async () => {
        told += await tellDiscoveries(needs);
      },
    );
    isTold = true;
  };
  const discover = () =>
    follow(
      () => isTold,
      () => discoverNames('domaindiscovery', { ...needs, onTaken }),
    );
  await Promise.all([take(), tell(), discover()]);
  return { told, discovered };
}

async function takeList(
  file: string,
  directory: string,
  stores: Pick<ReturnType<typeof openStores>, 'names' | 'streams'>,
): Promise<void> {
  const nobody = { send: () => Promise.reject(new Error('the list is on this machine')) };
  const settings = { sources: { pollSeconds: 1 } };
  const source = createNameListSource(
    { name: basename(file, '.txt'), location: file },
    { dialer: nobody, directory, clock, settings },
  );
  await source.advance(openNameIntake({ ...stores, clock }), new AbortController().signal);
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
    const { seconds, told, discovered, pauseMs } = await discoverAll(
      join(directory, `names-${count}`),
      names,
    );
    costs.push(seconds / names.length);
    const perSecond = Math.round(names.length / seconds);
    console.log(
      `${names.length.toLocaleString('en')} names: ${perSecond.toLocaleString('en')}/s, ` +
        `${(bare / seconds).toFixed(2)} of bare (${Math.round(names.length / bare).toLocaleString('en')}/s); ` +
        `${told.toLocaleString('en')} told, ${discovered.toLocaleString('en')} on lists; ` +
        `longest pause of the event loop ${pauseMs.toFixed(0)} ms`,
    );
  }
  const [lesser = 0, greater = 0] = costs;
  want('thousand names a second', 1 / greater / 1000, '>=', 20);
  want('ten times the names: each costs ×', greater / lesser, '<=', 1.3);
}
