/**
 * Hostile clients: how long health and the lookups of another key take while one sends form bodies that are costly to parse, while
 * one key runs searches that are costly to match, while clients stop reading, and while they do it together; the memory of the server
 * for each client that stopped reading; and what checksums cost on lookups and scans. Latencies are p50 / p99 / max of the time
 * that the main thread of the server worked between request and answer, and in brackets of the time that passed for the client.
 * BENCH_RRSETS sets how many RRsets there are besides the hostile ones, BENCH_SECONDS how long each latency is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createUser, unlimitedPdns } from '../src/product/account/operate.ts';
import { openEmbeddedStores } from '../src/store/embedded/open-stores.ts';
import { appendHostileLines, appendProbedLine, probedName } from './data/hostile-lines.ts';
import { writeLines } from './data/pdns-lines.ts';
import {
  type End,
  formBodies,
  searches,
  stalledDownloads,
  stalledReaders,
} from './hostile/hostile-clients.ts';
import { type Latencies, probe, quantile, shown } from './hostile/latency.ts';
import { memoryNow, memoryReporting } from './hostile/server-memory.ts';
import { measureChecksumCost } from './pdns-checksum.ts';
import { measure, type Started, start } from './process-under-test.ts';
import { want } from './want.ts';

const rrsets = Number(process.env['BENCH_RRSETS'] ?? 100_000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 15);
const hostileRecords = 4000;
const readersMax = 500;
const keysOfReaders = 16;
const latencyMax = 100;
const heldKibMax = 256;
const channelBytes = 32 << 20;

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const data = join(directory, 'data');
  try {
    const lines = join(directory, 'lines.ndjson');
    await writeLines(lines, rrsets);
    appendHostileLines(lines, hostileRecords);
    appendProbedLine(lines);
    const importing = ['import', 'rrsets', lines, '--format', 'cof', '--history', '--data', data];
    await measure(process.execPath, ['src/main.ts', ...importing]);
    const keys = await createKeys(data);
    process.env['MEMORY_REPORT'] = join(directory, 'memory');
    const serve = ['src/main.ts', 'serve', '--port', '0', '--data', data, '--set', 'log.level=error'];
    const server = await start([...memoryReporting, ...serve]);
    try {
      await measureAll(server, keys);
    } finally {
      server.child.kill();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  await showChecksumCost();
}

interface Keys {
  readonly probe: string;
  readonly searcher: string;
  readonly readers: readonly string[];
  /** The request of a channel with more data than the system buffers. */
  readonly download: object;
}

async function createKeys(data: string): Promise<Keys> {
  const clock = { now: () => Date.now() };
  const stores = openEmbeddedStores({ data, clock });
  const create = (username: string) => {
    const request = { username, permissions: ['read'], channels: 'all', pdns: unlimitedPdns } as const;
    return createUser(request, { accounts: stores.accounts, clock });
  };
  const createKey = async (username: string) => (await create(username)).apiKey;
  const minuteMs = Math.floor(clock.now() / 60_000) * 60_000;
  const line = Buffer.from(`{"message":{"domain":"example.com.","pad":"${'x'.repeat(200)}"}}\n`);
  const bytes = Buffer.alloc(line.length * Math.floor(channelBytes / line.length), line);
  await stores.streams.append([{ stream: 'ch204', bytes }], minuteMs);
  const { batchKey } = await create('downloader');
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const range = { start_time: time(minuteMs), end_time: time(minuteMs + 60_000) };
  const keys = {
    probe: await createKey('probe'),
    searcher: await createKey('searcher'),
    readers: await Promise.all(
      Array.from({ length: keysOfReaders }, (_, index) => createKey(`reader${index}`)),
    ),
    download: { apikey: batchKey, channel: 204, ...range },
  };
  await stores.close();
  return keys;
}

async function measureAll(server: Started, keys: Keys): Promise<void> {
  const { url } = server;
  // A parameter without effect bypasses the cache of answers.
  const probed = {
    url,
    pid: server.child.pid,
    key: keys.probe,
    path: `/pdns/v2/lookup/rrset/name/${probedName}?humantime=f`,
  };
  const during = async (
    what: string,
    begin: () => readonly End[],
    beforeEnd: () => Promise<void> = async () => undefined,
  ): Promise<Latencies> => {
    const ends = begin();
    try {
      const latencies = await probe(probed, seconds);
      console.log(`${what}: health ${shown(latencies.health)} ms, lookup ${shown(latencies.lookup)} ms`);
      await beforeEnd();
      return latencies;
    } finally {
      for (const end of ends) end();
      await pause(1000);
    }
  };
  const stalled = async (what: string, count: number, begin: () => End): Promise<void> => {
    const before = await memoryNow(server);
    const latencies = await during(
      `${count} stalled ${what}`,
      () => [begin()],
      async () => {
        const { heldMb, residentMb } = await memoryNow(server);
        const resident = ((residentMb - before.residentMb) / count) * 1024;
        console.log(`resident memory grew by ${resident.toFixed(0)} KiB for each, with garbage`);
        const held = ((heldMb - before.heldMb) / count) * 1024;
        // With few readers, most of it are the buffers that all scans share.
        if (count < readersMax) console.log(`${held.toFixed(0)} KiB held for each`);
        else want(`KiB held for each of ${count} ${what}`, held, '<=', heldKibMax);
      },
    );
    judged(`${count} stalled ${what}`, latencies);
  };

  // Caches fill once, whatever is read.
  await during('warming up', () => [
    searches(url, keys.searcher, 2),
    stalledReaders(url, keys.readers, keysOfReaders),
  ]);
  await during('idle', () => []);
  judged(
    'form bodies of 1 MB without a key',
    await during('form bodies of 1 MB without a key', () => [formBodies(url)]),
  );
  await during('8 hostile searches', () => [searches(url, keys.searcher, 8)]);
  judged(
    '32 hostile searches',
    await during('32 hostile searches', () => [searches(url, keys.searcher, 32)]),
  );
  for (const count of [50, 200, readersMax])
    await stalled('readers', count, () => stalledReaders(url, keys.readers, count));
  await stalled('downloads', readersMax, () => stalledDownloads(url, keys.download, readersMax));
  const both = await during('both', () => [
    searches(url, keys.searcher, 32),
    stalledReaders(url, keys.readers, readersMax),
  ]);
  judged('32 hostile searches and 500 stalled readers', both);
}

function judged(what: string, { health, lookup }: Latencies): void {
  want(`p99 of health in ms with ${what}`, quantile(health, 0.99), '<=', latencyMax);
  want(`p99 of a lookup in ms with ${what}`, quantile(lookup, 0.99), '<=', latencyMax);
}

async function showChecksumCost(): Promise<void> {
  const cost = await measureChecksumCost();
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  console.log(
    `checksums: ${cost.microsecondsPerBlock.toFixed(2)} µs a block; ${percent(cost.partOfScan)} of a scan ` +
      `(${Math.round(cost.scannedRowsPerSecond).toLocaleString('en')} rows/s); ${percent(cost.partOfUncachedLookup)} of a lookup ` +
      `without cache (${cost.uncachedLookupMicroseconds.toFixed(0)} µs), nothing of one from the cache (${cost.cachedLookupMicroseconds.toFixed(0)} µs)`,
  );
}
