/** How fast lines become durable, against bare writes and syncs of the same bytes to one file. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import { type BenchContext, type Bound, type Result, resultOf } from '../harness/benchmark.ts';
import { interleave } from '../harness/interleave.ts';
import { ownUsage } from '../harness/usage.ts';
import { channelLines, lineBytes, minuteMs } from './channel-lines.ts';

interface Kind {
  readonly what: string;
  readonly bytes: number;
  readonly count: number;
  readonly writers: number;
  readonly wantedRatio?: Bound;
}

const kinds: readonly Kind[] = [
  {
    what: 'one line at a time, one writer',
    bytes: lineBytes,
    count: 3000,
    writers: 1,
    wantedRatio: { atLeast: 0.4 },
  },
  { what: 'one line at a time, 32 writers', bytes: lineBytes, count: 3200, writers: 32 },
  { what: '1 MB at a time, one writer', bytes: 1 << 20, count: 100, writers: 1 },
  { what: '1 MB at a time, 4 writers', bytes: 1 << 20, count: 200, writers: 4 },
];

export async function benchAppends({ directory, sized }: BenchContext): Promise<readonly Result[]> {
  const store = openStreamStore(join(directory, 'appends'));
  let nowMs = Date.now();
  const results: Result[] = [];
  try {
    await store.append([{ stream: 'ch204', bytes: channelLines(lineBytes, 0) }], nowMs);
    for (const { what, bytes, count: full, writers, wantedRatio } of kinds) {
      const count = Math.max(writers, full / sized({ tiny: 50, small: 4, full: 1 }));
      const piece = channelLines(bytes, 1);
      const lines = count * (bytes / lineBytes);
      const rate = await interleave(sized({ tiny: 1, small: 3, full: 5 }), {
        ours: async () => {
          nowMs += minuteMs;
          const used = await ownUsage(() => appendAll(store, { piece, count, writers, nowMs }));
          return { ...used, value: lines / used.seconds };
        },
        peer: async () => lines / bareSeconds(join(directory, 'bare'), piece, count),
      });
      results.push(
        resultOf({
          work: `appends to a stream: ${what}`,
          ours: { value: rate.ours, unit: 'lines/s' },
          peer: { name: 'write and fdatasync', value: rate.peer, unit: 'lines/s' },
          ratio: rate.ratio,
          ...(wantedRatio ? { wanted: { ratio: wantedRatio } } : {}),
          cpuSeconds: rate.cpuSeconds,
          memoryBytes: rate.memoryBytes,
        }),
      );
    }
  } finally {
    await store.close();
  }
  return results;
}

interface Appends {
  readonly piece: Buffer;
  readonly count: number;
  readonly writers: number;
  readonly nowMs: number;
}

async function appendAll(store: StreamStore, { piece, count, writers, nowMs }: Appends): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let index = 0; index < count / writers; index += 1)
        await store.append([{ stream: 'ch204', bytes: piece }], nowMs);
    }),
  );
}

/** What the disk allows. */
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
