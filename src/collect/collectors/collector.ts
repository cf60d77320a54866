/**
 * What every collector is: it looks at one side of a domain and says what it found, as members of the plain record. It neither stores,
 * nor repeats, nor waits for its turn with anybody's server on its own account; the runner does all of that.
 */
import type { FeedName } from '../../model/product-catalogue.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';

/** As `sources` of a record and the history of changes name it. */
export type CollectorName = 'dns' | 'rdap' | 'whois' | 'tls' | 'web' | 'ip' | 'screenshot';

export type RecordMember = keyof DomainRecord;

/** What a look has to go by. */
export interface Look {
  /** In punycode, lower case. */
  readonly domain: string;
  /** What is known so far: the record that is kept, with what was found in this round put over it. */
  readonly known: DomainRecord;
  readonly nowMs: number;
  /** Ends the look: its deadline has come, or the process stops. */
  readonly signal: AbortSignal;
}

/**
 * What came of a look. That a domain has no web site is found; that its server did not answer is a failure, and then the record keeps
 * what it had.
 */
export type LookOutcome =
  | {
      readonly outcome: 'found';
      /** The members that the collector answers for; one that is absent here is known not to be there. */
      readonly part: Partial<DomainRecord>;
      /** Lines of feeds, without their time and domain. */
      readonly lines?: readonly FeedLine[];
    }
  | {
      readonly outcome: 'failed';
      /** In words for an operator: who did not answer, and how. */
      readonly reason: string;
      /** Whether trying again soon may help. */
      readonly isPassing: boolean;
    };

export interface FeedLine {
  readonly feed: Extract<FeedName, 'domainrdap'>;
  /** The record of the feed but for `timestamp` and `domain`. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly name: CollectorName;
  /** The members of a record that this one answers for, and no other collector. */
  readonly members: readonly RecordMember[];
  /** Expected failures are outcomes; what is thrown is a mistake of ours, or the end of the signal. */
  look(look: Look): Promise<LookOutcome>;
}

/** Turns with the servers of others, so that none of them hears of us too often. */
export interface Politeness {
  /** Does something when its turn with a server (a name or an address) has come. Throws the reason of the signal if that ends before. */
  turn<Result>(server: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}
