/** Downloads of a channel (chfetch), one and four at once, against nginx that serves the same bytes as a file. */
import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { type Interleaved, interleave } from '../harness/interleave.ts';
import { usageOf } from '../harness/usage.ts';
import { startNginx } from '../peers/nginx.ts';
import { createUsers } from '../serving/accounts.ts';
import { type Serving, startServer } from '../serving/serving-process.ts';
import { fetchBody, fillStream, lastFullMinute, lineBytes, minuteMs } from './channel-lines.ts';

const run = promisify(execFile);
const minutes = 256;
/** Segments of real minutes end anywhere, not where a block or a buffer does. */
const oddBytes = 17 * lineBytes;

export async function benchDownloads(context: BenchContext): Promise<readonly Result[]> {
  const { directory, sized, after } = context;
  const megabytes = sized({ tiny: 2, small: 64, full: 512 });
  const data = join(directory, 'downloads');
  const endMs = lastFullMinute();
  const bytesPerMinute = (megabytes << 20) / minutes + oddBytes;
  const files = await fillAndCopy(data, directory, { bytesPerMinute, endMs });
  const [keys] = await createUsers(data, ['bench']);
  const nginx = await startNginx(directory, files);
  after(() => nginx.child.kill());
  const body = fetchBody(keys?.batchKey ?? '', endMs - minutes * minuteMs, endMs);
  const bytes = minutes * bytesPerMinute;
  const start = () => startServer({ data, role: 'api' }, context);
  const ours = ({ url, pid }: Serving, parallel: number) =>
    usageOf(pid, () => speed(['-d', body, `${url}/batchd/v1/batch/chfetch`], parallel, bytes));
  const peer = (parallel: number) => speed([`${nginx.url}/ch204.ndjson`], parallel, bytes);
  const work = `chfetch of ${megabytes} MB in ${minutes} segments`;
  const results: Result[] = [];
  const server = await start();
  for (const [parallel, wanted] of [
    [1, 0.5],
    [4, 0.6],
  ] as const) {
    const rate = await interleave(sized({ tiny: 1, small: 3, full: 5 }), {
      ours: () => ours(server, parallel),
      peer: () => peer(parallel),
    });
    const name = `${work}, ${parallel === 1 ? 'one' : 'four'} at once`;
    results.push(resultOf({ ...figuresOf(name, rate), wanted: { ratio: { atLeast: wanted } } }));
  }
  await server.stop();
  // Rounds after the first read what was checked within a minute; a process that has just started checks everything.
  const first = await interleave(sized({ tiny: 1, small: 1, full: 3 }), {
    ours: async () => {
      const started = await start();
      const used = await ours(started, 1);
      await started.stop();
      return used;
    },
    peer: () => peer(1),
  });
  results.push(resultOf(figuresOf(`${work}, the first after a start`, first)));
  nginx.child.kill();
  return results;
}

function figuresOf(work: string, { ours, peer, ratio, cpuSeconds, memoryBytes }: Interleaved) {
  return {
    work,
    ours: { value: ours / 1e6, unit: 'MB/s' },
    peer: { name: 'nginx with sendfile', value: peer / 1e6, unit: 'MB/s' },
    ratio,
    cpuSeconds,
    memoryBytes,
  };
}

interface Filling {
  readonly bytesPerMinute: number;
  readonly endMs: number;
}

/** A channel, and the same bytes in a file, all of them on the disk; gives its directory. */
async function fillAndCopy(
  data: string,
  directory: string,
  { bytesPerMinute, endMs }: Filling,
): Promise<string> {
  const files = join(directory, 'files');
  mkdirSync(files);
  const store = openStreamStore(data);
  await fillStream(store, { stream: 'ch204', minutes, bytesPerMinute, endMs });
  const range = await store.openRange('ch204', 0, Number.MAX_SAFE_INTEGER);
  if (!range) throw new Error('there is nothing to download');
  await pipeline(range.read(), createWriteStream(join(files, 'ch204.ndjson')));
  await range.close();
  await store.close();
  // Otherwise the system writes them to the disk while they are downloaded, which takes processors and memory from both sides.
  await run('sync');
  return files;
}

/** Bytes a second as curl sees them, all downloads of a round together; fewer bytes than there are is an error. */
async function speed(args: readonly string[], parallel: number, bytes: number): Promise<number> {
  const began = performance.now();
  const sizes = await Promise.all(
    Array.from({ length: parallel }, async () => {
      const { stdout } = await run('curl', ['-sS', '-o', '/dev/null', '-w', '%{size_download}', ...args]);
      return Number(stdout);
    }),
  );
  if (sizes.some((size) => size !== bytes))
    throw new Error(`downloads of ${sizes.join(', ')} bytes instead of ${bytes}`);
  return (bytes * parallel) / ((performance.now() - began) / 1000);
}
