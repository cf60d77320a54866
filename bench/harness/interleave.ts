/** Ours and the peer in alternation, so that a slow moment of the machine hits both; medians, so that a single one does not count. */
import type { Usage } from './benchmark.ts';

export interface Sample extends Usage {
  /** A rate or a time, the same of both. */
  readonly value: number;
}

export interface Interleaved extends Usage {
  readonly ours: number;
  readonly peer: number;
  /** The median of the rounds' ratios, which a drift of the machine does not move. */
  readonly ratio: number;
}

export async function interleave(
  rounds: number,
  sides: { readonly ours: () => Promise<Sample>; readonly peer: () => Promise<number> },
): Promise<Interleaved> {
  const [ours, peers, ratios]: [Sample[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    // Each is first as often as the other.
    const early = round % 2 === 0 ? await sides.peer() : undefined;
    const own = await sides.ours();
    const peer = early ?? (await sides.peer());
    ours.push(own);
    peers.push(peer);
    ratios.push(own.value / peer);
  }
  return {
    ours: median(ours.map(({ value }) => value)),
    peer: median(peers),
    ratio: median(ratios),
    cpuSeconds: median(ours.map(({ cpuSeconds }) => cpuSeconds)),
    memoryBytes: Math.max(...ours.map(({ memoryBytes }) => memoryBytes)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
