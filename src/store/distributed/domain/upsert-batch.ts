/** Applies record updates within one transaction, and keeps all indexes, the history and the update log in step. */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import { Problem } from '../../../model/problem.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { numbersOf } from '../../domain/columns.ts';
import { hiddenValuesOf, historicalValuesOf } from '../../domain/indexed-values.ts';
import { type KeysByPart, keysOfRecord } from '../../domain/record-keys.ts';
import { firstRecord, type Outcome, updatedRecord } from '../../domain/record-update.ts';
import type { ValueKey, ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId, RecordUpdate, SharedValue } from '../../domain-store.ts';
import type { Transaction } from '../postgres/database.ts';
import { ColumnChanges } from './column-rows.ts';
import { PostingChanges } from './posting/posting-changes.ts';
import { LogChanges } from './record-log.ts';
import { findRowsByName, putRecords, type RecordToStore, type StoredRow } from './record-rows.ts';
import { lockRecords, putNumbers, type RecordNumbers } from './record-state.ts';
import { TextChanges } from './text-rows.ts';

interface Domain {
  readonly id: DomainId;
  /** Before the transaction; undefined where the domain is new. */
  readonly before: { readonly record: DomainRecord; readonly keys: KeysByPart } | undefined;
  record: DomainRecord | undefined;
}

/** The outcomes of the updates, in their order. */
export async function upsertAll(
  sql: Transaction,
  keys: ValueKeys,
  updates: readonly RecordUpdate[],
  nowMs: number,
): Promise<readonly Outcome[]> {
  const names = [...new Set(updates.map(({ record }) => requireName(record)))];
  const locked = lockRecords(sql);
  const [numbers, rows] = await Promise.all([locked, findRowsByName(sql, names)]);
  const batch = new UpsertBatch(keys, numbers, rows);
  const outcomes = await mapInSlices(updates, (update) => batch.apply(update));
  await batch.flush(sql, nowMs);
  return outcomes;
}

/** Throws where there is none. */
export function requireName({ domain }: DomainRecord): string {
  if (typeof domain === 'string' && domain !== '') return domain;
  throw new Problem('invalid-parameters', 'a record to store has no domain');
}

class UpsertBatch {
  readonly #keys: ValueKeys;
  readonly #numbers: RecordNumbers;
  readonly #firstNewId: DomainId;
  readonly #domains = new Map<string, Domain>();
  readonly #stored: ReadonlyMap<string, StoredRow>;
  readonly #postings = new PostingChanges();
  readonly #columns = new ColumnChanges();
  readonly #texts = new TextChanges();
  readonly #log = new LogChanges();

  constructor(keys: ValueKeys, numbers: RecordNumbers, stored: readonly StoredRow[]) {
    this.#keys = keys;
    this.#numbers = { ...numbers };
    this.#firstNewId = numbers.domainId + 1;
    this.#stored = new Map(stored.map((row) => [row.name, row]));
  }

  apply(update: RecordUpdate): Outcome {
    const domain = this.#domainOf(update.record.domain);
    const { id, record: before } = domain;
    const updated = before && updatedRecord(before, update);
    if (before && !updated) return 'unchanged';
    const record = updated?.record ?? firstRecord(update);
    this.#log.add(id, update, updated?.changes);
    this.#texts.replaceWhois(id, before?.parsed_whois?.record, record.parsed_whois?.record);
    const known = new Set(this.#keysOf(historicalValuesOf(before?.parsed_whois)));
    for (const key of this.#keysOf(historicalValuesOf(record.parsed_whois)))
      if (!known.has(key)) this.#postings.add(key, id);
    domain.record = record;
    return updated ? 'changed' : 'added';
  }

  async flush(sql: Transaction, nowMs: number): Promise<void> {
    const changed = [...this.#domains.values()].filter(({ record, before }) => record !== before?.record);
    if (changed.length === 0) return;
    const records = await mapInSlices(changed, (domain) => this.#index(domain));
    const added = changed.filter(({ id }) => id >= this.#firstNewId);
    await Promise.all([
      putDomains(sql, added),
      putRecords(sql, records),
      this.#texts.flush(sql),
      this.#log.flush(sql, this.#numbers, nowMs),
    ]);
    await Promise.all([this.#postings.flush(sql), this.#columns.flush(sql), putNumbers(sql, this.#numbers)]);
  }

  #domainOf(name: string): Domain {
    const known = this.#domains.get(name);
    if (known) return known;
    const row = this.#stored.get(name);
    const record = row && (JSON.parse(row.record) as DomainRecord);
    if (!row) this.#numbers.domainId += 1;
    const domain: Domain = {
      id: row?.id ?? this.#numbers.domainId,
      before: row && record && { record, keys: row.keys },
      record,
    };
    this.#domains.set(name, domain);
    return domain;
  }

  /** Adds the keys that the record did not have, and removes those that it has no longer. */
  #index({ id, before, record }: Domain): RecordToStore {
    const after = record as DomainRecord;
    const had = new Set(before ? this.#shownKeys(before.record, before.keys) : []);
    const lost = new Set(had);
    const keep = (key: ValueKey) => {
      if (!had.has(key)) this.#postings.add(key, id);
      lost.delete(key);
    };
    const keys = keysOfRecord(this.#keys, after, (key, attribute, value) => {
      keep(key);
      this.#texts.addValue(key, attribute, value);
    });
    for (const key of this.#keysOf(hiddenValuesOf(after))) keep(key);
    for (const key of lost) this.#postings.remove(key, id);
    this.#columns.set(id, before && numbersOf(before.record), numbersOf(after));
    return { id, record: after, keys };
  }

  #shownKeys(record: DomainRecord, { root, parsed_whois, parsed_domain_rdap }: KeysByPart): ValueKey[] {
    return [...root, ...parsed_whois, ...parsed_domain_rdap, ...this.#keysOf(hiddenValuesOf(record))];
  }

  #keysOf(values: readonly SharedValue[]): ValueKey[] {
    return values.map(({ attribute, value }) => this.#keys.keyOf(attribute, value));
  }
}

async function putDomains(sql: Transaction, added: readonly Domain[]): Promise<void> {
  if (added.length === 0) return;
  await sql`insert into record_domain (id, name)
    select * from unnest(${added.map(({ id }) => id)}::int[],
      ${added.map(({ record }) => record?.domain as string)}::text[])`;
}
