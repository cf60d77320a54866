/** The one row that all writers of records lock: numbers are given under the lock, so their order is that of the commits. */

import { Problem } from '../../../model/problem.ts';
import { ValueKeys } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { PostgresDatabase, Sql, Transaction } from '../postgres/database.ts';

/** The last numbers that were given. */
export interface RecordNumbers {
  domainId: DomainId;
  changeId: number;
  updateId: number;
}

/** Until the end of the transaction nobody else writes records. */
export async function lockRecords(sql: Transaction): Promise<RecordNumbers> {
  const [row] = await sql<RecordNumbers[]>`
    select last_domain_id as "domainId", last_change_id as "changeId", last_update_id as "updateId"
    from record_state for update`;
  return row as RecordNumbers;
}

export async function putNumbers(sql: Transaction, numbers: RecordNumbers): Promise<void> {
  const { domainId, changeId, updateId } = numbers;
  await sql`update record_state set version = version + 1,
    last_domain_id = ${domainId}, last_change_id = ${changeId}, last_update_id = ${updateId}`;
}

/** For changes of the index or of tags alone. */
export async function noteChange(sql: Transaction): Promise<void> {
  await sql`update record_state set version = version + 1`;
}

/** The version is another one after every change of records and their index. */
export interface RecordsState {
  readonly lastId: DomainId;
  readonly version: number;
}

export async function lastDomainId(sql: Sql): Promise<DomainId> {
  const [row] = await sql<{ id: DomainId }[]>`select last_domain_id as id from record_state`;
  return (row as { id: DomainId }).id;
}

export async function recordsVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from record_state`;
  return (row as { version: number }).version;
}

/**
 * Another text after every change of records, their index or tags. A replica that was promoted may give versions again that were lost with the server
 * before it, but was started at another time.
 */
export async function changeCountOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ count: string }[]>`
    select version || ' ' || extract(epoch from pg_postmaster_start_time()) as count from record_state`;
  return (row as { count: string }).count;
}

/** The first shard's salt never changes, so it is read once. The others get it as long as they are empty. */
export function sharedValueKeys(shards: readonly PostgresDatabase[]): () => Promise<ValueKeys> {
  let known: Promise<ValueKeys> | undefined;
  return () => {
    known ??= shareSalt(shards).catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function shareSalt([first, ...others]: readonly PostgresDatabase[]): Promise<ValueKeys> {
  const salt = await saltOf(first as PostgresDatabase);
  for (const [at, shard] of others.entries()) {
    await shard.writeRepeatable(
      (sql) =>
        sql<object[]>`update record_state set salt = ${salt} where last_domain_id = 0 and salt <> ${salt}`,
    );
    if (!salt.equals(await saltOf(shard)))
      throw new Problem(
        'unavailable',
        `shard ${at + 2} of store.postgres.shards has records of another set of shards`,
      );
  }
  return new ValueKeys(salt);
}

async function saltOf(shard: PostgresDatabase): Promise<Buffer> {
  const [row] = await shard.read((sql) => sql<{ salt: Buffer }[]>`select salt from record_state`);
  return (row as { salt: Buffer }).salt;
}
