/**
 * Passive DNS, both directions. Observations merge by first = min, last = max, count = sum, so their order and batching
 * never matter. Scans are asynchronous iterables of slices: each slice is a few milliseconds of work and may be empty;
 * between two slices the event loop runs, and a consumer that stops iterating has freed everything.
 */
import type { Origin, Rrset, Sighting, WireName } from '../model/dns/rrset.ts';
import type { TextNeeds } from '../model/flex-pattern.ts';

/**
 * `none`: the name itself. `below`: the name and everything under it. `child`: one label more. `right`: names that start with
 * the labels of the name.
 */
export type NameSpan = 'none' | 'below' | 'child' | 'right';

export type Selection =
  | { readonly by: 'owner'; readonly name: WireName; readonly span: NameSpan }
  | { readonly by: 'rdata-name'; readonly name: WireName; readonly span: NameSpan }
  /** Inclusive; both of 4 bytes (A) or both of 16 (AAAA). */
  | { readonly by: 'address'; readonly from: Uint8Array; readonly to: Uint8Array }
  /** Wire rdata that starts with these bytes. */
  | { readonly by: 'rdata-prefix'; readonly bytes: Uint8Array };

/** Inclusive bounds in epoch seconds. */
export interface Fences {
  readonly firstBefore?: number;
  readonly firstAfter?: number;
  readonly lastBefore?: number;
  readonly lastAfter?: number;
}

/** What a row must be like to be given; fences and counts look at the merged row, or at each bucket where not merged. */
export interface RowFilter {
  readonly keepsType: (type: number) => boolean;
  readonly fences: Fences;
  readonly countMin?: number;
  readonly countMax?: number;
}

/** An opaque place in the order of a scan. It stays valid while data comes in. */
export type Position = Uint8Array;

export interface ScanPage {
  /** Only what comes after this place. */
  readonly after?: Position;
  /** Rows to pass over, cheaper than reading them. */
  readonly skip?: number;
  /** How many rows will be looked at. More may be given. */
  readonly wanted?: number;
}

export interface Scan extends ScanPage {
  readonly selection: Selection;
  readonly filter: RowFilter;
  /** Exact. Only with a selection by owner. */
  readonly bailiwick?: WireName;
  /** False: one row for each stored time bucket, in order of time. */
  readonly merged: boolean;
  readonly nowSeconds: number;
}

/** A row of a scan. Selected by owner it is an RRset; otherwise one RR, with one `rdata` and no `bailiwick`. */
export interface Row extends Sighting {
  readonly origin: Origin;
  readonly owner: WireName;
  readonly type: number;
  readonly bailiwick: WireName | undefined;
  readonly rdata: readonly Uint8Array[];
  readonly position: Position;
}

export interface TextScan extends ScanPage {
  /** `names`: owner names with their types. `rdata`: data with its type. */
  readonly over: 'names' | 'rdata';
  /** Decides on the presentation form. */
  readonly matches: (text: string) => boolean;
  /** What a text must contain to match at all; the index leaves out the rest. */
  readonly needs: TextNeeds;
  readonly filter: RowFilter;
}

/** Merged over bailiwicks, owners and origins. */
export interface TextRow extends Sighting {
  readonly text: string;
  readonly type: number;
  /** The name or the data in wire form. */
  readonly wire: Uint8Array;
  readonly position: Position;
}

/** What a scan gives. */
export interface Slices<Item> extends AsyncIterable<readonly Item[]> {
  /**
   * All of it, where it is at hand and one slice: most lookups are, and waiting for them would cost more than they do.
   * Undefined otherwise; iterating then still gives everything. Asked before iterating, if at all.
   */
  atOnce?(): readonly Item[] | undefined;
}

/**
 * A batch of observations of which nobody has yet told what is new in it. What was published with a smaller sequence was
 * known before it.
 */
export interface UntoldRun {
  readonly sequence: number;
  /** How many RRsets of how many a scan of its news gives. */
  readonly rrsets: number;
  /** Of all that are untold at the moment. */
  readonly greatestSequence: number;
}

export interface NewsScan {
  readonly sequence: number;
  /** A domain without a sighting for this long before it is seen again is seen again. */
  readonly silenceSeconds: number;
}

/**
 * An RRset of a batch, with what was new about it against everything that was known before the batch. Only sightings by
 * sensors are new or make known; of a zone file only `discovered` is told.
 */
export interface RrsetNews {
  /** With the sighting of this batch alone. */
  readonly row: Row;
  readonly newRrset: boolean;
  readonly newName: boolean;
  /** The name never had data of this type. */
  readonly newType: boolean;
  /** For each rdata, whether the name never had it, in whatever bailiwick. */
  readonly newRr: readonly boolean[];
  /** Nothing at or below the base domain was known. */
  readonly newDomain: boolean;
  /**
   * On the first RRset of a base domain in the batch: it was never seen (`first`), or not for as long as was asked before its
   * earliest sighting in the batch (`again`).
   */
  readonly domain: { readonly name: WireName; readonly kind: 'first' | 'again' } | undefined;
  /** A base domain at or below which nothing was known, neither from sensors nor from zone files; once in a batch. */
  readonly discovered: WireName | undefined;
  /** Names, of owners and in rdata, that had never been seen as either; each once in a batch, the root never. */
  readonly newHosts: readonly WireName[];
}

export interface IntakeOptions {
  /**
   * Observations that an earlier run under this id made durable are passed over, so that an import can be killed and
   * repeated: the same sequence counts once.
   */
  readonly importId?: string | undefined;
  /** What is new in it is to be told; otherwise it is history. */
  readonly news?: boolean;
}

/** Takes observations in any number; what a resolved `flush` covers is durable. */
export interface Intake {
  /** Resolves at once unless the store is behind; then when it has room. Awaiting it is what bounds memory. */
  add(observation: Rrset): Promise<void> | undefined;
  flush(): Promise<void>;
  /** How many observations are durable, those of an earlier run under the same import id included. */
  readonly durable: number;
  /** Flushes and, for an import, records that it is complete. */
  finish(): Promise<void>;
}

export interface ImportState {
  readonly id: string;
  readonly observations: number;
  readonly complete: boolean;
}

export interface RrsetStatistics {
  /** Rows of the forward direction before merging between runs: an upper bound of RRsets. */
  readonly rrsets: number;
  readonly bytes: number;
  readonly runs: number;
  readonly firstSeconds: number | undefined;
  readonly lastSeconds: number | undefined;
}

export interface RrsetStore {
  openIntake(options?: IntakeOptions): Promise<Intake>;

  findImport(id: string): Promise<ImportState | undefined>;

  /** In the order of the store: names by label from the top, inverse rows by their data. */
  scan(scan: Scan): Slices<Row>;

  scanText(scan: TextScan): Slices<TextRow>;

  /** The untold batch with the least sequence. */
  findUntold(): Promise<UntoldRun | undefined>;

  /**
   * Every RRset of an untold batch in the order of the store. What is given depends on the batch and on what was known before
   * it, and on nothing else: a scan that is repeated gives the same. Throws `not-found` where the batch has been told.
   */
  scanNews(scan: NewsScan): AsyncIterable<readonly RrsetNews[]>;

  markTold(sequence: number): Promise<void>;

  /** The same value as long as nothing has changed that a scan could show. */
  state?(): unknown;

  statistics(): Promise<RrsetStatistics>;

  /** Merges what is worth merging, until nothing is; scans before and after give the same rows. */
  settle(): Promise<void>;

  close(): Promise<void>;
}
