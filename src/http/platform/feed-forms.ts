/** The two forms of a feed: its lines as they are, or rows of CSV. */
import { setImmediate as turn } from 'node:timers/promises';
import { csvRow, headerRow } from '../../model/feed/csv-row.ts';
import { membersOf } from '../../model/feed.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { linesOf, recordOf } from '../../product/feed/lines.ts';

export type FeedForm = 'ndjson' | 'csv';

export const formTypes: Readonly<Record<FeedForm, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/** What clients call lines of JSON. */
const ndjsonNames = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'];
const csvNames = ['text/csv'];

interface Weight {
  readonly weight: number;
  /** Named itself, not by a star. */
  readonly named: boolean;
}

/** CSV only for who wants it more, or names it where the other is let pass by a star. Throws `not-acceptable`. */
export function acceptedForm(accept: string | undefined): FeedForm {
  if (accept === undefined || accept.trim() === '') return 'ndjson';
  const ranges = accept.split(',').map(readRange);
  const ndjson = weightOf(ndjsonNames, 'application/*', ranges);
  const csv = weightOf(csvNames, 'text/*', ranges);
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
function weightOf(names: readonly string[], family: string, ranges: readonly MediaRange[]): Weight {
  const named = ranges.filter(({ type }) => names.includes(type));
  if (named.length > 0) return { weight: Math.max(...named.map(({ weight }) => weight)), named: true };
  const wider = ranges.find(({ type }) => type === family) ?? ranges.find(({ type }) => type === '*/*');
  return { weight: wider?.weight ?? 0, named: false };
}

export async function* csvOf(
  feed: FeedName,
  slices: AsyncIterable<Uint8Array>,
  withHeader: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  const members = membersOf(feed);
  if (withHeader) yield Buffer.from(headerRow(members));
  for await (const slice of slices) {
    let rows = '';
    for (const line of linesOf(slice)) rows += csvRow(recordOf(line), members);
    yield Buffer.from(rows);
    await turn();
  }
}
