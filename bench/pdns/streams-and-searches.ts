/** An answer of up to a million rows, and searches by pattern. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { BenchContext, Usage } from '../harness/benchmark.ts';
import { median } from '../harness/interleave.ts';
import { usageOf } from '../harness/usage.ts';
import { startBareFile } from '../serving/bare-answers.ts';
import { runCommand } from '../serving/run-command.ts';
import type { Serving } from '../serving/serving-process.ts';

export const streamPath = '/pdns/v2/lookup/rrset/name/*.com?limit=0';
const patterns = ['paypal', '(login|secure).*bank', 'qzx[0-9]+\\.'];
const ndjson = { accept: 'application/x-ndjson' };
const lf = 10;

export interface Streamed extends Usage {
  readonly rows: number;
  readonly rowsPerSecond: number;
}

export async function measureStream(
  server: Serving,
  headers: Readonly<Record<string, string>>,
  rounds: number,
): Promise<Streamed> {
  const all = [];
  for (let round = 0; round < rounds; round += 1)
    all.push(await usageOf(server.pid, () => countRows(server.url + streamPath, { ...headers, ...ndjson })));
  const rows = all[0]?.value ?? 0;
  const seconds = median(all.map((used) => used.seconds));
  return {
    rows,
    rowsPerSecond: rows / seconds,
    cpuSeconds: median(all.map((used) => used.cpuSeconds)),
    memoryBytes: Math.max(...all.map((used) => used.memoryBytes)),
  };
}

/** Rows a second of a bare route that streams a file with the same bytes. */
export async function measureBareStream(
  { url }: Serving,
  headers: Readonly<Record<string, string>>,
  context: BenchContext,
): Promise<number> {
  const file = join(context.directory, 'stream.ndjson');
  const { body } = await fetch(url + streamPath, { headers: { ...headers, ...ndjson } });
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(file));
  const bare = await startBareFile(file, context);
  await countRows(bare.url, ndjson);
  const began = performance.now();
  const rows = await countRows(bare.url, ndjson);
  const seconds = (performance.now() - began) / 1000;
  await bare.stop();
  return rows / seconds;
}

export async function countRows(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let rows = 0;
  for await (const chunk of response.body ?? []) {
    for (const byte of chunk as Uint8Array) if (byte === lf) rows += 1;
  }
  return rows;
}

export interface Searched extends Usage {
  readonly ms: number;
}

export async function measureSearches(
  server: Serving,
  headers: Readonly<Record<string, string>>,
): Promise<Searched> {
  const { seconds, ...usage } = await usageOf(server.pid, async () => {
    for (const pattern of patterns) {
      const answer = await fetch(`${server.url}/pdns/v2/regex/rrnames/${encodeURIComponent(pattern)}`, {
        headers,
      });
      await answer.text();
      if (answer.status !== 200) throw new Error(`a search for ${pattern} answered ${answer.status}`);
    }
  });
  return { ms: (seconds / patterns.length) * 1000, ...usage };
}

/** Milliseconds of GNU grep for a pattern over the lines that were imported. It ends with 1 where nothing matches. */
export async function measureGrep(lines: string): Promise<number> {
  const script = 'grep -cE "$1" "$2" || test $? = 1';
  let seconds = 0;
  for (const pattern of patterns)
    seconds += (await runCommand('sh', ['-c', script, 'sh', pattern, lines])).seconds;
  return (seconds / patterns.length) * 1000;
}
