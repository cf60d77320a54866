/** Rows of the log of deliveries. */
import type { Delivery, DeliveryAttempt } from '../../../model/detect/delivery.ts';

/** Kept for each subscription. */
export const deliveriesMax = 50;

export interface DeliveryRow {
  readonly number: number;
  readonly kind: Delivery['kind'];
  readonly status: Delivery['status'];
  readonly first_event: number | null;
  readonly last_event: number | null;
  readonly events: number;
  readonly attempts: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly error: string | null;
}

/** A further attempt to deliver what failed last counts on that row: it begins with the same event, and may have more of them. */
export function rowOfAttempt(attempt: DeliveryAttempt, newest: DeliveryRow | undefined): DeliveryRow {
  const { kind, atMs, events, error } = attempt;
  const isRepeated =
    kind === 'events' &&
    newest?.kind === 'events' &&
    newest.status === 'failed' &&
    newest.first_event === events?.firstId;
  return {
    number: isRepeated ? newest.number : (newest?.number ?? 0) + 1,
    kind,
    status: error === undefined ? 'delivered' : 'failed',
    first_event: events?.firstId ?? null,
    last_event: events?.lastId ?? null,
    events: events?.count ?? 0,
    attempts: isRepeated ? newest.attempts + 1 : 1,
    first_ms: isRepeated ? newest.first_ms : atMs,
    last_ms: atMs,
    error: error ?? null,
  };
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    number: row.number,
    kind: row.kind,
    status: row.status,
    events:
      row.first_event === null || row.last_event === null
        ? undefined
        : { firstId: row.first_event, lastId: row.last_event, count: row.events },
    attempts: row.attempts,
    firstMs: row.first_ms,
    lastMs: row.last_ms,
    error: row.error ?? undefined,
  };
}
