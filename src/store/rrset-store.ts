/**
 * Passive DNS, forward and inverse. Observations merge by first = min, last = max, count = sum, so that their order and batching do not
 * matter. Scans are async iterables of slices: a slice is a few milliseconds of work and may be empty, the event loop runs between two
 * slices, and a caller that stops iterating releases all resources. A scan that meets stored data that is not what was written throws
 * `DamagedData`; what it returned before is right.
 */
import type { Origin, Rrset, Sighting, WireName } from '../model/dns/rrset.ts';
import type { TypeSelection } from '../model/dns/type-selection.ts';
import type { FlexPatternText } from '../model/flex/flex-pattern.ts';
import type { Damage } from './damage.ts';

/**
 * `none`: the name itself. `below`: the name and all its subdomains. `child`: names one label longer. `right`: names that start with the
 * labels of the name.
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

/** Applies to the merged row, or to each time bucket in a scan that is not merged. */
export interface SightingFilter {
  readonly fences: Fences;
  readonly countMin?: number;
  readonly countMax?: number;
}

export interface RowFilter extends SightingFilter {
  readonly types: TypeSelection;
}

/** An opaque cursor in the order of a scan. It stays valid while data is added. */
export type Position = Uint8Array;

export interface ScanPage {
  /** Only rows after this position. */
  readonly after?: Position;
  /** Rows to skip; cheaper than reading them. */
  readonly skip?: number;
  /** How many rows the caller will read, as a hint. More may be returned. */
  readonly wanted?: number;
}

export interface Scan extends ScanPage {
  readonly selection: Selection;
  readonly filter: RowFilter;
  /** An exact match. Only with a selection by owner. */
  readonly bailiwick?: WireName;
  /** False: one row per stored time bucket, in order of time. */
  readonly merged: boolean;
  readonly nowSeconds: number;
}

/** An RRset in a selection by owner; otherwise a single RR, with one `rdata` and no `bailiwick`. */
export interface Row extends Sighting {
  readonly origin: Origin;
  readonly owner: WireName;
  readonly type: number;
  readonly bailiwick: WireName | undefined;
  readonly rdata: readonly Uint8Array[];
  readonly position: Position;
}

/** Plain data without functions, since the search may run in another thread. */
export interface TextScan extends ScanPage {
  /** `names`: owner names with their types. `rdata`: data with its type. */
  readonly over: 'names' | 'rdata';
  /** What the presentation form must match, of its first 4,096 characters. */
  readonly pattern: FlexPatternText;
  /** What it must not match besides. */
  readonly exclude?: FlexPatternText | undefined;
  /** Without it all types that flexible search covers: of names all but those of DNSSEC, of data those with text. */
  readonly type?: number | undefined;
  readonly filter: SightingFilter;
}

/** Merged over bailiwicks, owners and origins. */
export interface TextRow extends Sighting {
  readonly text: string;
  readonly type: number;
  /** The name or the rdata in wire form. */
  readonly wire: Uint8Array;
  readonly position: Position;
}

export interface Slices<Item> extends AsyncIterable<readonly Item[]> {
  /**
   * The whole result, if it is available synchronously as one slice, as for most lookups: awaiting would cost more than the work.
   * Undefined otherwise, and iterating then returns everything. May only be called before iterating.
   */
  readAllSync?(): readonly Item[] | undefined;
}

/**
 * A batch of observations whose newly observed data is still to be published. Everything with a smaller sequence was known before it.
 */
export interface UnpublishedBatch {
  readonly sequence: number;
  /** Undefined for observations of a running sensor. */
  readonly importId: string | undefined;
  /** RRsets that `scanNewlyObserved` returns for it. */
  readonly rrsets: number;
  /** Of all unpublished batches. */
  readonly greatestSequence: number;
  /** In all unpublished batches, this one included. */
  readonly rrsetsInAll: number;
}

export interface NewlyObservedScan {
  readonly sequence: number;
  /** A domain counts as seen again after this long without a sighting. */
  readonly silenceSeconds: number;
}

/**
 * An RRset of a batch, and what is new about it compared to everything known before the batch. Only sightings by sensors count; a zone
 * file contributes to `discovered` alone.
 */
