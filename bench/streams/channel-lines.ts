/** Lines of a channel, all of the same length. */
import type { StreamStore } from '../../src/store/stream-store.ts';

export const minuteMs = 60_000;
export const lineBytes = 256;
const minutesTogether = 64;

export function channelLines(bytes: number, seed: number): Buffer {
  const head = `{"time":"2026-03-04 10:00:00.000000000","vname":"SIE","mname":"newdomain","message":{"domain":"`;
  const lines: string[] = [];
  for (let index = 0; index * lineBytes < bytes; index += 1) {
    const body = `${head}d${seed}-${index}.example."`;
    lines.push(`${body},"pad":"${'x'.repeat(lineBytes - body.length - 12)}"}}\n`);
  }
  return Buffer.from(lines.join(''));
}

export interface Filling {
  readonly stream: string;
  readonly minutes: number;
  readonly bytesPerMinute: number;
  readonly endMs: number;
}

/** Minutes in a row, each with the same number of bytes; many are confirmed by one sync. */
export async function fillStream(
  store: StreamStore,
  { stream, minutes, bytesPerMinute, endMs }: Filling,
): Promise<void> {
  const pieces = Array.from({ length: 8 }, (_, seed) => channelLines(bytesPerMinute, seed));
  for (let minute = 0; minute < minutes; minute += minutesTogether) {
    const together = Array.from({ length: Math.min(minutesTogether, minutes - minute) }, (_, index) =>
      store.append(
        [{ stream, bytes: pieces[index % 8] as Buffer }],
        endMs - (minutes - minute - index) * minuteMs,
      ),
    );
    await Promise.all(together);
  }
}

export function lastFullMinute(): number {
  return Math.floor(Date.now() / minuteMs) * minuteMs;
}

/** The body of a request for a part of channel 204. */
export function fetchBody(batchKey: string, startMs: number, endMs: number): string {
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return JSON.stringify({
    apikey: batchKey,
    channel: 204,
    start_time: text(startMs),
    end_time: text(endMs),
  });
}
