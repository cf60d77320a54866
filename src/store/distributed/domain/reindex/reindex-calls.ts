/** What a run of `reindex` does with the database, in short transactions. */
import type { IndexEntries, ReindexCalls } from '../../../domain/reindex.ts';
import type { ValueKey, ValueKeys } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { PostgresDatabase, Transaction } from '../../postgres/database.ts';
import { PostingChanges } from '../posting/posting-changes.ts';
import { lockRecords, noteChange } from '../record-state.ts';
import { idRange, listExpected } from './expected-entries.ts';
import { applyDifferences, listDiffering } from './record-reindexer.ts';
import { listStaleEntries } from './stale-entries.ts';
import { listsOf, scanLists } from './stored-lists.ts';

export function reindexCalls(database: PostgresDatabase, keys: ValueKeys): ReindexCalls {
  return {
    listMiscounted: () => database.longSnapshot(listMiscounted),

    recount: (wrong) => database.writeRepeatable((sql) => recount(sql, wrong)),

    async reindexRecords(firstId, lastId) {
      const differing = await database.snapshot((sql) => listDiffering(sql, keys, idRange(firstId, lastId)));
      if (differing.length === 0) return [];
      return database.writeRepeatable(async (sql) => {
        // Other writes may have come in between.
        await lockRecords(sql);
        const found = await listDiffering(
          sql,
          keys,
          differing.map(({ one }) => one.id),
        );
        await applyDifferences(sql, found);
        await noteChange(sql);
        return found.map(({ one }) => one.id);
      });
    },

    listStaleEntries: (limit, onProgress) =>
      database.longSnapshot((sql) => listStaleEntries(sql, keys, limit, onProgress)),

    removeStaleEntries: (entries) =>
      database.writeRepeatable((sql) => removeStaleEntries(sql, keys, entries)),
  };
}

/** Values whose stored count is not the length of their posting list. */
async function listMiscounted(sql: Transaction): Promise<BigInt64Array> {
  const wrong: ValueKey[] = [];
  for await (const lists of scanLists(sql))
    for (const { key, domains, entries } of lists) if (entries !== domains) wrong.push(key);
  return BigInt64Array.from(wrong);
}

async function recount(sql: Transaction, wrong: BigInt64Array): Promise<void> {
  await lockRecords(sql);
  const lists = await listsOf(sql, Array.from(wrong));
  const empty = lists.filter(({ entries }) => entries === 0).map(({ key }) => String(key));
  const keys = lists.map(({ key }) => String(key));
  const counts = lists.map(({ entries }) => entries);
  await sql`update record_value set domains = counted.entries
    from unnest(${keys}::bigint[], ${counts}::int[]) as counted (key, entries) where record_value.key = counted.key`;
  await sql`delete from record_value where key = any(${empty}::bigint[])`;
  await noteChange(sql);
}

/** Removes those that still are stale, and returns the ids of their domains. */
async function removeStaleEntries(
  sql: Transaction,
  keys: ValueKeys,
  entries: IndexEntries,
): Promise<readonly DomainId[]> {
  await lockRecords(sql);
  const records = await listExpected(sql, keys, [...new Set(entries.ids)]);
  const expected = new Map(records.map((one) => [one.id, one.expected]));
  const postings = new PostingChanges();
  const stale = Array.from(entries.ids).filter((id, index) => {
    const key = entries.keys[index] as ValueKey;
    if (expected.get(id)?.has(key)) return false;
    postings.remove(key, id);
    return true;
  });
  await postings.flush(sql);
  await noteChange(sql);
  return stale;
}
