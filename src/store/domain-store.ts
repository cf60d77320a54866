/**
 * Domain records, and everything that leads from one domain to others: which domains share a value, how many, and what was
 * true before. Upserts keep records, values, counts and history in agreement, whenever a process is killed.
 */
import type { RecordPart, SharedValue } from '../model/record/attributes.ts';
import type { Attribute, Column, Condition } from '../model/record/condition.ts';
import type { DomainRecord } from '../model/record/domain-record.ts';

/** A record on its way in: normalised, and who says so. */
export interface RecordUpdate {
  readonly record: DomainRecord;
  /** The members that this update is about: others stay as they are, whatever the record says of them. All unless given. */
  readonly members?: readonly (keyof DomainRecord)[];
  /** The collector or import that it comes from. */
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

/** A domain as the store knows it. Ids are never used again. */
export type DomainId = number;

export type Matches =
  | { readonly total: number; readonly ids: readonly DomainId[] }
  /** More than were wanted. */
  | { readonly total: 'too-many' };

/** A record as it is kept. */
export interface StoredRecord {
  /** A `DomainRecord`; whoever only passes it on need not take it apart. */
  readonly json: string;
  /** How many domains have each of its values: part by part, in the order in which `walkValues` meets them. */
  readonly counts: ValueCounts;
}

export type ValueCounts = Readonly<Partial<Record<RecordPart, Uint32Array>>>;

export interface FieldChange {
  readonly domain: string;
  /** Rises with every change; pages of changes that were made at once continue with it. */
  readonly id: number;
  /** A member of the plain record: `registrar`, `ip`. */
  readonly field: string;
  /** JSON of the member before and after; undefined where there was none. */
  readonly before: unknown;
  readonly after: unknown;
  readonly atMs: number;
  readonly source: string;
}

/** A record that was written: what consumers of records read on from. */
export interface LoggedUpdate {
  /** Rises with every update, in the order in which they became durable. */
  readonly id: number;
  readonly domain: string;
  readonly atMs: number;
  readonly source: string;
  /** Members of the plain record that changed; undefined where the record is new. */
  readonly fields: readonly string[] | undefined;
}

export interface Tag {
  readonly label: string;
  readonly scope: 'own' | 'team';
  readonly taggedMs: number;
}

export interface TopValue {
  readonly value: string;
  readonly domains: number;
  /** Over the domains of the whole store that have the value; undefined where none has a score. */
  readonly averageRisk: number | undefined;
}

export interface DomainStore {
  /**
   * All of them are durable when this resolves, or none is. Several about one domain hold in their order. `first_seen` is the
   * earliest that was ever said, or else when the first update was seen; `data_updated_timestamp` is when an update was seen
   * that changed something.
   */
  upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts>;

  /** By punycode name, in the order asked for; undefined where there is no record. */
  findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]>;

  /** With counts of all values of some parts. */
  getRecords(ids: readonly DomainId[], parts: readonly RecordPart[]): Promise<readonly StoredRecord[]>;

  /** At most `limit` matches, all of them, in order: equal ones by name. A matter of one moment. */
  search(condition: Condition, order: SortOrder, limit: number): Promise<Matches>;

  /** How many domains have each of these values, in the order asked for. */
  countsOf(values: readonly SharedValue[]): Promise<readonly number[]>;

  /** The most frequent values of an attribute among these domains, the most frequent first. */
  listTopValues(ids: readonly DomainId[], attribute: Attribute, limit: number): Promise<readonly TopValue[]>;

  /** Average risk of all domains that have a value; undefined where none has a score. */
  averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]>;

  /** Newest first. `beforeMs` and `beforeId` of the last change of a page begin the next one. */
  listChanges(
    domain: string,
    page: { readonly beforeMs?: number; readonly beforeId?: number; readonly limit: number },
  ): Promise<readonly FieldChange[]>;

  /** Updates that changed something, of all domains, in order, after an id. */
  listUpdates(afterId: number, limit: number): Promise<readonly LoggedUpdate[]>;

  /** Forgets updates of before a time. */
  pruneUpdates(beforeMs: number): Promise<void>;

  /** Names of all records in the order in which they came, after a place that an earlier answer gave; 0 begins. */
  listNames(
    after: number,
    limit: number,
  ): Promise<{ readonly names: readonly string[]; readonly place: number }>;

  /** How many there are. */
  countNames(): Promise<number>;

  /** Adds and removes tags of an account; `own` ones are seen by their user alone. False where there is no such record. */
  tag(
    domain: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
    by: {
      readonly accountId: string;
      readonly userId: string;
      readonly scope: Tag['scope'];
      readonly atMs: number;
    },
  ): Promise<boolean>;

  tagsOf(
    domains: readonly string[],
    who: { readonly accountId: string; readonly userId: string },
  ): Promise<readonly (readonly Tag[])[]>;

  /** Keeps the result of a search for page walks, by a name of the caller's, until a time. */
  keepWalk(name: string, ids: readonly DomainId[], untilMs: number): Promise<void>;

  findWalk(name: string, nowMs: number): Promise<readonly DomainId[] | undefined>;

  /** Recounts everything from the records; says what disagrees. */
  verifyCounts(onProgress?: (done: number, all: number) => void): Promise<readonly string[]>;

  /** Puts in order what much writing has left scattered, so that searches by text are as quick as they can be; they find the same. */
  settle(): Promise<void>;

  statistics(): Promise<{ readonly records: number; readonly values: number; readonly bytes: number }>;

  close(): Promise<void>;
}
