/** Events for the HTTP Event Collector of Splunk: one object after another, without an array around them. */
import { eventJson } from '../event-json.ts';
import type { WatchlistEvent } from '../watchlist.ts';
import { boundedValue } from './bounded-value.ts';
import { type AlertMessage, testSentence } from './message.ts';
import type { ReceiverOptions } from './receiver.ts';

const bounds = { textBytes: 2000, items: 100, depth: 4 };
const usualSourcetype = 'nameglass:detect';

export function splunkBody(message: AlertMessage, { index, sourcetype }: ReceiverOptions): string {
  const { deliveryId, events, atMs } = message;
  const write = (ms: number, event: object) =>
    JSON.stringify({
      time: ms / 1000,
      source: 'nameglass',
      sourcetype: sourcetype ?? usualSourcetype,
      ...(index === undefined ? {} : { index }),
      event,
    });
  if (events.length === 0)
    return write(atMs, { event: 'test', delivery_id: deliveryId, message: testSentence });
  const members = (event: WatchlistEvent) => boundedValue(eventJson(event), bounds) as object;
  return events.map((event) => write(event.atMs, { ...members(event), delivery_id: deliveryId })).join('\n');
}
