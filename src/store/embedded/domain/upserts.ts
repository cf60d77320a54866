/** Applies record updates one after another within the caller's transaction, and keeps all indexes, the history and the update log in step. */
import { affectActive, withDerivedFields } from '../../../model/record/derived-fields.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId, RecordUpdate, SharedValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { changedMembers } from './changed-members.ts';
import { ColumnChanges, numbersOf } from './columns.ts';
import { hiddenValuesOf, historicalValuesOf } from './indexed-values.ts';
import { PostingChanges } from './posting-changes.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { rowChecksum } from './row-checksum.ts';
import { SubstringIndexChanges } from './text/substring-index.ts';
import { WhoisIndexChanges } from './text/whois-index.ts';
import { UpdateLog } from './update-log.ts';
import { type ValueKey, ValueKeys } from './value-keys.ts';

export type Outcome = 'added' | 'changed' | 'unchanged';

export class Upserts {
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: PostingChanges;
  readonly #columns: ColumnChanges;
  readonly #parts: SubstringIndexChanges;
  readonly #whois: WhoisIndexChanges;
  readonly #log: UpdateLog;
  #nowMs = 0;
  #firstNewId: DomainId | undefined;
  #wasCommitted = false;
  readonly #putDomain;
  readonly #putRecord;
  readonly #putChange;

  /** So many changes of posting lists are written at once; more are pending at first. */
  constructor(database: Database, fewChanges?: number) {
    this.#rows = new RecordRows(database);
    this.#keys = new ValueKeys(database);
    this.#recordKeys = new RecordKeys(database, this.#keys);
    this.#postings = new PostingChanges(database, fewChanges);
    this.#columns = new ColumnChanges(database);
    this.#parts = new SubstringIndexChanges(database);
    this.#whois = new WhoisIndexChanges(database);
    this.#log = new UpdateLog(database);
    this.#putDomain = database.prepare('insert into domain (name) values (?)');
    this.#putRecord = database.prepare(
      'insert or replace into record (id, record, checksum) values (?, ?, ?)',
    );
    this.#putChange = database.prepare(
      'insert into change (domain_id, at_ms, field, before, after, source) values (?, ?, ?, ?, ?, ?)',
    );
  }

  /** Drops what a failed transaction left in the buffers. */
  begin(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#firstNewId = this.#rows.lastId() + 1;
    this.#postings.reset();
    this.#columns.reset();
    this.#parts.reset(this.#wasCommitted);
    this.#wasCommitted = false;
  }

  /** The transaction was committed. */
  end(): void {
    this.#wasCommitted = true;
  }

  apply(update: RecordUpdate): Outcome {
    const id = this.#rows.findId(update.record.domain);
    if (id === undefined) {
      this.#add(update);
      return 'added';
    }
    const before = this.#rows.findRecord(id) as DomainRecord;
    const { source, seenMs } = update;
    const record = mergedRecord(before, update);
    const after = {
      ...record,
      first_seen: earliest(before.first_seen ?? instant(seenMs), record.first_seen),
    };
    const members = changedMembers(before, after);
    if (members.length === 0) return 'unchanged';
    for (const member of members) {
      const [previous, current] = [before[member], after[member]].map(
        (value) => JSON.stringify(value) ?? null,
      );
      this.#putChange.run(id, seenMs, member, previous, current, source);
    }
    this.#log.append(id, update, this.#nowMs, members);
    this.#store(id, before, { ...after, data_updated_timestamp: instant(seenMs) });
    return 'changed';
  }

  flush(): void {
    this.#postings.flush(this.#firstNewId);
    this.#columns.flush();
    this.#parts.flush();
  }

  #add(update: RecordUpdate): void {
    const { record, seenMs } = update;
    const id = Number(this.#putDomain.run(record.domain).lastInsertRowid);
    this.#log.append(id, update, this.#nowMs, undefined);
    this.#parts.addName(id, record.domain);
    const seen = instant(seenMs);
    this.#store(id, undefined, {
      ...record,
      first_seen: record.first_seen ?? seen,
      data_updated_timestamp: seen,
    });
  }

  #store(id: DomainId, before: DomainRecord | undefined, after: DomainRecord): void {
    const text = JSON.stringify(after);
    this.#putRecord.run(id, text, rowChecksum(id, text));
    const keep = before ? this.#keysKept(id, before) : undefined;
    const add = keep ? keep.add : (key: ValueKey) => this.#postings.add(key, id);
    const keys = this.#recordKeys.compute(after, (key, attribute, value) => {
      add(key);
      this.#parts.addValue(key, attribute, value);
    });
    this.#recordKeys.put(id, keys);
    for (const key of this.#keysOf(hiddenValuesOf(after))) add(key);
    keep?.removeOthers();
    const known = new Set(this.#keysOf(historicalValuesOf(before?.parsed_whois)));
    for (const key of this.#keysOf(historicalValuesOf(after.parsed_whois))) {
      if (!known.has(key)) this.#postings.add(key, id);
    }
    this.#columns.set(id, before && numbersOf(before), numbersOf(after));
    this.#whois.replace(id, before?.parsed_whois?.record, after.parsed_whois?.record);
  }

  /** Adds keys that the record did not have, and removes those that it has no longer. */
  #keysKept(id: DomainId, before: DomainRecord) {
    const { root, parsed_whois, parsed_domain_rdap } = this.#recordKeys.of(id, () => before);
    const hidden = this.#keysOf(hiddenValuesOf(before));
    const had = new Set([...root, ...parsed_whois, ...parsed_domain_rdap, ...hidden]);
    const lost = new Set(had);
    return {
      add: (key: ValueKey) => {
        if (!had.has(key)) this.#postings.add(key, id);
        lost.delete(key);
      },
      removeOthers: () => {
        for (const key of lost) this.#postings.remove(key, id);
      },
    };
  }

  #keysOf(values: readonly SharedValue[]): ValueKey[] {
    return values.map(({ attribute, value }) => this.#keys.keyOf(attribute, value));
  }
}

/** The stored record with the members of an update. `active` is derived anew where the update could change it. */
function mergedRecord(before: DomainRecord, { record, members }: RecordUpdate): DomainRecord {
  if (!members) return record;
  const { active: _active, ...others } = before;
  const kept = affectActive(members) ? others : before;
  const updated = Object.fromEntries(members.map((member) => [member, record[member]]));
  return withDerivedFields({ ...kept, ...updated, sources: { ...before.sources, ...record.sources } });
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The earlier of two ISO instants; a text that is none counts as later. */
function earliest(one: string, other: string | undefined): string {
  if (other === undefined) return one;
  return Date.parse(other) < Date.parse(one) ? other : one;
}
