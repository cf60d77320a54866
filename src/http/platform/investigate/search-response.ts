/**
 * The response of a search in each of its formats. A page has hundreds of records with hundreds of values each, so it is rendered in time
 * slices. Records come as JSON, which most clients want, and are parsed for the other formats.
 */

import { type Static, Type } from 'typebox';
import { csvRow, headerRow } from '../../../model/feed/csv-row.ts';
import { tableCells, tableTitles } from '../../../model/record/record-table.ts';
import { inVendorWords } from '../../compat/translate.ts';
import { families } from '../families.ts';
import { contentTypeOf, renderChunks } from '../operation/formats.ts';
import { joinChunks, withCommas } from '../operation/join-chunks.ts';
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

type Head = Omit<Static<typeof SearchResponse>['response'], 'results' | 'missing_domains'>;

export interface SearchAnswer {
  readonly head: Head;
  /** The JSON of each record; undefined where there is no list of them. */
  readonly results: readonly Buffer[] | undefined;
  readonly missing: readonly string[];
  /** When it changes by itself. */
  readonly validUntilMs: number;
  /** Where there is a next page: what it needs before the answer is sent again. */
  readonly renew?: ((nowMs: number) => Promise<unknown>) | undefined;
}

/** Formats besides those of the family, for spreadsheets and pipes. */
export const tableFormats = ['csv', 'ndjson'];

/** The format of a response without rows: CSV has none for it. */
export function envelopeFormat(format: string): string {
  if (format === 'ndjson') return 'json-line';
  return format === 'csv' ? 'json' : format;
}

export interface PageOnWire {
  readonly total: number;
  readonly results: readonly Buffer[];
  readonly missing: readonly string[];
  readonly position: string | undefined;
  readonly next: string | undefined;
  readonly validUntilMs: number;
  readonly renew: SearchAnswer['renew'];
}

export function pageAnswer({ total, position, next, ...page }: PageOnWire): SearchAnswer {
  const more = position !== undefined;
  const head = {
    limit_exceeded: false,
    has_more_results: more,
    message: more ? 'There is more data for you to enjoy.' : 'Enjoy your data.',
    results_count: page.results.length,
    total_count: total,
    ...(more ? { position } : {}),
    ...(more && next !== undefined ? { next } : {}),
  };
  return { head, ...page };
}

/** Status 200 and no results: clients check `limit_exceeded`. */
export function tooManyMatches(matchesMax: number): SearchAnswer {
  const advice = 'you may need to refine your query.';
  const head = {
    error: { code: 413, message: `More than ${matchesMax} matched - ${advice}` },
    limit_exceeded: true,
    has_more_results: true,
    message: `Maximum ${matchesMax} returned - ${advice}`,
  };
  return { head, results: undefined, missing: [], validUntilMs: Number.POSITIVE_INFINITY };
}

interface RenderedResponse {
  readonly contentType: string;
  readonly body: string | Buffer;
}

export async function renderAnswer(
  answer: SearchAnswer,
  format: string,
  vendor: boolean,
): Promise<RenderedResponse> {
  const [contentType, chunks] = inFormat(answer, format, vendor);
  return { contentType, body: await joinChunks(chunks) };
}

function inFormat(
  answer: SearchAnswer,
  format: string,
  vendor: boolean,
): readonly [contentType: string, chunks: Iterable<string | Buffer>] {
  switch (format) {
    case 'csv':
      return ['text/csv; charset=utf-8', csvRows(answer.results ?? [])];
    case 'ndjson':
      return ['application/x-ndjson', jsonLines(answer.results ?? [], vendor)];
    case 'json-line':
      return ['application/x-ndjson', [...jsonChunks(answer, vendor), '\n']];
    case 'xml':
    case 'html':
      return [
        contentTypeOf[format],
        renderChunks(documentOf(answer), format, (text) => {
          const record = recordIn(text as Buffer);
          return vendor ? inVendorWords(record) : record;
        }),
      ];
    default:
      return [families.investigate.jsonContentType, jsonChunks(answer, vendor)];
  }
}

function documentOf({ head, results, missing }: SearchAnswer) {
  return { response: { ...head, ...(results && { results }), missing_domains: missing } };
}

const lineEnd = Buffer.from('\n');

function* jsonLines(records: readonly Buffer[], vendor: boolean): Generator<string | Buffer> {
  for (const record of records) {
    yield vendor ? inVendorText(record) : record;
    yield lineEnd;
  }
}

function* jsonChunks({ head, results, missing }: SearchAnswer, vendor: boolean): Generator<string | Buffer> {
  const opening = JSON.stringify(vendor ? inVendorWords(head) : head).slice(0, -1);
  yield `{"response":${opening},`;
  if (results !== undefined) {
    yield '"results":[';
    if (vendor)
      for (const [index, record] of results.entries()) yield (index === 0 ? '' : ',') + inVendorText(record);
    else yield* withCommas(results);
    yield '],';
  }
  yield `"missing_domains":${JSON.stringify(missing)}}}`;
}

function recordIn(text: Buffer): WireRecord {
  return JSON.parse(text.toString()) as WireRecord;
}

function inVendorText(record: Buffer): string {
  return JSON.stringify(inVendorWords(recordIn(record)));
}

function* csvRows(records: readonly Buffer[]): Generator<string> {
  yield headerRow(tableTitles);
  for (const record of records) yield csvRow(tableCells(recordIn(record)), tableTitles);
}
