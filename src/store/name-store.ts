/**
 * All domains that sources of names have reported, each once, and the checkpoint of each source. New domains wait in batches until they
 * are published to the feed of discovered domains (`pipeline/publishing/publish-discoveries.ts`), exactly once even across crashes.
 */

export interface NewDomain {
  /** A registrable domain in punycode. */
  readonly domain: string;
  readonly seenMs: number;
  readonly source: string;
}

export interface UnpublishedDomains {
  /** Increases with every batch; passed to `markPublished`. */
  readonly batch: number;
  readonly domains: readonly NewDomain[];
}

export interface NameStore {
  /**
   * Adds the domains that are not known yet, as unpublished, and moves the checkpoint of the source in the same transaction; undefined
   * leaves the checkpoint unchanged. Returns how many domains were new. Durable when this resolves.
   */
  recordNames(
    source: string,
    domains: readonly string[],
    seenMs: number,
    checkpoint: string | undefined,
  ): Promise<number>;

  findCheckpoint(source: string): Promise<string | undefined>;

  /** When a domain was first reported, to the second; undefined if it never was. */
  findSeenMs(domain: string): Promise<number | undefined>;

  /** Domains that begin with a text, in order of name, at most `limit`. */
  listDomainsFrom(prefix: string, limit: number): Promise<readonly string[]>;

  /**
   * The oldest unpublished batch, domains in order of name. Once returned, a batch is sealed: later domains go to a later batch. A batch
   * holds at most 10,000 domains, unless a single call recorded more.
   */
  findUnpublished(): Promise<UnpublishedDomains | undefined>;

  /** Idempotent. */
  markPublished(batch: number): Promise<void>;

  statistics(): Promise<{ readonly domains: number; readonly unpublished: number }>;

  close(): Promise<void>;
}
