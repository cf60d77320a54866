/**
 * The response of a search in each of its formats. A page has hundreds of records with hundreds of values each, so rendering
 * yields to the event loop after every batch of records.
 */

import { type Static, Type } from 'typebox';
import { yieldToEventLoop } from '../../../concurrency/event-loop-slices.ts';
import { csvRow, headerRow } from '../../../model/feed/csv-row.ts';
import { tableCells, tableTitles } from '../../../model/record/record-table.ts';
import { inVendorWords } from '../../compat/translate.ts';
import { families } from '../families.ts';
import { contentTypeOf, renderChunks } from '../operation/formats.ts';
import { recordSchema, type WireRecord } from '../records/record-schema.ts';

export const SearchResponse = Type.Object({
  response: Type.Object({
    error: Type.Optional(
      Type.Object(
        { code: Type.Integer(), message: Type.String() },
        { description: 'only where too many domains match' },
      ),
    ),
    limit_exceeded: Type.Boolean(),
    has_more_results: Type.Boolean(),
    message: Type.String(),
    results_count: Type.Optional(Type.Integer()),
    total_count: Type.Optional(Type.Integer()),
    position: Type.Optional(Type.String({ description: 'only where more results exist' })),
    next: Type.Optional(Type.String()),
    results: Type.Optional(Type.Array(recordSchema('counted'))),
    missing_domains: Type.Array(Type.String({ description: 'as written in the request' })),
  }),
});

export type SearchResponse = Static<typeof SearchResponse>;

/** Formats besides those of the family, for spreadsheets and pipes. */
export const tableFormats = ['csv', 'ndjson'];

/** The format of a response without rows: CSV has none for it. */
export function envelopeFormat(format: string): string {
  if (format === 'ndjson') return 'json-line';
  return format === 'csv' ? 'json' : format;
}

export interface PageOnWire {
  readonly total: number;
  readonly results: readonly WireRecord[];
  readonly missing: readonly string[];
  readonly position: string | undefined;
  readonly next: string | undefined;
}

export function pageResponse({ total, results, missing, position, next }: PageOnWire): SearchResponse {
  const more = position !== undefined;
  return {
    response: {
      limit_exceeded: false,
      has_more_results: more,
      message: more ? 'There is more data for you to enjoy.' : 'Enjoy your data.',
      results_count: results.length,
      total_count: total,
      ...(more ? { position } : {}),
      ...(more && next !== undefined ? { next } : {}),
      results: [...results],
      missing_domains: [...missing],
    },
  };
}

/** Status 200 and no results: clients check `limit_exceeded`. */
export function tooManyMatches(matchesMax: number) {
  const advice = 'you may need to refine your query.';
  return {
    response: {
      error: { code: 413, message: `More than ${matchesMax} matched - ${advice}` },
      limit_exceeded: true,
      has_more_results: true,
      message: `Maximum ${matchesMax} returned - ${advice}`,
      missing_domains: [],
    },
  };
}

interface RenderedResponse {
  readonly contentType: string;
  readonly body: Buffer;
}

export async function renderResponse(
  response: SearchResponse,
  format: string,
  vendor: boolean,
): Promise<RenderedResponse> {
  const [contentType, chunks] = inFormat(response, format, (value) =>
    vendor ? inVendorWords(value) : value,
  );
  return { contentType, body: await joinChunks(chunks) };
}

type Translate = (value: unknown) => unknown;

function inFormat(
  response: SearchResponse,
  format: string,
  translate: Translate,
): readonly [contentType: string, chunks: Iterable<string>] {
  const results = response.response.results ?? [];
  switch (format) {
    case 'csv':
      return ['text/csv; charset=utf-8', csvRows(results)];
    case 'ndjson':
      return ['application/x-ndjson', jsonLines(results, translate)];
    case 'json-line':
      return ['application/x-ndjson', [...jsonChunks(response, translate), '\n']];
    case 'xml':
    case 'html':
      return [contentTypeOf[format], renderChunks(response, format, translate)];
    default:
      return [families.investigate.jsonContentType, jsonChunks(response, translate)];
  }
}

function* jsonLines(records: readonly WireRecord[], translate: Translate): Generator<string> {
  for (const record of records) yield `${JSON.stringify(translate(record))}\n`;
}

function* jsonChunks({ response }: SearchResponse, translate: Translate): Generator<string> {
  const { results, missing_domains: missing, ...head } = response;
  yield `{"response":${JSON.stringify(translate(head)).slice(0, -1)},`;
  if (results !== undefined) {
    yield '"results":[';
    for (const [index, record] of results.entries())
      yield `${index === 0 ? '' : ','}${JSON.stringify(translate(record))}`;
    yield '],';
  }
  yield `"missing_domains":${JSON.stringify(missing)}}}`;
}

const chunksPerBatch = 10;
const charactersPerBatch = 65_536;

/** Yields to the event loop after every batch of chunks. */
async function joinChunks(chunks: Iterable<string>): Promise<Buffer> {
  const batches: Buffer[] = [];
  let [text, count] = ['', 0];
  for (const chunk of chunks) {
    text += chunk;
    count += 1;
    if (count < chunksPerBatch && text.length < charactersPerBatch) continue;
    batches.push(Buffer.from(text));
    [text, count] = ['', 0];
    await yieldToEventLoop();
  }
  return Buffer.concat([...batches, Buffer.from(text)]);
}

function* csvRows(records: readonly WireRecord[]): Generator<string> {
  yield headerRow(tableTitles);
  for (const record of records) yield csvRow(tableCells(record), tableTitles);
}
