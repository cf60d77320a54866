/** When a domain is old. Those that came together are not looked at again together: up to a tenth of the time is added, by name. */
import { createHash } from 'node:crypto';

const dayMs = 86_400_000;
const spread = 0.1;

export function refreshMs(domain: string, fromMs: number, refreshDays: number): number {
  const share = createHash('sha256').update(domain).digest().readUInt32BE() / 2 ** 32;
  return fromMs + Math.floor(refreshDays * dayMs * (1 + spread * share));
}
