/**
 * Cooldowns after scoring an address. An address with very many domains always has one that just changed; so that a few of them do not
 * use up the scorer, each waits after it was scored, in proportion to the rows read. Changes in the meantime are scored together.
 */
import { hourMs } from '../../model/durations.ts';

const cooldownMsPerRow = 10;
const cooldownMsMax = hourMs;
/** Shorter ones are not kept. */
const cooldownMsMin = 30_000;
const addressesMax = 1000;

export class AddressCooldowns {
  readonly #endMs = new Map<string, number>();

  record(address: string, rows: number, nowMs: number): void {
    const cooldownMs = Math.min(rows * cooldownMsPerRow, cooldownMsMax);
    this.#endMs.delete(address);
    if (cooldownMs < cooldownMsMin) return;
    this.#endMs.set(address, nowMs + cooldownMs);
    const [oldest] = this.#endMs.keys();
    if (this.#endMs.size > addressesMax && oldest !== undefined) this.#endMs.delete(oldest);
  }

  /** Undefined for an address that may be scored now. */
  findEndMs(address: string, nowMs: number): number | undefined {
    const endMs = this.#endMs.get(address);
    // A later end was set before the clock was set back.
    const isCooling = endMs !== undefined && endMs > nowMs && endMs <= nowMs + cooldownMsMax;
    return isCooling ? endMs : undefined;
  }
}
