/**
 * A cache that one scan of newly observed RRsets leaves to the next: most names were seen recently. It holds positive results only,
 * so an eviction costs a lookup in the older segments, and never correctness.
 */

const entriesMax = 65_536;

/** A map with a two-generation approximation of LRU, like the block cache. */
class RecentNames {
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  get(name: string): number | undefined {
    const value = this.#young.get(name);
    if (value !== undefined) return value;
    const older = this.#old.get(name);
    if (older !== undefined) this.set(name, older);
    return older;
  }

  set(name: string, value: number): void {
    this.#young.set(name, value);
    if (this.#young.size < entriesMax) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

export class SeenBefore {
  /** Valid for batches with a higher sequence than this. */
  upTo = 0;
  /** Base domains, with a time at which a sensor saw something at or below them; not necessarily the latest. */
  readonly domains = new RecentNames();
  /** Names that a sensor has seen as owner or in rdata. */
  readonly hosts = new RecentNames();
}
