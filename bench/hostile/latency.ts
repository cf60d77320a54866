/** Latency of health and of a lookup while something else goes on, measured by a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

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

/** In milliseconds of server time. */
export function quantile(latencies: readonly Latency[], share: number): number {
  return quantileOf(latencies, share, ({ workedMs }) => workedMs);
}

export function shown(latencies: readonly Latency[]): string {
  const quantiles = (of: (latency: Latency) => number) =>
    [0.5, 0.99, 1].map((share) => quantileOf(latencies, share, of).toFixed(1)).join(' / ');
  return `${quantiles(({ workedMs }) => workedMs)} (${quantiles(({ passedMs }) => passedMs)})`;
}

function quantileOf(latencies: readonly Latency[], share: number, of: (latency: Latency) => number): number {
  const sorted = latencies.map(of).sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
