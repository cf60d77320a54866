/**
 * `GET /pdns/query/<value>`: records of a name or an address in the Passive DNS Common Output Format
 * (https://datatracker.ietf.org/doc/draft-dulaunoy-dnsop-passive-dns-cof/), for its clients. They may request pages through
 * headers; a page is then buffered, because the cursor of the next one is a header too. That cursor is a number, since PyPDNS
 * reads it with `int()`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { publicUrl } from '../../model/settings/public-url.ts';
import { readAddressSpan } from '../../product/pdns/address-span.ts';
import { cursorNumber, cursorOfNumber } from '../../product/pdns/cursor.ts';
import { cursorAfter, type Ending, type PositionedRow } from '../../product/pdns/page.ts';
import { parseQuery, type Query } from '../../product/pdns/query.ts';
import { allowanceOf } from '../../product/pdns/quota.ts';
import { split } from '../address.ts';
import { cofKey } from './credentials.ts';
import { csvFraming, type Framing, plainFraming } from './framing.ts';
import { csv, json, type MediaType, ndjson, negotiateType } from './media-type.ts';
import { pathSegments } from './path-segments.ts';
import { columnsOf, type Form, prepare } from './prepare.ts';
import { parametersOf, type QueryHandler } from './query-handler.ts';
import type { ResponseStream } from './response-stream.ts';
import { fail, type PreparedQuery, streamResults } from './stream-results.ts';

const offered: readonly MediaType[] = [ndjson, json, csv];
const mountedSegments = 2;
const pageRowsMax = 1000;
const pageCharactersMax = 4 * 1024 * 1024;

export async function answerCof(
  handler: QueryHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await handler.authenticate(request, 2, cofKey(request));
  const { path, query: queryString } = split(request.url);
  const parameters = new Map(parametersOf(queryString));
  const paged = readPageHeaders(request, parameters);
  const query = parseQuery(pathOf(path, request), parameters, handler.nowSeconds);
  const type = negotiateType(parameters, request.headers.accept, offered);
  const allowance = allowanceOf(caller.grant, handler.needs.settings);
  const form = formFor(type, request);
  const lookup = prepare(query, allowance, form, handler.needs.rrsets);
  const prepared = form === 'cof' ? withOrigin(lookup, publicUrl(handler.needs.settings)) : lookup;
  const framing = type === csv ? csvFraming(columnsOf(query), false) : plainFraming(type, false);
  const run = (stream: ResponseStream) =>
    paged
      ? sendPage({ prepared: prepared as PreparedQuery<PositionedRow>, query, framing, stream, request })
      : streamResults(prepared, framing, stream, request);
  return handler.respond(request, reply, { caller, framing, run });
}

/** MISP fails on a record that does not say where it is from. */
function withOrigin(prepared: PreparedQuery<unknown>, origin: string): PreparedQuery<unknown> {
  const ending = `,"origin":${JSON.stringify(origin)}}`;
  return { ...prepared, line: (row) => prepared.line(row).slice(0, -1) + ending };
}

/** `dnsdbq`, which sends no User-Agent, discards records whose type is a number; other clients fail on an unknown mnemonic. */
function formFor(type: MediaType, { headers }: FastifyRequest): Form {
  if (type === csv) return 'csv';
  return headers['user-agent'] ? 'cof' : 'cof-named';
}

/** The path of the same query in version 2. */
function pathOf(url: string, request: FastifyRequest): string[] {
  const [value, ...more] = pathSegments(url, mountedSegments);
  if (value === undefined || more.length > 0) {
    throw new Problem('malformed-request', 'the path must end in one domain name or address');
  }
  const type = headerText(request, 'dribble-filter-rrtype');
  const path = ['lookup', ...(readAddressSpan(value) ? ['rdata', 'ip'] : ['rrset', 'name']), value];
  return type === undefined ? path : [...path, type];
}

/** Translates the paging headers to parameters; true when a page is requested. */
function readPageHeaders(request: FastifyRequest, parameters: Map<string, readonly string[]>): boolean {
  const cursor = headerText(request, 'dribble-paginate-cursor');
  if (cursor !== undefined) parameters.set('cursor', [cursorOfNumber(cursor) ?? cursor]);
  const count = headerText(request, 'dribble-paginate-count');
  if (count === undefined) return cursor !== undefined;
  if (!/^\d+$/.test(count)) {
    throw fieldProblem('invalid-parameters', 'dribble-paginate-count', 'must be a non-negative integer');
  }
  const rows = Number(count) === 0 ? pageRowsMax : Math.min(Number(count), pageRowsMax);
  parameters.set('limit', [String(rows)]);
  return true;
}

function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || value === '' ? undefined : String(value);
}

interface PageNeeds {
  readonly prepared: PreparedQuery<PositionedRow>;
  readonly query: Query;
  readonly framing: Framing;
  readonly stream: ResponseStream;
  readonly request: FastifyRequest;
}

async function sendPage(needs: PageNeeds): Promise<void> {
  const { framing, stream, request } = needs;
  try {
    const { text, ending } = await gather(needs);
    const cursor = ending.outcome === 'limited' ? ending.cursor : undefined;
    const next = cursor === undefined ? {} : { 'X-Dribble-Cursor': cursorNumber(cursor) };
    await stream.end(text, { ...framing.endHeaders?.(ending), ...next });
  } catch (error) {
    await fail(error, framing, stream, request);
  }
}

/** A page of very large records ends early, since it is buffered in memory. */
async function gather({
  prepared,
  query,
  framing: { after },
  stream,
}: PageNeeds): Promise<{ text: string; ending: Ending }> {
  const { search } = prepared;
  let text = '';
  let rows = 0;
  try {
    for (;;) {
      const step = await stream.next(search);
      if (step.done) return { text, ending: step.value };
      for (const row of step.value) {
        text += prepared.line(row) + after;
        rows += 1;
        if (text.length > pageCharactersMax) {
          return { text, ending: { outcome: 'limited', cursor: cursorAfter(query.paging, row, rows) } };
        }
      }
    }
  } finally {
    search.return({ outcome: 'complete' }).catch(() => undefined);
  }
}
