/** When a record is stale. Jitter by name, up to a tenth of the interval, spreads domains that were collected together. */

import { createHash } from 'node:crypto';
import { dayMs } from '../../model/durations.ts';

const jitter = 0.1;

export function refreshMs(domain: string, fromMs: number, refreshDays: number): number {
  const share = createHash('sha256').update(domain).digest().readUInt32BE() / 2 ** 32;
  return fromMs + Math.floor(refreshDays * dayMs * (1 + jitter * share));
}
