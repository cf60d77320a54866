/**
 * Takes away what lists no longer say. Each reading knows how many domains are of it, so that the whole table is looked at only where
 * something is to be found.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Reading } from '../../risk-store.ts';
import { type Database, write } from '../database.ts';
import { type ReadingRow, readingRows } from './reading-rows.ts';
import { saysOther, verdictChanges } from './verdict-changes.ts';

const removedAtOnce = 5000;

interface Doomed {
  readonly domain: string;
  readonly list: number;
  readonly reading: number;
}

export function verdictRemovals(database: Database) {
  const readings = readingRows(database);
  const changes = verdictChanges(database);
  const ofReadings = database.prepare(
    `select domain, list, reading from listed
     where domain >= ? and reading in (select value from json_each(?)) order by domain, list limit ?`,
  );
  const remove = database.prepare('delete from listed where domain = ? and list = ? and reading = ?');
  const replaced = database
    .prepare(
      `select number from reading
       where list = (select id from list where name = ?) and id < ? and until_ms is null and domains > 0`,
    )
    .pluck();
  const expired = database.prepare('select number from reading where until_ms <= ? and domains > 0').pluck();
  const ended = database.prepare(
    'update list set read_ms = ?, place = ? where id = ? and reading_id <= ? returning id',
  );
  const unread = database
    .prepare('select id from list where name not in (select value from json_each(?))')
    .pluck();
  const ofList = database.prepare('select number from reading where list = ? and domains > 0').pluck();
  const forgetReadings = database.prepare('delete from reading where list = ? and domains = 0');
  const forgetList = database.prepare(
    'delete from list where id = ? and not exists (select 1 from reading where list = list.id)',
  );

  /** Those that are still of the reading that they were found to be of. */
  const removeFound = (found: readonly Doomed[]) =>
    write(database, () => {
      const rows = new Map<number, ReadingRow>();
      const counts = new Map<number, number>();
      let removed = 0;
      for (const { domain, list, reading } of found) {
        if (remove.run(domain, list, reading).changes === 0) continue;
        removed += 1;
        const row = rows.get(reading) ?? readings.numbered(reading);
        rows.set(reading, row);
        counts.set(reading, (counts.get(reading) ?? 0) - 1);
        if (saysOther(row, undefined)) changes.append(domain);
      }
      readings.grow(counts);
      for (const { list } of rows.values()) readings.dropUnused(list);
      return removed;
    });

  /** From a domain on, at most so many; gives how many there were, and the domain to go on from, if any. */
  const removeFrom = async (from: string, doomed: readonly number[], limit: number) => {
    const found = ofReadings.all(from, JSON.stringify(doomed), limit) as Doomed[];
    const removed = found.length === 0 ? 0 : await removeFound(found);
    return { removed, next: found.length < limit ? undefined : found.at(-1)?.domain };
  };

  const removeAll = async (doomed: readonly number[]) => {
    if (doomed.length === 0) return;
    for (let from: string | undefined = ''; from !== undefined; ) {
      from = (await removeFrom(from, doomed, removedAtOnce)).next;
      await turn();
    }
  };

  let expiredFrom = '';

  return {
    async endReading(reading: Reading, place: string | undefined, nowMs: number): Promise<void> {
      await removeAll(replaced.all(reading.list, reading.id) as number[]);
      await write(database, () => {
        const { list } = readings.of(reading);
        if (ended.get(nowMs, place ?? null, list, reading.id)) readings.dropUnused(list);
      });
    },

    async keepLists(lists: readonly string[]): Promise<void> {
      for (const list of unread.all(JSON.stringify(lists)) as number[]) {
        await removeAll(ofList.all(list) as number[]);
        await write(database, () => {
          forgetReadings.run(list);
          forgetList.run(list);
        });
      }
    },

    /** Goes round: each call begins where the one before it ended. */
    async removeExpired(nowMs: number, limit: number): Promise<number> {
      let removed = 0;
      for (let rounds = 0; removed < limit && rounds < 2; ) {
        const doomed = expired.all(nowMs) as number[];
        if (doomed.length === 0) break;
        const step = await removeFrom(expiredFrom, doomed, Math.min(removedAtOnce, limit - removed));
        removed += step.removed;
        expiredFrom = step.next ?? '';
        if (step.next === undefined) rounds += 1;
        await turn();
      }
      return removed;
    },
  };
}
