/**
 * Domains that some source of names has told of, each once, with the place that each source has reached. A domain that is new waits
 * here until it has been told on the feed of discovered domains; `tell-discoveries.ts` does that, and no kill loses or doubles one.
 */

export interface NewDomain {
  /** A registrable domain, punycode. */
  readonly domain: string;
  readonly seenMs: number;
  readonly source: string;
}

export interface UntoldDomains {
  /** Rises by one with every batch; what has been told is marked by it. */
  readonly batch: number;
  readonly domains: readonly NewDomain[];
}

export interface NameStore {
  /**
   * Domains that were not known become known, and untold; in one step with them the source has come to `place` (left where it is where
   * undefined). How many were new. Durable when this resolves.
   */
  take(
    source: string,
    domains: readonly string[],
    seenMs: number,
    place: string | undefined,
  ): Promise<number>;

  findPlace(source: string): Promise<string | undefined>;

  /** When a domain was first told of; undefined where it never was. */
  findSeenMs(domain: string): Promise<number | undefined>;

  /** The oldest batch that was not told. The same one gives the same domains until it is told. */
  findUntold(): Promise<UntoldDomains | undefined>;

  markTold(batch: number): Promise<void>;

  statistics(): Promise<{ readonly domains: number; readonly untold: number }>;

  close(): Promise<void>;
}