export interface NewlyObservedRrset {
  /** With the sighting in this batch only. */
  readonly row: Row;
  /** Of its owner. */
  readonly baseDomain: WireName | undefined;
  readonly newRrset: boolean;
  readonly newName: boolean;
  /** The name had no data of this type before. */
  readonly newType: boolean;
  /** For each rdata: whether the name did not have it before, in any bailiwick. */
  readonly newRr: readonly boolean[];
  /** Nothing at or below the base domain was known before. */
  readonly newDomain: boolean;
  /**
   * Set on the first RRset of a base domain in the batch, if the domain was never seen before (`first`) or not within `silenceSeconds`
   * before its earliest sighting in the batch (`again`).
   */
  readonly domain: { readonly name: WireName; readonly kind: 'first' | 'again' } | undefined;
  /** A base domain at or below which nothing was known before from sensors or zone files; once per batch. */
  readonly discovered: WireName | undefined;
  /** Owner names and names in rdata that were never seen as either before; each once per batch, never the root. */
  readonly newHosts: readonly WireName[];
}

export interface IntakeOptions {
  /**
   * Makes a repeated import of the same sequence idempotent: observations that an earlier intake with this id made durable are skipped.
   */
  readonly importId?: string | undefined;
  /** Whether newly observed data is to be published. Otherwise it is treated as history. */
  readonly publish?: boolean;
}

/** Accepts any number of observations. They are durable once a later `flush` resolves. */
export interface Intake {
  /** Returns a promise when the store falls behind, which resolves when there is room: awaiting it provides backpressure. */
  add(observation: Rrset): Promise<void> | undefined;
  /** The same for an RRset in packed form (`src/model/dns/packed-rrset.ts`): the first `length` of these bytes, which are copied. */
  addPacked(packed: Uint8Array, length: number): Promise<void> | undefined;
  flush(): Promise<void>;
  /** How many observations are durable, including those of earlier intakes with the same import id. */
  readonly durable: number;
  /** Flushes and, for an import, records that it is complete. */
  finish(): Promise<void>;
}

export interface ImportState {
  readonly id: string;
  readonly observations: number;
  readonly complete: boolean;
}

/** How many domains and host names a batch or an import contained that were never observed before. */
export interface NewlyObservedCounts {
  readonly domains: number;
  readonly hosts: number;
}

export interface RrsetStatistics {
  /** Forward rows before merging across segments: an upper bound of the RRsets. */
  readonly rrsets: number;
  readonly bytes: number;
  readonly segments: number;
  readonly firstSeconds: number | undefined;
  readonly lastSeconds: number | undefined;
}

export interface RrsetStore {
  openIntake(options?: IntakeOptions): Promise<Intake>;

  findImport(id: string): Promise<ImportState | undefined>;

  /** Over the batches of an import that are published by now, by any process. */
  countNewlyObserved(importId: string): Promise<NewlyObservedCounts>;

  /** In the order of the store: forward rows by the labels of the owner from the top-level domain down, inverse rows by rdata. */
  scan(scan: Scan): Slices<Row>;

  scanText(scan: TextScan): Slices<TextRow>;

  /** The unpublished batch with the smallest sequence. */
  findUnpublished(): Promise<UnpublishedBatch | undefined>;

  /**
   * Every RRset of an unpublished batch, in the order of the store. Repeatable: the result depends only on the batch and on what was known
   * before it. Throws `not-found` if the batch is already published.
   */
  scanNewlyObserved(scan: NewlyObservedScan): AsyncIterable<readonly NewlyObservedRrset[]>;

  /** `counts` are those of the whole batch. */
  markPublished(sequence: number, counts: NewlyObservedCounts): Promise<void>;

  /** A value that changes when the result of a scan may have changed. */
  state?(): unknown;

  statistics(): Promise<RrsetStatistics>;

  /** Runs compaction until nothing is left to merge. The results of scans do not change. Damaged segments are left as they are. */
  compact(): Promise<void>;

  /** Reads everything that is stored, and names what is damaged. Progress is in bytes. */
  verify(onProgress?: (done: number, all: number) => void): AsyncIterable<Damage>;

  close(): Promise<void>;
}
