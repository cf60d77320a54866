/**
 * Removes verdicts that are no longer valid: of superseded snapshots, of expired ones, of removed lists. Each snapshot row has the number of
 * its domains, so the rows of a list are scanned only where there is something to remove.
 */
import { isLoggedChange } from '../../risk/logged-change.ts';
import type { ListSnapshot } from '../../risk-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { addCounts, lockList, removeEmptySnapshots, type SnapshotRow, snapshotRow } from './snapshot-rows.ts';
import { lockVerdictLog } from './verdict-log.ts';

const removeBatchSize = 5000;

/** Snapshots of a list whose domains are to be removed, and the domain after which to go on. */
interface Removal {
  readonly list: number;
  readonly snapshots: readonly number[];
  readonly after: string;
}

interface RemovedRow {
  readonly domain: string;
  readonly snapshot: number;
}

export class VerdictRemovals {
  readonly #database: PostgresDatabase;
  /** Where the last removal of expired verdicts ended: the next continues there. */
  #expiredCursor = { list: 0, domain: '' };

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async completeSnapshot(
    snapshot: ListSnapshot,
    checkpoint: string | undefined,
    nowMs: number,
  ): Promise<void> {
    const superseded = await this.#database.read(
      (sql) => sql<{ list: number; number: number }[]>`
        select s.list, s.number from reputation_snapshot s join reputation_list l on l.id = s.list
        where l.name = ${snapshot.list} and s.id < ${snapshot.id} and s.until_ms is null and s.domains > 0`,
    );
    const [first] = superseded;
    if (first)
      await this.#removeAll(
        first.list,
        superseded.map(({ number }) => number),
      );
    await this.#database.writeRepeatable(async (sql) => {
      const { list } = await snapshotRow(sql, snapshot);
      const completed = await sql`
        update reputation_list set read_ms = ${nowMs}, checkpoint = ${checkpoint ?? null}
        where id = ${list} and snapshot_id <= ${snapshot.id} returning id`;
      if (completed.length > 0) await removeEmptySnapshots(sql, list);
    });
  }

  async removeListsExcept(lists: readonly string[]): Promise<void> {
    const others = await this.#database.read(
      (sql) => sql<{ list: number; snapshots: number[] }[]>`
        select l.id as list, array(select number from reputation_snapshot s where s.list = l.id and s.domains > 0) as snapshots
        from reputation_list l where l.name <> all(${lists}::text[])`,
    );
    for (const { list, snapshots } of others) {
      await this.#removeAll(list, snapshots);
      await this.#database.writeRepeatable(async (sql) => {
        await lockList(sql, list);
        await sql`delete from reputation_snapshot where list = ${list} and domains = 0`;
        await sql`
          delete from reputation_list where id = ${list}
            and not exists (select from reputation_snapshot where list = ${list})`;
      });
    }
  }

  /** Each call continues the scan where the previous one ended, and wraps around. */
  async removeExpired(nowMs: number, limit: number): Promise<number> {
    const expired = await this.#database.read(
      (sql) => sql<{ list: number; snapshots: number[] }[]>`
        select list, array_agg(number) as snapshots from reputation_snapshot
        where until_ms <= ${nowMs} and domains > 0 group by list order by list`,
    );
    const { list: cursorList, domain } = this.#expiredCursor;
    const all = expired.map((removal) => ({ ...removal, after: '' }));
    const [before, rest] = [
      all.filter(({ list }) => list <= cursorList),
      all.filter(({ list }) => list > cursorList),
    ];
    const current = before
      .filter(({ list }) => list === cursorList)
      .map((one) => ({ ...one, after: domain }));
    let removed = 0;
    for (const removal of [...current, ...rest, ...before]) {
      removed += await this.#removeUpTo(limit - removed, removal);
      if (removed >= limit) return removed;
    }
    this.#expiredCursor = { list: 0, domain: '' };
    return removed;
  }

  async #removeUpTo(limit: number, removal: Removal): Promise<number> {
    let removed = 0;
    for (let after: string | undefined = removal.after; after !== undefined && removed < limit; ) {
      const step = await this.#removeBatch({ ...removal, after }, Math.min(removeBatchSize, limit - removed));
      removed += step.removed;
      after = step.next;
      this.#expiredCursor = { list: removal.list, domain: after ?? '' };
    }
    return removed;
  }

  async #removeAll(list: number, snapshots: readonly number[]): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined && snapshots.length > 0; )
      after = (await this.#removeBatch({ list, snapshots, after }, removeBatchSize)).next;
  }

  /** Gives the number removed, and the domain after which to continue, if any. */
  async #removeBatch(
    { list, snapshots, after }: Removal,
    limit: number,
  ): Promise<{ removed: number; next: string | undefined }> {
    const removed = await this.#database.write(async (sql) => {
      await lockList(sql, list);
      const rows = await sql<RemovedRow[]>`
        delete from listed_domain where list = ${list} and domain = any(array(
          select domain from listed_domain
          where list = ${list} and domain > ${after} and snapshot = any(${snapshots}::bigint[])
          order by domain limit ${limit}))
        returning domain, snapshot`;
      if (rows.length > 0) await finishRemoval(sql, list, rows);
      return rows.map(({ domain }) => domain).sort();
    });
    return { removed: removed.length, next: removed.length < limit ? undefined : removed.at(-1) };
  }
}

/** Counts and logs what was removed from a list. */
async function finishRemoval(sql: Transaction, list: number, rows: readonly RemovedRow[]): Promise<void> {
  const counts = new Map<number, number>();
  for (const { snapshot } of rows) counts.set(snapshot, (counts.get(snapshot) ?? 0) - 1);
  const snapshots = await sql<SnapshotRow[]>`
    select number, list, id, label, weight from reputation_snapshot where number = any(${[...counts.keys()]}::bigint[])`;
  const logged = new Set(
    snapshots.filter((row) => isLoggedChange(row, undefined)).map(({ number }) => number),
  );
  const domains = rows.filter(({ snapshot }) => logged.has(snapshot)).map(({ domain }) => domain);
  await addCounts(sql, counts);
  await removeEmptySnapshots(sql, list);
  if (domains.length === 0) return;
  await lockVerdictLog(sql);
  await sql`
    insert into verdict_change (domain)
    select domain from unnest(${domains}::text[]) removed (domain) order by domain collate "C"`;
}
