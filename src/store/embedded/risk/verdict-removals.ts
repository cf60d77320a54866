/**
 * Removes verdicts that are no longer valid: of superseded snapshots, of expired ones, of removed lists. Each snapshot row has the
 * number of its domains, so the table is scanned only where there is something to remove.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isLoggedChange } from '../../risk/logged-change.ts';
import type { ListSnapshot } from '../../risk-store.ts';
import { type Database, write } from '../database.ts';
import { type SnapshotRow, snapshotRows } from './snapshot-rows.ts';
import { verdictChanges } from './verdict-changes.ts';

const removeBatchSize = 5000;

interface ListedRow {
  readonly domain: string;
  readonly list: number;
  readonly reading: number;
}

export function verdictRemovals(database: Database) {
  const snapshots = snapshotRows(database);
  const changes = verdictChanges(database);
  const ofSnapshots = database.prepare(
    `select domain, list, reading from listed
     where domain >= ? and reading in (select value from json_each(?)) order by domain, list limit ?`,
  );
  const remove = database.prepare('delete from listed where domain = ? and list = ? and reading = ?');
  const superseded = database
    .prepare(
      `select number from reading
       where list = (select id from list where name = ?) and id < ? and until_ms is null and domains > 0`,
    )
    .pluck();
  const expired = database.prepare('select number from reading where until_ms <= ? and domains > 0').pluck();
  const complete = database.prepare(
    'update list set read_ms = ?, place = ? where id = ? and reading_id <= ? returning id',
  );
  const otherLists = database
    .prepare('select id from list where name not in (select value from json_each(?))')
    .pluck();
  const ofList = database.prepare('select number from reading where list = ? and domains > 0').pluck();
  const removeSnapshots = database.prepare('delete from reading where list = ? and domains = 0');
  const removeList = database.prepare(
    'delete from list where id = ? and not exists (select 1 from reading where list = list.id)',
  );

  /** Skips rows that have moved to another snapshot meanwhile. */
  const removeFound = (found: readonly ListedRow[]) =>
    write(database, () => {
      const rows = new Map<number, SnapshotRow>();
      const counts = new Map<number, number>();
      let removed = 0;
      for (const { domain, list, reading } of found) {
        if (remove.run(domain, list, reading).changes === 0) continue;
        removed += 1;
        const row = rows.get(reading) ?? snapshots.numbered(reading);
        rows.set(reading, row);
        counts.set(reading, (counts.get(reading) ?? 0) - 1);
        if (isLoggedChange(row, undefined)) changes.append(domain);
      }
      snapshots.addCounts(counts);
      for (const { list } of rows.values()) snapshots.removeEmpty(list);
      return removed;
    });

  /** One batch, from a domain on; gives the number removed and the domain to continue from, if any. */
  const removeFrom = async (from: string, numbers: readonly number[], limit: number) => {
    const found = ofSnapshots.all(from, JSON.stringify(numbers), limit) as ListedRow[];
    const removed = found.length === 0 ? 0 : await removeFound(found);
    return { removed, next: found.length < limit ? undefined : found.at(-1)?.domain };
  };

  const removeAll = async (numbers: readonly number[]) => {
    if (numbers.length === 0) return;
    for (let from: string | undefined = ''; from !== undefined; ) {
      from = (await removeFrom(from, numbers, removeBatchSize)).next;
      await yieldToEventLoop();
    }
  };

  let expiredCursor = '';

  return {
    async completeSnapshot(
      snapshot: ListSnapshot,
      checkpoint: string | undefined,
      nowMs: number,
    ): Promise<void> {
      await removeAll(superseded.all(snapshot.list, snapshot.id) as number[]);
      await write(database, () => {
        const { list } = snapshots.of(snapshot);
        if (complete.get(nowMs, checkpoint ?? null, list, snapshot.id)) snapshots.removeEmpty(list);
      });
    },

    async removeListsExcept(lists: readonly string[]): Promise<void> {
      for (const list of otherLists.all(JSON.stringify(lists)) as number[]) {
        await removeAll(ofList.all(list) as number[]);
        await write(database, () => {
          removeSnapshots.run(list);
          removeList.run(list);
        });
      }
    },

    /** Each call continues the scan where the previous one ended, and wraps around. */
    async removeExpired(nowMs: number, limit: number): Promise<number> {
      let removed = 0;
      for (let rounds = 0; removed < limit && rounds < 2; ) {
        const numbers = expired.all(nowMs) as number[];
        if (numbers.length === 0) break;
        const step = await removeFrom(expiredCursor, numbers, Math.min(removeBatchSize, limit - removed));
        removed += step.removed;
        expiredCursor = step.next ?? '';
        if (step.next === undefined) rounds += 1;
        await yieldToEventLoop();
      }
      return removed;
    },
  };
}
