/** Latency of health and of a lookup while something else goes on, measured by a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { quantile } from '../harness/interleave.ts';

export interface Probed {
  readonly url: string;
  readonly pid: number | undefined;
  readonly key: string;
  readonly path: string;
}

/** The time that passed, and the time that the main thread of the server worked meanwhile. */
interface Latency {
  readonly passedMs: number;
  readonly workedMs: number;
}

export interface Latencies {
  readonly health: readonly Latency[];
  readonly lookup: readonly Latency[];
}

export async function probe({ url, pid, key, path }: Probed, seconds: number): Promise<Latencies> {
  const file = join(import.meta.dirname, 'latency-probe.ts');
  const child = spawn(process.execPath, [file, url, key, path, String(seconds), String(pid)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Latencies;
}

/** Of server time. */
export function quantileMs(latencies: readonly Latency[], share: number): number {
  if (latencies.length === 0) throw new Error('nothing was asked');
  return quantile(
    latencies.map(({ workedMs }) => workedMs),
    share,
  );
}
