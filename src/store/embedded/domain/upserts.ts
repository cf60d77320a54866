/** Applies record updates one after another within the caller's transaction, and keeps all indexes, the history and the update log in step. */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { numbersOf } from '../../domain/columns.ts';
import { hiddenValuesOf, historicalValuesOf } from '../../domain/indexed-values.ts';
import { firstRecord, type Outcome, updatedRecord } from '../../domain/record-update.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId, RecordUpdate, SharedValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { ColumnChanges } from './columns.ts';
import { PostingChanges } from './posting-changes.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { rowChecksum } from './row-checksum.ts';
import { valueKeysOf } from './stored-salt.ts';
import { SubstringIndexChanges } from './text/substring-index.ts';
import { WhoisIndexChanges } from './text/whois-index.ts';
import { UpdateLog } from './update-log.ts';

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
    this.#keys = valueKeysOf(database);
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
    const updated = updatedRecord(before, update);
    if (!updated) return 'unchanged';
    for (const { field, previous, current } of updated.changes)
      this.#putChange.run(id, seenMs, field, previous, current, source);
    this.#log.append(
      id,
      update,
      this.#nowMs,
      updated.changes.map(({ field }) => field),
    );
    this.#store(id, before, updated.record);
    return 'changed';
  }

  flush(): void {
    this.#postings.flush(this.#firstNewId);
    this.#columns.flush();
    this.#parts.flush();
  }

  #add(update: RecordUpdate): void {
    const { record } = update;
    const id = Number(this.#putDomain.run(record.domain).lastInsertRowid);
    this.#log.append(id, update, this.#nowMs, undefined);
    this.#parts.addName(id, record.domain);
    this.#store(id, undefined, firstRecord(update));
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
