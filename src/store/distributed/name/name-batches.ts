/**
 * Batches of unpublished domains. A transaction that adds to one, seals one or removes one has the lock of all until commit, so batches appear in the
 * order of their numbers, and a sealed one is complete.
 */
import { batchDomainsMax } from '../../name/batch-size.ts';
import type { Transaction } from '../postgres/database.ts';

interface Batch {
  readonly number: number;
  readonly domains: number;
  readonly isSealed: boolean;
}

export interface FreshNames {
  readonly names: readonly string[];
  readonly seenMs: number;
  readonly source: string;
}

export async function lockBatches(sql: Transaction): Promise<void> {
  await sql`select from name_total for update`;
}

export async function addToBatch(sql: Transaction, { names, seenMs, source }: FreshNames): Promise<void> {
  await lockBatches(sql);
  const number = await batchFor(sql, names.length);
  await Promise.all([
    sql`
      insert into unpublished_name (batch, name, seen_ms, source)
      select ${number}, name, ${seenMs}, ${source} from unnest(${names}::text[]) fresh (name)`,
    sql`
      insert into name_batch (number, domains) values (${number}, ${names.length})
      on conflict (number) do update set domains = name_batch.domains + excluded.domains`,
    sql`
      update name_total set domains = domains + ${names.length}, last_batch = greatest(last_batch, ${number}::bigint)`,
  ]);
}

/** The open batch if it has room for this many more domains, otherwise a new one. */
async function batchFor(sql: Transaction, more: number): Promise<number> {
  const [last] = await sql<Batch[]>`
    select number, domains, is_sealed as "isSealed" from name_batch order by number desc limit 1`;
  if (last && !last.isSealed && last.domains + more <= batchDomainsMax) return last.number;
  const [total] = await sql<{ next: number }[]>`select last_batch + 1 as next from name_total`;
  return total?.next as number;
}

/** The number of the oldest batch, which from now on does not change; undefined if there is none. */
export async function sealFirstBatch(sql: Transaction): Promise<number | undefined> {
  const first = () =>
    sql<Batch[]>`select number, domains, is_sealed as "isSealed" from name_batch order by number limit 1`;
  const [unlocked] = await first();
  if (!unlocked || unlocked.isSealed) return unlocked?.number;
  await lockBatches(sql);
  const [batch] = await first();
  if (batch) await sql`update name_batch set is_sealed = true where number = ${batch.number}`;
  return batch?.number;
}
