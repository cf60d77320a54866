/**
 * The first search for a new monitor over all names that are known, through the real stores: the stream of names is read, matched in
 * its thread, and what is found becomes durable. Without the shared data there is nothing to measure.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Mutex } from '../src/concurrency/mutex.ts';
import { namesStream } from '../src/model/stream-names.ts';
import { searchKnownNames } from '../src/pipeline/discovery/search-known-names.ts';
import { ThreadedNameSearch } from '../src/pipeline/discovery/threaded-name-search.ts';
import { openEmbeddedStores } from '../src/store/embedded/open-stores.ts';
import { want } from './want.ts';

const data = join(import.meta.dirname, '../../shared/data/names');
const files = ['newly-registered.tsv.gz', 'popular.tsv.gz'];
const appendedNames = 100_000;
const clock = { now: () => Date.now() };

function readNames(): string[] {
  return files.flatMap((file) =>
    gunzipSync(readFileSync(join(data, file)))
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0] as string),
  );
}

export async function bench(): Promise<void> {
  if (!existsSync(data)) {
    console.log('skipped: no shared data');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const stores = openEmbeddedStores({ data: directory, clock });
  const search = new ThreadedNameSearch();
  try {
    const names = readNames();
    for (let at = 0; at < names.length; at += appendedNames) {
      const bytes = Buffer.from(`${names.slice(at, at + appendedNames).join('\n')}\n`);
      await stores.streams.append([{ stream: namesStream, bytes }], clock.now());
    }
    console.log(`${names.length.toLocaleString('en')} known names`);
    for (const matchSubstringVariations of [false, true]) {
      const settings = {
        term: 'paypal',
        matchSubstringVariations,
        nameserverExclusions: [],
        textExclusions: [],
      };
      const account = matchSubstringVariations ? 'with' : 'without';
      await stores.monitors.createMonitor(account, settings, { username: 'bench', atMs: clock.now() });
      let found = 0;
      let longestMs = 0;
      let last = performance.now();
      const watch = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last - 5);
        last = performance.now();
      }, 5);
      const began = performance.now();
      const needs = { ...stores, clock, search, factsMutex: new Mutex() };
      await searchKnownNames({ ...needs, onFound: ({ discovered }) => void (found = discovered) });
      const seconds = (performance.now() - began) / 1000;
      clearInterval(watch);
      console.log(
        `${account} variations inside labels: ${found.toLocaleString('en')} domains found, ` +
          `${Math.round(names.length / seconds).toLocaleString('en')} names/s, ` +
          `longest pause of the event loop ${longestMs.toFixed(0)} ms`,
      );
      want('  seconds', seconds, '<=', 10);
    }
  } finally {
    await search.close();
    await stores.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
