/**
 * All domains that sources of names have reported, each once, and the checkpoint of each source. New domains wait in batches until they
 * are published to the feed of discovered domains (`pipeline/publishing/publish-discoveries.ts`), exactly once even across crashes.
 */
import type { FencingToken } from './lease/fencing-token.ts';

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

/** How far a source has come. */
export interface SourceProgress {
  /** Where to resume; by default the checkpoint stays as it is. */
  readonly checkpoint?: string;
  /** Of the lease under which the source is read. */
  readonly fence?: FencingToken;
}

export interface NameStore {
  /**
   * Adds the domains that are not known yet, as unpublished, and moves the checkpoint of the source in the same transaction. Returns how many
   * domains were new. Durable when this resolves. Throws `LeaseLost` where a later holder of the lease has written, and at the latest then.
   */
  recordNames(
    source: string,
    domains: readonly string[],
    seenMs: number,
    progress?: SourceProgress,
  ): Promise<number>;

  findCheckpoint(source: string): Promise<string | undefined>;

  /** When each of these domains was first reported, to the second, in the order given; undefined for one that never was. */
  findSeenMs(domains: readonly string[]): Promise<readonly (number | undefined)[]>;

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
