/**
 * What one scan of news remembers for the next: most of what is seen was seen lately. Only what is known is remembered, so
 * that forgetting it costs a search and nothing else.
 */

const entriesMax = 65_536;

/** Names with a number, in two generations: cheaper to keep than an order of use. */
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

export class KnownBefore {
  /** It holds for what comes after this sequence. */
  upTo = 0;
  /** Base domains, with a second at which a sensor saw something at or below them, maybe not the last one. */
  readonly domains = new RecentNames();
  /** Names that a sensor has seen as owner or in rdata. */
  readonly hosts = new RecentNames();
}
