/**
 * Domain records with their indexes: which domains share a value and how many, full-text and field search, history, tags. An upsert
 * changes records, indexes, counts and history atomically, so that they agree even after a crash.
 */
import type { RecordPart, SharedValue } from '../model/record/attributes.ts';
import type { Attribute, Column, Condition } from '../model/record/condition.ts';
import type { DomainRecord } from '../model/record/domain-record.ts';
import type { TagStore } from './domain/tag-store.ts';
import type { LogPosition } from './paging/log-position.ts';

/** A normalised record to upsert, and its source. */
export interface RecordUpdate {
  readonly record: DomainRecord;
  /** The members to update, by default all; the others keep their stored values. */
  readonly members?: readonly (keyof DomainRecord)[];
  /** The collector or import it comes from. */
  readonly source: string;
  readonly seenMs: number;
}

export interface UpsertCounts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

export type { SharedValue };

export interface SortOrder {
  readonly by: Extract<Column, 'first_seen' | 'create_date' | 'risk_score'> | 'domain';
  readonly descending: boolean;
}

/** Internal to the store. Ids are never reused. */
export type DomainId = number;

export type Matches =
  | { readonly total: number; readonly ids: readonly DomainId[] }
  /** More matches than the limit. */
  | { readonly total: 'too-many' };

export interface StoredRecord {
  /** A `DomainRecord`, unparsed so that it can be passed on without parsing. */
  readonly json: string;
  /** How many domains have each of its values: by part, in the order in which `visitValues` visits them. */
  readonly counts: ValueCounts;
}

export interface UnparsedRecord {
  /** A `DomainRecord`, as it is stored: the same text as long as it is the same record. */
  readonly json: string;
  readonly parse: () => DomainRecord;
}

export type ValueCounts = Readonly<Partial<Record<RecordPart, Uint32Array>>>;

export interface FieldChange {
  readonly domain: string;
  /** Increases with every change; breaks ties when paging through changes made at the same time. */
  readonly id: number;
  /** A member of the plain record: `registrar`, `ip`. */
  readonly field: string;
  /** The member's value before and after; undefined if absent. */
  readonly before: unknown;
  readonly after: unknown;
  readonly atMs: number;
  readonly source: string;
}

/** An entry of the update log, which consumers of record changes read. */
export interface LoggedUpdate {
  /** Of this entry. Entries come in the order in which they became durable, also where several processes write. */
  readonly position: LogPosition;
  readonly domain: string;
  readonly atMs: number;
  readonly source: string;
  /** Members of the plain record that changed; undefined if the record is new. */
  readonly fields: readonly string[] | undefined;
}

export interface TopValue {
  readonly value: string;
  readonly domains: number;
}

/** Tags are part of it, because searches combine them with everything else. */
export interface DomainStore extends TagStore {
  /**
   * Atomic, and durable when this resolves; where records are spread over several databases, atomic in each. Several updates of one domain apply in order. `first_seen` is the earliest value ever given,
   * or else the time of the first update; `data_updated_timestamp` is the time of the last update that changed something.
   */
  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts>;

  /** By punycode name, in the order given; undefined if there is no record. */
  findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]>;

  /** The same for callers that have seen most of them before, and parse the others. */
  findUnparsed(names: readonly string[]): Promise<readonly (UnparsedRecord | undefined)[]>;

  /** With the counts of the values of the given parts. */
  getRecords(ids: readonly DomainId[], parts: readonly RecordPart[]): Promise<readonly StoredRecord[]>;

  /**
   * All matches, if there are at most `limit`, sorted, ties by name. Reads a consistent snapshot: of each database, where records are spread over
   * several.
   */
  search(condition: Condition, order: SortOrder, limit: number): Promise<Matches>;

  /** A value that is another after anything in the store has changed, in any process. At once, or by a promise where the store is a network away. */
  state(): unknown;

  /** How many domains match, without a limit. Counted in parts, each from the state of the store at its time. */
  countMatches(condition: Condition): Promise<number>;

  /** Up to `limit` matches from all over the store, for estimates: every match has about the same chance. In ascending order. */
  sampleMatches(condition: Condition, limit: number): Promise<readonly DomainId[]>;

  /** How many domains have each of these values, in the order given. */
  countsOf(values: readonly SharedValue[]): Promise<readonly number[]>;

  /** The most frequent values of each attribute among these domains, in descending order of frequency. */
  listTopValues(
    ids: readonly DomainId[],
    attributes: readonly Attribute[],
    limit: number,
  ): Promise<readonly (readonly TopValue[])[]>;

  /** Average risk of all domains that have each value; undefined if none has a score. */
  averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]>;

  /** Of these domains; undefined if none has a score. */
  averageRiskOf(ids: readonly DomainId[]): Promise<number | undefined>;

  /** Newest first. The time and id of the last change of a page, as `beforeMs` and `beforeId`, begin the next page. */
  listChanges(
    domain: string,
    page: { readonly beforeMs?: number; readonly beforeId?: number; readonly limit: number },
  ): Promise<readonly FieldChange[]>;

  /** Updates of all domains that changed something, in order, after the given position. */
  listUpdates(after: LogPosition, limit: number): Promise<readonly LoggedUpdate[]>;

  /** Deletes log entries older than the given time. */
  pruneUpdates(beforeMs: number): Promise<void>;

  /**
   * Names of all records, after the position that the previous page returned: in order of insertion, and where records are spread over several
   * databases, those of one after those of the other.
   */
  listNames(
    after: LogPosition,
    limit: number,
  ): Promise<{ readonly names: readonly string[]; readonly position: LogPosition }>;

  countNames(): Promise<number>;

  /** Stores a search result for paging, under a name chosen by the caller, until the given time. */
  saveResultSnapshot(name: string, ids: readonly DomainId[], untilMs: number): Promise<void>;

  findResultSnapshot(name: string, nowMs: number): Promise<readonly DomainId[] | undefined>;

  /** Recomputes all counts from the records. Returns a description of each disagreement. */
  verifyCounts(onProgress?: (done: number, all: number) => void): Promise<readonly string[]>;

  /**
   * Brings all indexes and counts into agreement with what this version would index, as needed after an upgrade that indexes another
   * attribute. Records, history and update log stay as they are. It works in short transactions, so the store may be used meanwhile;
   * it is idempotent, and completes a run that was interrupted. Progress is reported twice from the start: for the pass over the
   * records, and for the search for entries that no record has. An error in the callback stops it.
   */
  reindex(
    onProgress?: (done: number, all: number) => void,
  ): Promise<{ readonly records: number; readonly changed: number }>;

  /** Merges what recent writes have added to the index into its tables, which speeds up all searches. Results do not change. */
  mergePostings(): Promise<void>;

  /** Merges the segments of the full-text indexes, which speeds up text search. Results do not change. */
  mergeTextIndexes(): Promise<void>;

  statistics(): Promise<{ readonly records: number; readonly values: number; readonly bytes: number }>;

  close(): Promise<void>;
}
