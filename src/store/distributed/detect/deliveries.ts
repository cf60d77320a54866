/** The latest deliveries of each subscription. */
import type { Delivery, DeliveryAttempt } from '../../../model/detect/delivery.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import {
  type DeliveryRow,
  deliveriesMax,
  deliveryOf,
  rowOfAttempt,
} from '../../detect/rows/delivery-rows.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';

/** The row of the subscription is locked: nobody else counts its deliveries meanwhile. */
export async function logDelivery(
  sql: Transaction,
  subscription: number,
  attempt: DeliveryAttempt,
): Promise<Delivery | undefined> {
  const isAccepted = attempt.error === undefined;
  const locked = await sql`
    update subscription set delivered_ms = ${isAccepted ? attempt.atMs : sql`delivered_ms`} where number = ${subscription}`;
  if (locked.count === 0) return undefined;
  const [newest] = await sql<DeliveryRow[]>`
    select * from delivery where subscription = ${subscription} order by number desc limit 1`;
  const row = { subscription, ...rowOfAttempt(attempt, newest) };
  await sql`insert into delivery ${sql(row)} on conflict (subscription, number) do update set status = excluded.status,
    last_event = excluded.last_event, events = excluded.events, attempts = excluded.attempts, last_ms = excluded.last_ms,
    error = excluded.error`;
  await sql`delete from delivery where subscription = ${subscription} and number <= ${row.number - deliveriesMax}`;
  return deliveryOf(row);
}

/** Newest first. */
export async function listDeliveries(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<readonly Delivery[]> {
  const rows = await sql<DeliveryRow[]>`
    select delivery.* from subscription join delivery on delivery.subscription = subscription.number
    where id = ${id} and account_id = ${accountId} order by delivery.number desc limit ${deliveriesMax}`;
  return rows.map(deliveryOf);
}
