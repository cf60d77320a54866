/** A server that notes how long its API works between two turns of its event loop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext } from '../harness/benchmark.ts';
import { type ServerOptions, type Serving, startServer } from './serving-process.ts';

export interface WatchedServer extends Serving {
  /** Processor time of the API's main thread between two turns of its event loop, the longest from then to now. */
  readonly longestWorkMs: (sinceMs: number) => Promise<number>;
}

const watching = new URL('./work-between-turns.ts', import.meta.url).href;
const betweenReadingsMs = 50;
const notedWithinMs = 10_000;

export async function startWatchedServer(
  options: Pick<ServerOptions, 'data' | 'settings'>,
  context: Pick<BenchContext, 'directory' | 'after'>,
): Promise<WatchedServer> {
  const file = join(context.directory, 'work');
  const server = await startServer(
    {
      ...options,
      role: 'all',
      nodeOptions: ['--import', watching],
      environment: { BENCH_WORK_FILE: file },
    },
    context,
  );
  return { ...server, longestWorkMs: (sinceMs) => longestWorkIn(file, sinceMs) };
}

/** It is noted twice a second. */
async function longestWorkIn(file: string, sinceMs: number): Promise<number> {
  const nowMs = Date.now();
  while (Date.now() < nowMs + notedWithinMs) {
    const noted = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    if (noted.some(([atMs = 0]) => atMs > nowMs)) {
      const since = noted.filter(([atMs = 0]) => atMs > sinceMs);
      return Math.max(...since.map(([, workMs = 0]) => workMs));
    }
    await pause(betweenReadingsMs);
  }
  throw new Error('the API does not note how long it works');
}
