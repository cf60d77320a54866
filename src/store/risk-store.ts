/**
 * What is known about good and bad beside the records: what lists say of domains, and the links that known bad domains have left. Changes
 * of either are read on from a place, so that whoever scores domains misses none.
 */
import type { Link } from '../model/risk/link.ts';
import type { Verdict, VerdictLabel } from '../model/risk/verdict.ts';

/** One reading of a list, from its first line to its last. */
export interface Reading {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly weight: number;
  /** Greater than that of every earlier reading of the list. */
  readonly id: number;
  /** Until when what it names is believed; undefined: until a later reading no longer names it. */
  readonly untilMs: number | undefined;
}

export interface ListedDomain {
  /** A registrable domain, punycode. */
  readonly domain: string;
  readonly rank?: number;
}

export interface VerdictChange {
  readonly id: number;
  readonly domain: string;
}

/** The links of one domain that is known to be bad; none where it no longer is. */
export interface BadLinks {
  readonly domain: string;
  readonly weight: number;
  readonly links: readonly Link[];
}

export interface BadCount {
  /** Known bad domains that have a link, and the greatest weight among them. */
  readonly domains: number;
  readonly weight: number;
}

export interface KnownList {
  readonly list: string;
  readonly label: VerdictLabel;
  readonly domains: number;
  /** When the last whole reading ended. */
  readonly readMs: number | undefined;
  /** What the reader of the list left behind with it, to know the file again. */
  readonly place: string | undefined;
}

export interface RiskStore {
  /** Durable when this resolves. A domain that was named before keeps its place in the list, and is believed for longer. */
  takeListed(reading: Reading, domains: readonly ListedDomain[]): Promise<void>;

  /** The reading is whole: what the list only named before, without a time to be believed until, is no longer on it. */
  endReading(reading: Reading, place: string | undefined, nowMs: number): Promise<void>;

  /** Forgets lists that nobody reads any more. */
  keepLists(lists: readonly string[]): Promise<void>;

  /** Takes verdicts away whose time is over, at most so many; how many there were. */
  removeExpired(nowMs: number, limit: number): Promise<number>;

  listLists(): Promise<readonly KnownList[]>;

  /** In the order asked for; those whose time is over are left out. */
  findVerdicts(domains: readonly string[], nowMs: number): Promise<readonly (readonly Verdict[])[]>;

  /**
   * Domains of which lists say something else than before, in order, after an id. Ranks of popular domains are too many and too unsteady
   * to be told.
   */
  listVerdictChanges(afterId: number, limit: number): Promise<readonly VerdictChange[]>;

  /** Forgets changes up to an id. */
  pruneVerdictChanges(uptoId: number): Promise<void>;

  /** What was put for each of these domains, in the order asked for; no links where nothing was. */
  findBadLinks(domains: readonly string[]): Promise<readonly BadLinks[]>;

  /** Each takes the place of what was put for its domain before. The links that a known bad domain gained or lost by it, or has with another weight. */
  putBadLinks(domains: readonly BadLinks[]): Promise<readonly Link[]>;

  /** In the order asked for, without `except`. */
  countBad(asked: readonly { readonly link: Link; readonly except: string }[]): Promise<readonly BadCount[]>;

  /** Some known bad domains that have a link, without `except`. */
  listBad(link: Link, except: string, limit: number): Promise<readonly string[]>;

  /** How far a reader of changes has come; 0 where it never began. */
  findPlace(reader: string): Promise<number>;

  setPlace(reader: string, place: number): Promise<void>;

  statistics(): Promise<{
    readonly verdicts: number;
    readonly badDomains: number;
    readonly badLinks: number;
  }>;

  close(): Promise<void>;
}
