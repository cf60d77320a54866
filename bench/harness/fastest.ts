/** Computations without waiting: the best of a few rounds, because other work on the machine only ever adds. */
import { ownUsage, type Used } from './usage.ts';

export async function fastest(rounds: number, work: () => void): Promise<Used<void>> {
  let best: Used<void> | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const used = await ownUsage(work);
    if (!best || used.seconds < best.seconds) best = used;
  }
  if (!best) throw new Error('there was no round');
  return best;
}
