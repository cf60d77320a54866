/** Our own JSON: events as in the event stream. */
import { eventJson } from '../event-json.ts';
import type { AlertMessage } from './message.ts';

export function nameglassBody({ subscriptionId, deliveryId, events }: AlertMessage): string {
  return JSON.stringify({
    subscription_id: subscriptionId,
    delivery_id: deliveryId,
    ...(events.length === 0 ? { test: true } : {}),
    events: events.map(eventJson),
  });
}
