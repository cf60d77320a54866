/** Subscriptions, the last event delivered to each, and the leases of deliveries. */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import { newId } from '../../../model/account/api-key.ts';
import type { Subscription, WatchlistId } from '../../../model/detect/watchlist.ts';
import {
  changedSubscription,
  deliveryWaitMsMax,
  type SubscriptionRow,
  subscriptionOf,
} from '../../detect/rows/subscription-rows.ts';
import type { DeliveryOutcome, NewSubscription, SubscriptionChange } from '../../event-store.ts';
import type { Fragment, PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';
import { lastEventId } from './event-log.ts';

export async function createSubscription(
  sql: Transaction,
  accountId: string,
  subscription: NewSubscription,
): Promise<Subscription> {
  const { by, target, events, every, seed, createdBy, createdMs, nextMs, schedule } = subscription;
  const { format = 'nameglass', options = {} } = subscription;
  const deliveredId = await lastEventId(sql, accountId);
  const [row] = await sql<SubscriptionRow[]>`
    insert into subscription (id, account_id, means, target, events, every, schedule, format, options, seed, created_by,
      created_ms, delivered_id, next_ms)
    values (${newId()}, ${accountId}, ${by}, ${target}, ${events}::text[], ${every},
      ${schedule ? JSON.stringify(schedule) : null}, ${format}, ${JSON.stringify(options)}, ${seed}, ${createdBy},
      ${createdMs}, ${deliveredId}, ${nextMs}) returning *`;
  return subscriptionOf(row as SubscriptionRow);
}

export async function listSubscriptions(
  sql: Statements,
  accountId: string,
): Promise<readonly Subscription[]> {
  const rows = await sql<SubscriptionRow[]>`
    select * from subscription where account_id = ${accountId} order by number`;
  return rows.map(subscriptionOf);
}

export async function findSubscriptionRow(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`
    select * from subscription where id = ${id} and account_id = ${accountId}`;
  return row;
}

export async function updateSubscription(
  sql: Transaction,
  accountId: string,
  { id, change }: { readonly id: WatchlistId; readonly change: SubscriptionChange },
  by: { readonly username: string; readonly atMs: number },
): Promise<Subscription | undefined> {
  const row = await findSubscriptionRow(sql, accountId, id);
  if (!row) return undefined;
  const { events, every, schedule, pausedMs, pausedBy, nextMs } = changedSubscription(row, change, by);
  const deliveredId = change.skip ? await lastEventId(sql, accountId) : 0;
  const [updated] = await sql<SubscriptionRow[]>`
    update subscription set events = ${events}::text[], every = ${every}, schedule = ${schedule},
      paused_ms = ${pausedMs}, paused_by = ${pausedBy}, delivered_id = greatest(delivered_id, ${deliveredId}::bigint),
      next_ms = ${nextMs}
    where number = ${row.number} returning *`;
  return updated && subscriptionOf(updated);
}

interface LeaseTimes {
  readonly nowMs: number;
  readonly untilMs: number;
}

/** Asked every second; nothing is written unless something is due. What another node leases at the same time is passed over. */
export async function leaseSubscriptions(
  database: PostgresDatabase,
  limit: number,
  times: LeaseTimes,
): Promise<readonly Subscription[]> {
  const anyDue = await database.read(
    (sql) => sql`select 1 from subscription where ${isDue(sql, times)} limit 1`,
  );
  if (anyDue.length === 0) return [];
  const rows = await database.write(
    (sql) => sql<SubscriptionRow[]>`
      with due as (
        select number from subscription where ${isDue(sql, times)}
        order by next_ms, number limit ${limit} for update skip locked)
      update subscription set held_until_ms = ${times.untilMs} from due where subscription.number = due.number
      returning subscription.*`,
  );
  return [...rows]
    .sort((one, other) => one.next_ms - other.next_ms || one.number - other.number)
    .map(subscriptionOf);
}

function isDue(sql: Statements, { nowMs, untilMs }: LeaseTimes): Fragment {
  return sql`paused_ms is null and (next_ms <= ${nowMs} or next_ms > ${nowMs + deliveryWaitMsMax})
    and coalesce(held_until_ms <= ${nowMs} or held_until_ms > ${untilMs + reorderingMs}, true)
    and exists (select 1 from unnest(events) as wanted (kind) where exists (
      select 1 from watchlist_event where watchlist_event.account_id = subscription.account_id
        and watchlist_event.kind = wanted.kind and watchlist_event.number > delivered_id))`;
}

/** `deliveredId` never decreases, so that a late outcome does not cause a second delivery. Returns its number. */
export async function endLease(
  sql: Transaction,
  id: WatchlistId,
  { deliveredId, failures, error, nextMs }: DeliveryOutcome,
): Promise<number | undefined> {
  const [row] = await sql<{ number: number }[]>`
    update subscription set delivered_id = greatest(delivered_id, ${deliveredId}::bigint), failures = ${failures},
      error = ${error ?? null}, next_ms = ${nextMs}, held_until_ms = null
    where id = ${id} returning number`;
  return row?.number;
}
