/**
 * Streams: how fast lines become durable, against bare writes and syncs of the same bytes; downloads of a channel against nginx
 * serving the same bytes as a file; what a poll costs that finds nothing new; and how all of that grows with ten times the data.
 * BENCH_STREAM_MB sets the size of the download.
 */
import { execFile } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openStreamStore } from '../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../src/store/stream-store.ts';
import { startNginx } from './peers/nginx.ts';
import { memoryOf, type Started, start } from './process-under-test.ts';
import { want } from './want.ts';

const megabytes = Number(process.env['BENCH_STREAM_MB'] ?? 512);
const minuteMs = 60_000;
const lineBytes = 256;
const rounds = 5;
const batchKey = '0d0e6b4e-6c3c-4f4e-9d52-5c6f3f0c9a11';
const run = promisify(execFile);

function linesOf(bytes: number, seed: number): Buffer {
  const head = `{"time":"2026-03-04 10:00:00.000000000","vname":"SIE","mname":"newdomain","message":{"domain":"`;
  const lines: string[] = [];
  for (let index = 0; index * lineBytes < bytes; index += 1) {
    const body = `${head}d${seed}-${index}.example."`;
    lines.push(`${body},"pad":"${'x'.repeat(lineBytes - body.length - 12)}"}}\n`);
  }
  return Buffer.from(lines.join(''));
}

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  try {
    await benchAppends(directory);
    await benchDownloads(directory);
    await benchGrowth(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

/** The same pieces to one file, each synced: what the disk allows. */
function bareSeconds(path: string, piece: Buffer, count: number): number {
  const file = openSync(path, 'w');
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    writeSync(file, piece);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (performance.now() - began) / 1000;
}

async function benchAppends(directory: string): Promise<void> {
  const store = openStreamStore(join(directory, 'appends'));
  let nowMs = Date.now();
  const append = (bytes: Buffer, stream = 'ch204') => store.append([{ stream, bytes }], nowMs);
  await append(linesOf(lineBytes, 0));
  console.log('\nappends, durable when confirmed; bare: one file, write and fdatasync');
  for (const [what, bytes, count, writers] of [
    ['one line at a time', lineBytes, 300, 1],
    ['one line, 32 writers at once', lineBytes, 3200, 32],
    ['1 MB at a time', 1 << 20, 100, 1],
    ['1 MB, 4 writers at once', 1 << 20, 200, 4],
  ] as const) {
    const piece = linesOf(bytes, 1);
    const ratios: number[] = [];
    let perSecond = 0;
    for (let round = 0; round < 3; round += 1) {
      nowMs += minuteMs;
      const bare = bareSeconds(join(directory, 'bare'), piece, count);
      const began = performance.now();
      await Promise.all(
        Array.from({ length: writers }, async () => {
          for (let index = 0; index < count / writers; index += 1) await append(piece);
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      ratios.push(bare / seconds);
      perSecond = (count * (bytes / lineBytes)) / seconds;
    }
    console.log(
      `${what}: ${Math.round(perSecond).toLocaleString('en')} lines/s, ${median(ratios).toFixed(2)} of bare`,
    );
  }
  await store.close();
}

/** Minutes in a row, each with the same number of bytes; many are confirmed by one sync. */
async function fill(store: StreamStore, stream: string, minutes: number, bytes: number, endMs: number) {
  const pieces = Array.from({ length: 8 }, (_, seed) => linesOf(bytes, seed));
  for (let minute = 0; minute < minutes; minute += 64) {
    const together = Array.from({ length: Math.min(64, minutes - minute) }, (_, index) =>
      store.append(
        [{ stream, bytes: pieces[index % 8] as Buffer }],
        endMs - (minutes - minute - index) * minuteMs,
      ),
    );
    await Promise.all(together);
  }
}

/** Limits that do not bind, and a retention that keeps what was made for the benchmark. */
const configuration = `limits: { feed: { queriesPerMinute: 1000000, queriesPerHour: 100000000 } }
batch: { retentionHours: 1000 }
log: { level: warn }
`;

async function serve(directory: string, data: string): Promise<Started> {
  const config = join(directory, 'bench.yaml');
  writeFileSync(config, configuration);
  const create = ['src/main.ts', 'account', 'create', '--username', 'bench', '--batch-key', batchKey];
  const { stdout } = await run(process.execPath, [...create, '--data', data, '--json']);
  const { api_key: key } = JSON.parse(stdout) as { api_key: string };
  const started = await start(['src/main.ts', 'serve', '--port', '0', '--config', config, '--data', data]);
  return { ...started, key };
}

const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

function fetchBody(startMs: number, endMs: number): string {
  return JSON.stringify({ apikey: batchKey, channel: 204, start_time: text(startMs), end_time: text(endMs) });
}

/** Bytes a second as curl sees them, all downloads of a round together. */
async function speed(args: readonly string[], parallel: number): Promise<number> {
  const began = performance.now();
  const sizes = await Promise.all(
    Array.from({ length: parallel }, async () => {
      const { stdout } = await run('curl', ['-sS', '-o', '/dev/null', '-w', '%{size_download}', ...args]);
      return Number(stdout);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / ((performance.now() - began) / 1000);
}

async function benchDownloads(directory: string): Promise<void> {
  const data = join(directory, 'downloads');
  const files = join(directory, 'files');
  mkdirSync(files);
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const minutes = 256;
  const store = openStreamStore(data);
  await fill(store, 'ch204', minutes, (megabytes << 20) / minutes, endMs);
  const range = await store.openRange('ch204', 0, Number.MAX_SAFE_INTEGER);
  if (!range) throw new Error('there is nothing to download');
  await pipeline(range.read(), createWriteStream(join(files, 'ch204.ndjson')));
  await range.close();
  await store.close();

  const server = await serve(directory, data);
  const nginx = await startNginx(directory, files);
  const body = fetchBody(endMs - minutes * minuteMs, endMs);
  const ours = ['-d', body, `${server.url}/batchd/v1/batch/chfetch`];
  const theirs = [`${nginx.url}/ch204.ndjson`];
  console.log(`\nchfetch of ${megabytes} MB in ${minutes} segments, against nginx with sendfile on one file`);
  for (const parallel of [1, 4]) {
    const ratios: number[] = [];
    let last = 0;
    for (let round = 0; round < rounds; round += 1) {
      const peer = await speed(theirs, parallel);
      last = await speed(ours, parallel);
      ratios.push(last / peer);
    }
    const figure = `${parallel} at once: ${(last / 1e6).toFixed(0)} MB/s, of nginx`;
    if (parallel === 1) want(figure, median(ratios), '>=', 0.5);
    // One thread copies what nginx never touches: several at once share it.
    else console.log(`${figure} ${median(ratios).toFixed(2)}`);
  }
  console.log(`memory of the server ${memoryOf(server.child).toFixed(0)} MB`);
  server.child.kill();
  nginx.child.kill();
}

interface Costs {
  readonly pollMs: number;
  readonly detailsMs: number;
  readonly fetchMs: number;
}

async function each(count: number, work: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < count / 5; index += 1) await work();
  const began = performance.now();
  for (let index = 0; index < count; index += 1) await work();
  return (performance.now() - began) / count;
}

async function costsAt(directory: string, minutes: number): Promise<Costs> {
  const data = join(directory, `retained-${minutes}`);
  const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const store = openStreamStore(data);
  await fill(store, 'ch204', minutes, 16_384, endMs);
  await fill(store, 'feed-nod', minutes, 16_384, endMs);
  await store.close();
  const server = await serve(directory, data);
  const post = (operation: string, body: string) =>
    fetch(`${server.url}/batchd/v1/batch/${operation}`, { method: 'POST', body }).then((answer) =>
      answer.arrayBuffer(),
    );
  const poll = () =>
    fetch(`${server.url}/v1/feed/nod/?sessionID=bench`, { headers: { 'x-api-key': server.key } }).then(
      (answer) => answer.arrayBuffer(),
    );
  const ping = () => fetch(`${server.url}/healthz`).then((answer) => answer.arrayBuffer());
  await poll();
  const pingMs = await each(500, ping);
  const costs = {
    pollMs: await each(300, poll),
    detailsMs: await each(300, () =>
      post('chdetails', JSON.stringify({ apikey: batchKey, channels: [204] })),
    ),
    fetchMs: await each(300, () => post('chfetch', fetchBody(endMs - 2 * minuteMs, endMs - minuteMs))),
  };
  console.log(
    `${minutes} minutes kept: empty poll ${costs.pollMs.toFixed(2)} ms, chdetails ${costs.detailsMs.toFixed(2)} ms, ` +
      `chfetch of a minute ${costs.fetchMs.toFixed(2)} ms, a bare answer (healthz) ${pingMs.toFixed(2)} ms`,
  );
  server.child.kill();
  return costs;
}

async function benchGrowth(directory: string): Promise<void> {
  console.log('\ncosts of one request after another');
  const lesser = await costsAt(directory, 700);
  const greater = await costsAt(directory, 7000);
  for (const [what, name] of [
    ['an empty poll', 'pollMs'],
    ['chdetails', 'detailsMs'],
    ['chfetch of a minute', 'fetchMs'],
  ] as const) {
    want(`ten times the data: ${what} costs ×`, greater[name] / lesser[name], '<=', 1.3);
  }
}
