/**
 * Passive DNS at two sizes, ten times apart: importing against GNU sort on the same lines, lookups over HTTP against a bare
 * Fastify route that sends the same bytes, a stream of a million rows, a search by pattern, memory, and bytes on disk.
 * BENCH_RRSETS sets the greater size.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { nameText } from '../src/model/dns/name.ts';
import { openRrsetStore } from '../src/store/embedded/rrset-store.ts';
import { writeLines } from './data/pdns-lines.ts';
import { measure, memoryOf, type Started, start } from './process-under-test.ts';
import { want } from './want.ts';

const greatest = Number(process.env['BENCH_RRSETS'] ?? 5_000_000);
const rowsWanted = 5;
const namesQueried = 2000;
const rounds = 3;
const secondsPerRound = 4;
/** Code is compiled to the end only after some ten thousand requests. */
const warmUpSeconds = 10;
const memoryMax = 512;

interface Figures {
  readonly lookupMs: number;
  readonly importMicroseconds: number;
  readonly rowsPerSecond: number;
  readonly searchMs: number;
}

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  try {
    const lesser = await measureSize(directory, Math.round(greatest / 10));
    const greater = await measureSize(directory, greatest);
    const growth = (name: keyof Figures) => (greater[name] / lesser[name]).toFixed(2);
    console.log(`\nfrom ${(greatest / 10).toLocaleString('en')} to ${greatest.toLocaleString('en')} RRsets:`);
    want('lookup time grows by', greater.lookupMs / lesser.lookupMs, '<=', 1.3);
    console.log(`import time per RRset × ${growth('importMicroseconds')}`);
    console.log(
      `rows a second of a stream × ${growth('rowsPerSecond')}, time of a search × ${growth('searchMs')}`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureSize(directory: string, size: number): Promise<Figures> {
  const lines = join(directory, 'lines.ndjson');
  const data = join(directory, `data-${size}`);
  await writeLines(lines, size);
  console.log(`\n${size.toLocaleString('en')} lines, ${(statSync(lines).size / 1e6).toFixed(0)} MB`);

  const sorted = await measure('sort', ['-S', '1G', '-o', join(directory, 'sorted'), lines]);
  const imported = await measure(process.execPath, [
    'src/main.ts',
    'import',
    'rrsets',
    lines,
    '--format',
    'cof',
    '--history',
    '--data',
    data,
  ]);
  console.log(
    `sort ${sorted.seconds.toFixed(1)} s, import ${imported.seconds.toFixed(1)} s (merged and durable), ` +
      `${Math.round(size / imported.seconds).toLocaleString('en')} observations/s`,
  );
  const ratio = imported.seconds / sorted.seconds;
  if (size === greatest) want('import against sort', ratio, '<=', 4);
  else console.log(`import against sort ${ratio.toFixed(2)}, the start of the program included`);
  want('memory of the import in MB', imported.memory, '<=', memoryMax);
  rmSync(join(directory, 'sorted'));

  const names = await describeStore(data);
  const ours = await start([
    'src/main.ts',
    'serve',
    '--demo',
    '--port',
    '0',
    '--data',
    data,
    '--set',
    'log.level=error',
  ]);
  try {
    const lookupMs = await measureLookups(ours, names);
    const rowsPerSecond = await measureStream(ours);
    const searchMs = await measureSearch(ours);
    want('memory of the server in MB', memoryOf(ours.child), '<=', memoryMax);
    return { lookupMs, importMicroseconds: (imported.seconds / size) * 1e6, rowsPerSecond, searchMs };
  } finally {
    ours.child.kill();
  }
}

/** Prints what is on disk; gives names with five RRsets each from all over the store. */
async function describeStore(data: string): Promise<string[]> {
  const store = openRrsetStore(data, { now: () => Date.now() });
  const { rrsets, bytes, segments } = await store.statistics();
  console.log(
    `${rrsets.toLocaleString('en')} RRsets in ${segments} segments, ${(bytes / rrsets).toFixed(0)} bytes on disk for each, indexes included`,
  );
  const found: string[] = [];
  let owner = '';
  let rows = 0;
  const all = store.scan({
    selection: { by: 'owner', name: new Uint8Array(1), span: 'below' },
    filter: { matchesType: () => true, fences: {} },
    merged: true,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  for await (const slice of all) {
    for (const row of slice) {
      const name = nameText(row.owner);
      if (name !== owner && rows === rowsWanted) found.push(owner);
      rows = name === owner ? rows + 1 : 1;
      owner = name;
    }
  }
  await store.close();
  const step = Math.max(1, Math.floor(found.length / namesQueried));
  return found.filter((_, index) => index % step === 0).slice(0, namesQueried);
}

async function measureLookups({ url, key }: Started, names: readonly string[]): Promise<number> {
  const headers = { 'x-api-key': key, accept: 'application/x-ndjson' };
  const paths = names.map((name) => `/pdns/v2/lookup/rrset/name/${name}`);
  const body = await (await fetch(url + paths[0], { headers })).text();
  const bare = await start(['bench/peers/bare-server.ts', body, '/pdns/v2/lookup/rrset/name/:name']);
  try {
    const requests = paths.map((path) => ({ path }));
    const load = async (
      at: string,
      asked: readonly { path: string }[],
      connections: number,
      duration: number,
    ) => {
      const result = await autocannon({ url: at, headers, connections, duration, requests: [...asked] });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
      return result;
    };
    await load(bare.url, requests, 32, warmUpSeconds);
    await load(url, requests, 32, warmUpSeconds);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const peer = await load(bare.url, requests, 32, secondsPerRound);
      const own = await load(url, requests, 32, secondsPerRound);
      ratios.push(own.requests.average / peer.requests.average);
      console.log(
        `round ${round}: bare ${Math.round(peer.requests.average)}/s, lookups ${Math.round(own.requests.average)}/s ` +
          `(${names.length} names, ${rowsWanted} rows, ${body.length} bytes), p50 ${own.latency.p50} ms, p99 ${own.latency.p99} ms`,
      );
    }
    want(
      'lookups of names that are asked again and again, against the bare route',
      ratios.sort((left, right) => left - right)[1] ?? 0,
      '>=',
      0.5,
    );
    // A parameter without effect bypasses the cache of answers, so each of these lookups searches.
    const fresh = requests.map(({ path }) => ({ path: `${path}?humantime=f` }));
    await load(url, fresh, 32, warmUpSeconds);
    const peer = await load(bare.url, requests, 32, secondsPerRound);
    const searched = await load(url, fresh, 32, secondsPerRound);
    console.log(
      `lookups that are searched for each time ${Math.round(searched.requests.average)}/s, ` +
        `${(searched.requests.average / peer.requests.average).toFixed(2)} of the bare route`,
    );
    const alone = await load(url, fresh, 1, secondsPerRound);
    const lookupMs = 1000 / alone.requests.average;
    console.log(`one after another: ${lookupMs.toFixed(3)} ms a lookup`);
    return lookupMs;
  } finally {
    bare.child.kill();
  }
}

/** One answer of as many rows as there are, up to a million. */
async function measureStream({ url, key }: Started): Promise<number> {
  const began = performance.now();
  const path = '/pdns/v2/lookup/rrset/name/*.com?limit=0';
  const response = await fetch(url + path, { headers: { 'x-api-key': key, accept: 'application/x-ndjson' } });
  let rows = 0;
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const piece = chunk as Uint8Array;
    bytes += piece.length;
    for (const byte of piece) if (byte === 10) rows += 1;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `a stream of ${rows.toLocaleString('en')} rows: ${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
  );
  return rows / seconds;
}

async function measureSearch({ url, key }: Started): Promise<number> {
  const headers = { 'x-api-key': key };
  const times: number[] = [];
  for (const pattern of ['paypal', '(login|secure).*bank', 'qzx[0-9]+\\.']) {
    const began = performance.now();
    const text = await (
      await fetch(`${url}/pdns/v2/regex/rrnames/${encodeURIComponent(pattern)}`, { headers })
    ).text();
    times.push(performance.now() - began);
    console.log(
      `regex ${pattern}: ${text.split('\n').length - 3} names in ${(times.at(-1) ?? 0).toFixed(0)} ms`,
    );
  }
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}
