/** Deliveries to subscriptions, as they are logged. */

export type DeliveryKind = 'events' | 'test' | 'replay';

/** Events by their ids; between the two there may be others, of kinds that the subscription does not include. */
export interface DeliveredEvents {
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

export interface DeliveryAttempt {
  readonly kind: DeliveryKind;
  readonly atMs: number;
  /** Undefined for a test. */
  readonly events: DeliveredEvents | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

export interface Delivery {
  /** Increases within a subscription. */
  readonly number: number;
  readonly kind: DeliveryKind;
  readonly status: 'delivered' | 'failed';
  readonly events: DeliveredEvents | undefined;
  readonly attempts: number;
  /** Of the first and the last attempt. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly error: string | undefined;
}
