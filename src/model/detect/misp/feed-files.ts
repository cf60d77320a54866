/** The files of a MISP feed, in parts, so that their length does not matter: `manifest.json`, `hashes.csv` and `<uuid>.json`. */
import { createHash } from 'node:crypto';
import {
  attributeOf,
  changedSeconds,
  eventHead,
  type FeedEvent,
  type FeedOwner,
  textCleaner,
} from './feed-event.ts';

/** A part takes a few milliseconds. */
const eventsPerPart = 20;
const attributesPerPart = 100;

export function* manifestFile(
  events: Iterable<FeedEvent>,
  owner: FeedOwner,
): Generator<string, void, undefined> {
  yield* joined(events, eventsPerPart, {
    before: '{',
    after: '}\n',
    write: (event) => `\n${JSON.stringify(event.uuid)}:${JSON.stringify(eventHead(event, owner))}`,
  });
}

/** What MISP compares its own data with, without reading events: the MD5 of each value and the event that has it. */
export function* hashesFile(events: Iterable<FeedEvent>): Generator<string, void, undefined> {
  for (const { uuid, periods } of events)
    for (let from = 0; from < periods.length; from += attributesPerPart)
      yield periods
        .slice(from, from + attributesPerPart)
        .map(({ name, removed }) => (removed === undefined ? `${md5(name)},${uuid}\n` : ''))
        .join('');
}

export function* eventFile(event: FeedEvent, owner: FeedOwner): Generator<string, void, undefined> {
  const { uuid } = event;
  const cleaned = textCleaner();
  const seconds = String(changedSeconds(event));
  const members = {
    uuid,
    ...eventHead(event, owner),
    published: true,
    publish_timestamp: seconds,
    extends_uuid: '',
  };
  yield* joined(event.periods, attributesPerPart, {
    before: `{"Event":${JSON.stringify(members).slice(0, -1)},"Attribute":[`,
    after: ']}}\n',
    write: (period) => `\n${JSON.stringify(attributeOf(event, period, cleaned))}`,
  });
}

interface Joining<Item> {
  readonly before: string;
  readonly after: string;
  readonly write: (item: Item) => string;
}

/** Items with commas between them. */
function* joined<Item>(
  items: Iterable<Item>,
  perPart: number,
  { before, after, write }: Joining<Item>,
): Generator<string, void, undefined> {
  let [part, count, comma] = [before, 0, ''];
  for (const item of items) {
    part += comma + write(item);
    comma = ',';
    count += 1;
    if (count % perPart !== 0) continue;
    yield part;
    part = '';
  }
  yield part + after;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
