/** The two formats of a feed: its JSON lines as stored, or CSV. */
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { csvRow, headerRow } from '../../../model/feed/csv-row.ts';
import { membersOf } from '../../../model/feed/feed.ts';
import { Problem } from '../../../model/problem.ts';
import type { FeedName } from '../../../model/product-catalogue.ts';
import { linesOf, recordOf } from '../../../product/feed/feed-lines.ts';

export type FeedFormat = 'ndjson' | 'csv';

export const feedContentTypes: Readonly<Record<FeedFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/** The media types under which clients request JSON lines. */
const ndjsonNames = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'];
const csvNames = ['text/csv'];

interface Preference {
  readonly weight: number;
  /** By its own name, not by a wildcard. */
  readonly named: boolean;
}

/** CSV only where it has the higher weight, or is named while JSON lines match a wildcard. Throws `not-acceptable`. */
export function acceptedFormat(accept: string | undefined): FeedFormat {
  if (accept === undefined || accept.trim() === '') return 'ndjson';
  const ranges = accept.split(',').map(readRange);
  const ndjson = preferenceFor(ndjsonNames, 'application/*', ranges);
  const csv = preferenceFor(csvNames, 'text/*', ranges);
  if (ndjson.weight === 0 && csv.weight === 0) {
    throw new Problem('not-acceptable', 'Accept must allow application/x-ndjson or text/csv.');
  }
  if (csv.weight !== ndjson.weight) return csv.weight > ndjson.weight ? 'csv' : 'ndjson';
  return csv.named && !ndjson.named ? 'csv' : 'ndjson';
}

interface MediaRange {
  readonly type: string;
  readonly weight: number;
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  const weight = Number(written);
  return { type, weight: Number.isNaN(weight) ? 1 : Math.min(1, Math.max(0, weight)) };
}

/** The most specific range decides. */
function preferenceFor(
  names: readonly string[],
  wildcard: string,
  ranges: readonly MediaRange[],
): Preference {
  const named = ranges.filter(({ type }) => names.includes(type));
  if (named.length > 0) return { weight: Math.max(...named.map(({ weight }) => weight)), named: true };
  const wider = ranges.find(({ type }) => type === wildcard) ?? ranges.find(({ type }) => type === '*/*');
  return { weight: wider?.weight ?? 0, named: false };
}

export async function* csvOf(
  feed: FeedName,
  chunks: AsyncIterable<Uint8Array>,
  withHeader: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const members = membersOf(feed);
  if (withHeader) yield Buffer.from(headerRow(members));
  for await (const chunk of chunks) {
    let rows = '';
    for (const line of linesOf(chunk)) rows += csvRow(recordOf(line), members);
    yield Buffer.from(rows);
    await yieldToEventLoop();
  }
}
