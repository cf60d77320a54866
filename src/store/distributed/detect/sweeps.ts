/**
 * Changes that affect more rows than one transaction should touch: a monitor is deleted, its exclusions change, a domain becomes an own
 * domain. The intent is durable before a sweep begins, so that another node finishes it where one dies. Sweeps are idempotent, and safe to
 * run on several nodes at once.
 */
import type { DomainState } from '../../../model/detect/watchlist.ts';
import { withParents } from '../../detect/rows/own-names.ts';
import type { DeletedMonitor } from '../../monitor-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { changeAccount } from './account-lock.ts';
import { forgetDomains, unblockDomains, updateMemberships } from './memberships.ts';
import { listOwnDomains } from './own-domains.ts';

/** Rows per transaction: other changes of the account wait some hundredths of a second for it. */
const matchesMax = 500;
const namesMax = 5000;

export interface SweptMonitor {
  readonly accountId: string;
  readonly number: number;
}

interface DeletionRow {
  readonly updated_ms: number;
  readonly forgotten: boolean;
  readonly unblocked: boolean;
}

/** Removes its matches, takes domains without another match off the lists, and finally removes the monitor. */
export async function removeMonitor(
  database: PostgresDatabase,
  { accountId, number }: SweptMonitor,
): Promise<DeletedMonitor> {
  const counts = { removed: 0, remembered: 0, blocked: 0 };
  for (;;) {
    const step = await changeAccount(database, accountId, async (sql) => {
      const [deletion] = await sql<DeletionRow[]>`
        select updated_ms, forgotten, unblocked from monitor where number = ${number} and deleted`;
      const domains = deletion ? await listMatches(sql, number, 0) : [];
      const done =
        deletion && domains.length > 0
          ? await removeFrom(sql, accountId, number, { domains, deletion })
          : undefined;
      const isLast = domains.length < matchesMax;
      if (isLast) await sql`delete from monitor where number = ${number} and deleted`;
      return { ...done, isLast };
    });
    counts.removed += step.removed ?? 0;
    counts.remembered += step.remembered ?? 0;
    counts.blocked += step.blocked ?? 0;
    if (step.isLast) return counts;
  }
}

async function removeFrom(
  sql: Transaction,
  accountId: string,
  monitor: number,
  { domains, deletion }: { readonly domains: readonly number[]; readonly deletion: DeletionRow },
): Promise<DeletedMonitor> {
  const atMs = deletion.updated_ms;
  await sql`delete from monitor_match where monitor = ${monitor} and domain = any(${domains}::bigint[])`;
  await updateMemberships(
    sql,
    domains.map((number) => ({ number, atMs })),
  );
  const alone = await sql<{ number: number; state: DomainState }[]>`
    select number, state from watchlist_domain where number = any(${domains}::bigint[]) and not matched
    order by number`;
  const numbers = alone.map(({ number }) => number);
  if (deletion.forgotten) {
    await forgetDomains(sql, accountId, numbers);
    return { removed: alone.length, remembered: 0, blocked: 0 };
  }
  if (deletion.unblocked) await unblockDomains(sql, accountId, numbers, atMs);
  const blocked =
    await sql`select 1 from escalation where domain = any(${numbers}::bigint[]) and type = 'blocked'`;
  return {
    removed: alone.length,
    remembered: alone.filter(({ state }) => state !== 'new').length,
    blocked: blocked.count,
  };
}

/** Each step applies the current settings. A concurrent change of the settings starts its own sweep. */
export async function applySettings(
  database: PostgresDatabase,
  { accountId, number }: SweptMonitor,
): Promise<void> {
  const [settings] = await database.read(
    (sql) => sql<{ updated_ms: number }[]>`select updated_ms from monitor where number = ${number}`,
  );
  if (!settings) return;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    after = await changeAccount(database, accountId, async (sql) => {
      const [now] = await sql<
        { updated_ms: number }[]
      >`select updated_ms from monitor where number = ${number}`;
      const domains = now ? await listMatches(sql, number, from) : [];
      await updateMemberships(
        sql,
        domains.map((domain) => ({ number: domain, atMs: now?.updated_ms ?? 0 })),
      );
      if (domains.length === matchesMax) return domains.at(-1);
      await sql`update monitor set applied_ms = greatest(applied_ms, ${settings.updated_ms}::bigint) where number = ${number}`;
      return undefined;
    });
  }
}

async function listMatches(sql: Transaction, monitor: number, after: number): Promise<readonly number[]> {
  const rows = await sql<{ domain: number }[]>`
    select domain from monitor_match where monitor = ${monitor} and domain > ${after} order by domain limit ${matchesMax}`;
  return rows.map(({ domain }) => domain);
}

/** Takes own domains off the account's lists. */
export async function removeOwnDomains(database: PostgresDatabase, accountId: string): Promise<void> {
  const unswept = await database.read(
    (sql) =>
      sql<{ name: string }[]>`select name from own_domain where account_id = ${accountId} and not swept`,
  );
  if (unswept.length === 0) return;
  const names = unswept.map(({ name }) => name);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    after = await changeAccount(database, accountId, async (sql) => {
      const own = new Set(await listOwnDomains(sql, accountId));
      const domains = await sql<{ number: number; name: string }[]>`
        select number, name from watchlist_domain where account_id = ${accountId} and name > ${from}
        order by name limit ${namesMax}`;
      const owned = domains.filter(({ name }) => withParents(name).some((each) => own.has(each)));
      await forgetDomains(
        sql,
        accountId,
        owned.map(({ number }) => number),
      );
      if (domains.length === namesMax) return domains.at(-1)?.name;
      await sql`update own_domain set swept = true where account_id = ${accountId} and name = any(${names}::text[])`;
      return undefined;
    });
  }
}
