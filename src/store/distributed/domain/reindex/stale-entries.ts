/**
 * Finds index entries that no record accounts for. A first pass counts expected and actual entries by hash bucket of their key, in
 * constant memory; only keys of buckets with too many entries are then compared with the records, entry by entry.
 */
import type { OnProgress } from '../../../../concurrency/progress-port.ts';
import { EntryBalance } from '../../../domain/entry-balance.ts';
import type { IndexEntries } from '../../../domain/reindex.ts';
import type { ValueKey, ValueKeys } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { lastDomainId } from '../record-state.ts';
import { idRange, listExpected } from './expected-entries.ts';
import { idsOfList, scanLists } from './stored-lists.ts';

const batchRecords = 200;

/** At most `limit`. Finds all of them only if the index lacks no entry. */
export async function listStaleEntries(
  sql: Transaction,
  keys: ValueKeys,
  limit: number,
  onProgress: OnProgress,
): Promise<IndexEntries> {
  const balance = new EntryBalance();
  const lastId = await lastDomainId(sql);
  for (let first = 1; first <= lastId; first += batchRecords) {
    const last = Math.min(first + batchRecords - 1, lastId);
    for (const { expected } of await listExpected(sql, keys, idRange(first, last)))
      for (const key of expected.keys()) balance.count(key, -1);
    onProgress(last, lastId);
  }
  onProgress(lastId, lastId);
  for await (const lists of scanLists(sql)) for (const { key, entries } of lists) balance.count(key, entries);
  return balance.hasSurplus()
    ? listSurplus(sql, keys, limit, balance)
    : { keys: new BigInt64Array(0), ids: new Uint32Array(0) };
}

async function listSurplus(
  sql: Transaction,
  valueKeys: ValueKeys,
  limit: number,
  balance: EntryBalance,
): Promise<IndexEntries> {
  const keys: ValueKey[] = [];
  const ids: DomainId[] = [];
  for await (const lists of scanLists(sql)) {
    for (const { key } of lists) {
      if (!balance.mayBeStale(key)) continue;
      for (const id of await staleIds(sql, valueKeys, key)) {
        if (ids.length === limit) break;
        keys.push(key);
        ids.push(id);
      }
    }
  }
  return { keys: BigInt64Array.from(keys), ids: Uint32Array.from(ids) };
}

/** Those in the list of the key whose record does not have the value. */
async function staleIds(sql: Transaction, valueKeys: ValueKeys, key: ValueKey): Promise<readonly DomainId[]> {
  const listed = await idsOfList(sql, key);
  const stale: DomainId[] = [];
  for (let at = 0; at < listed.length; at += batchRecords) {
    const some = listed.slice(at, at + batchRecords);
    const records = await listExpected(sql, valueKeys, some);
    const having = new Set(records.filter(({ expected }) => expected.has(key)).map(({ id }) => id));
    stale.push(...some.filter((id) => !having.has(id)));
  }
  return stale;
}
