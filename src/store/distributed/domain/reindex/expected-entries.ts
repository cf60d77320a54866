/** A page of records with the index entries that they should have, and what the index has of them. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import type { Attribute } from '../../../../model/record/condition.ts';
import type { DomainRecord, ParsedWhois } from '../../../../model/record/domain-record.ts';
import { expectedKeysOf } from '../../../domain/expected-keys.ts';
import type { ValueKey, ValueKeys } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { findRowsById, pastWhoisOf, type StoredRow } from '../record-rows.ts';

export interface ExpectedRecord extends Omit<StoredRow, 'record'> {
  readonly record: DomainRecord;
  readonly past: readonly ParsedWhois[];
  /** Each with its attribute. */
  readonly expected: ReadonlyMap<ValueKey, Attribute>;
}

export async function listExpected(
  sql: Transaction,
  keys: ValueKeys,
  ids: readonly DomainId[],
): Promise<readonly ExpectedRecord[]> {
  const rows = await findRowsById(sql, ids);
  const pastById = await pastWhoisOf(
    sql,
    rows.map(({ id }) => id),
  );
  return mapInSlices(rows, (row) => {
    const record = JSON.parse(row.record) as DomainRecord;
    const past = pastById.get(row.id) ?? [];
    return { ...row, record, past, expected: expectedKeysOf(keys, record, past) };
  });
}

/** From the first to the last. */
export function idRange(firstId: DomainId, lastId: DomainId): readonly DomainId[] {
  return Array.from({ length: lastId - firstId + 1 }, (_, index) => firstId + index);
}

/** Domains by the key of their value. */
export function entriesOf(
  lists: Iterable<readonly [DomainId, Iterable<ValueKey>]>,
): ReadonlyMap<ValueKey, ReadonlySet<DomainId>> {
  const entries = new Map<ValueKey, Set<DomainId>>();
  for (const [id, keys] of lists) {
    for (const key of keys) {
      const ids = entries.get(key);
      if (ids) ids.add(id);
      else entries.set(key, new Set([id]));
    }
  }
  return entries;
}
