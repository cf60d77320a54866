/**
 * The answer of Investigate in each of its forms. A page has hundreds of records with hundreds of values each, so it is written
 * a few records at a time.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { inVendorWords } from '../compat/translate.ts';
import { contentTypeOf, renderPieces } from './formats.ts';
import { jsonType } from './operations.ts';
import { csvRows } from './record-csv.ts';
import { recordSchema, type WireRecord } from './record-schema.ts';

export const InvestigateAnswer = Type.Object({
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
    missing_domains: Type.Array(Type.String({ description: 'as asked for' })),
  }),
});

export type InvestigateAnswer = Static<typeof InvestigateAnswer>;

/** Forms besides those of all lookups, for tables and pipes. */
export const tableFormats = ['csv', 'ndjson'];

export interface PageOnWire {
  readonly total: number;
  readonly results: readonly WireRecord[];
  readonly missing: readonly string[];
  readonly position: string | undefined;
  readonly next: string | undefined;
}

export function pageAnswer({ total, results, missing, position, next }: PageOnWire): InvestigateAnswer {
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

/** Not an HTTP error, and without results: clients look at `limit_exceeded`. */
export function tooManyAnswer(matchesMax: number) {
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

export async function bodyOfAnswer(
  answer: InvestigateAnswer,
  format: string,
  vendor: boolean,
): Promise<{ readonly type: string; readonly body: Buffer }> {
  const results = answer.response.results ?? [];
  const words = (value: unknown) => (vendor ? inVendorWords(value) : value);
  if (format === 'csv') return { type: 'text/csv; charset=utf-8', body: await inTurns(csvRows(results)) };
  if (format === 'ndjson')
    return { type: 'application/x-ndjson', body: await inTurns(jsonLines(results, words)) };
  if (format === 'xml' || format === 'html')
    return { type: contentTypeOf[format], body: await inTurns(renderPieces(answer, format, words)) };
  return { type: jsonType('Investigate'), body: await inTurns(jsonPieces(answer, words)) };
}

type Words = (value: unknown) => unknown;

function* jsonLines(records: readonly WireRecord[], words: Words): Generator<string> {
  for (const record of records) yield `${JSON.stringify(words(record))}\n`;
}

function* jsonPieces({ response }: InvestigateAnswer, words: Words): Generator<string> {
  const { results, missing_domains: missing, ...head } = response;
  yield `{"response":${JSON.stringify(words(head)).slice(0, -1)},`;
  if (results !== undefined) {
    yield '"results":[';
    for (const [index, record] of results.entries())
      yield `${index === 0 ? '' : ','}${JSON.stringify(words(record))}`;
    yield '],';
  }
  yield `"missing_domains":${JSON.stringify(missing)}}}`;
}

const piecesAtOnce = 10;
const charactersAtOnce = 65_536;

/** Joins pieces, with a pause for others after every few. */
async function inTurns(pieces: Iterable<string>): Promise<Buffer> {
  const slices: Buffer[] = [];
  let [text, number] = ['', 0];
  for (const piece of pieces) {
    text += piece;
    number += 1;
    if (number < piecesAtOnce && text.length < charactersAtOnce) continue;
    slices.push(Buffer.from(text));
    [text, number] = ['', 0];
    await turn();
  }
  return Buffer.concat([...slices, Buffer.from(text)]);
}
