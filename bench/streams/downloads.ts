/** Downloads of a channel (chfetch), one and four at once, against nginx that serves the same bytes as a file. */
import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { interleave } from '../harness/interleave.ts';
import { usageOf } from '../harness/usage.ts';
import { startNginx } from '../peers/nginx.ts';
import { createUsers } from '../serving/accounts.ts';
import { startServer } from '../serving/serving-process.ts';
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
  const server = await startServer({ data, role: 'api' }, context);
  const nginx = await startNginx(directory, files);
  after(() => nginx.child.kill());
  const body = fetchBody(keys?.batchKey ?? '', endMs - minutes * minuteMs, endMs);
  const ours = ['-d', body, `${server.url}/batchd/v1/batch/chfetch`];
  const bytes = minutes * bytesPerMinute;
  const results: Result[] = [];
  for (const [parallel, wanted] of [
    [1, 0.5],
    [4, 0.6],
  ] as const) {
    const rate = await interleave(sized({ tiny: 1, small: 3, full: 5 }), {
      ours: async () => {
        const used = await usageOf(server.pid, () => speed(ours, parallel, bytes));
        return { ...used, value: used.value };
      },
      peer: () => speed([`${nginx.url}/ch204.ndjson`], parallel, bytes),
    });
    results.push(
      resultOf({
        work: `chfetch of ${megabytes} MB in ${minutes} segments, ${parallel === 1 ? 'one' : 'four'} at once`,
        ours: { value: rate.ours / 1e6, unit: 'MB/s' },
        peer: { name: 'nginx with sendfile', value: rate.peer / 1e6, unit: 'MB/s' },
        ratio: rate.ratio,
        wanted: { ratio: { atLeast: wanted } },
        cpuSeconds: rate.cpuSeconds,
        memoryBytes: rate.memoryBytes,
      }),
    );
  }
  nginx.child.kill();
  await server.stop();
  return results;
}

interface Filling {
  readonly bytesPerMinute: number;
  readonly endMs: number;
}

/** A channel, and the same bytes in a file; gives its directory. */
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
