/**
 * An address with very many domains has one that changed at any time. So that a few such addresses do not take all the time, each rests
 * after it was scored, the longer the more there was to look at; what changes meanwhile is scored together.
 */

const restMsPerRow = 10;
/** An hour at most. */
const restMsMax = 3_600_000;
/** Less is not worth remembering. */
const restMsMin = 30_000;
const restsMax = 1000;

export class AddressRests {
  readonly #endMs = new Map<string, number>();

  note(address: string, rows: number, nowMs: number): void {
    const restMs = Math.min(rows * restMsPerRow, restMsMax);
    this.#endMs.delete(address);
    if (restMs < restMsMin) return;
    this.#endMs.set(address, nowMs + restMs);
    const [oldest] = this.#endMs.keys();
    if (this.#endMs.size > restsMax && oldest !== undefined) this.#endMs.delete(oldest);
  }

  /** Undefined where it does not rest. */
  findEndMs(address: string, nowMs: number): number | undefined {
    const endMs = this.#endMs.get(address);
    return endMs !== undefined && endMs > nowMs ? endMs : undefined;
  }
}
