/** Applies record updates one after another within the caller's transaction, and keeps all indexes, the history and the update log in step. */
import type { Attribute } from '../../../model/record/condition.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { numbersOf } from '../../domain/columns.ts';
import { hiddenValuesOf, historicalValuesOf } from '../../domain/indexed-values.ts';
import { firstRecord, type Outcome, updatedRecord } from '../../domain/record-update.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId, RecordUpdate, SharedValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { ColumnChanges } from './columns.ts';
import { PostingChanges } from './posting-changes.ts';
import {
  keysOf,
  numbersAt,
  type PreparedRecords,
  type PreparedTexts,
  recordOf,
  textsOf,
} from './prepared-records.ts';
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
  #firstNewId: DomainId = 1;
  #wasCommitted = false;
  readonly #putDomain;
  readonly #putDomainAs;
  readonly #putRecord;
  readonly #putRecordBytes;
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
    this.#putDomainAs = database.prepare('insert into domain (id, name) values (?, ?)');
    this.#putRecord = database.prepare(
      'insert or replace into record (id, record, checksum) values (?, ?, ?)',
    );
    this.#putRecordBytes = database.prepare(
      'insert into record (id, record, checksum) values (?, cast(? as text), ?)',
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

  /** In place of `apply`, for a whole transaction. False, and nothing is done, unless all of its domains are new. */
  addPrepared(batch: readonly PreparedRecords[]): boolean {
    const texts = batch.map(textsOf);
    if (!this.#areNew(texts.flatMap(({ names }) => names))) return false;
    let id = this.#firstNewId;
    for (const [index, prepared] of batch.entries()) {
      this.#addRows(prepared, texts[index] as PreparedTexts, id);
      id += prepared.recordEnds.length;
    }
    return true;
  }

  flush(): void {
    this.#postings.flush(this.#firstNewId);
    this.#columns.flush();
    this.#parts.flush();
  }

  #areNew(names: readonly string[]): boolean {
    return (
      new Set(names).size === names.length && names.every((name) => this.#rows.findId(name) === undefined)
    );
  }

  /** One table after the other, whose pages then stay in the processor's cache. */
  #addRows(prepared: PreparedRecords, texts: PreparedTexts, firstId: DomainId): void {
    const { names, sources, seenMs, words, attributes, folded } = texts;
    for (const [index, name] of names.entries()) this.#putDomainAs.run(firstId + index, name);
    for (const [index, source] of sources.entries())
      this.#log.append(firstId + index, { source, seenMs: seenMs[index] as number }, this.#nowMs, undefined);
    for (const [index, name] of names.entries()) this.#parts.addName(firstId + index, name);
    for (let index = 0; index < names.length; index += 1) {
      const [id, bytes] = [firstId + index, recordOf(prepared, index)];
      this.#putRecordBytes.run(id, bytes, rowChecksum(id, bytes));
    }
    for (let index = 0; index < names.length; index += 1)
      this.#recordKeys.put(firstId + index, keysOf(prepared, index));
    for (let index = 0; index < names.length; index += 1)
      this.#columns.set(firstId + index, undefined, numbersAt(prepared, index));
    for (const [index, text] of words.entries()) this.#whois.add(firstId + index, text);
    for (const [index, text] of folded.entries())
      this.#parts.addFolded(prepared.valueKeys[index] as ValueKey, attributes[index] as Attribute, text);
    this.#postings.addAll(prepared.addedKeys, prepared.addedIds, firstId);
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
