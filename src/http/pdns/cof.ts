/**
 * `GET /pdns/query/<value>`: records in the Common Output Format, of a name or of an address, for clients of servers that
 * offer that. Such a client may ask for pages through headers; a page is then sent whole, because the place of the next one
 * is a header too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { readAddressSpan } from '../../product/pdns/address-span.ts';
import { cursorBehind, type Ending, type PlacedRow } from '../../product/pdns/page.ts';
import { type Question, readQuestion } from '../../product/pdns/question.ts';
import { allowanceOf } from '../../product/pdns/quota.ts';
import { split } from '../address.ts';
import { chosenType, csv, json, type MediaType, ndjson } from './accept.ts';
import { segmentsOf } from './address-parts.ts';
import { type Asking, parametersOf } from './asking.ts';
import { cofKey } from './credentials.ts';
import { deliver, fail, type Prepared } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import { csvFraming, type Framing, plainFraming } from './framing.ts';
import { columnsOf, prepare } from './prepare.ts';

const offered: readonly MediaType[] = [ndjson, json, csv];
const mountedSegments = 2;
const pageRowsMax = 1000;
const pageCharactersMax = 4 * 1024 * 1024;

export async function answerCof(
  asking: Asking,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await asking.caller(request, 2, cofKey(request));
  const { path, query } = split(request.url);
  const parameters = new Map(parametersOf(query));
  const paged = readPageHeaders(request, parameters);
  const question = readQuestion(pathOf(path, request), parameters, asking.nowSeconds);
  const type = chosenType(parameters, request.headers.accept, offered);
  const allowance = allowanceOf(caller.grant, asking.needs.settings);
  const prepared = prepare(question, allowance, type === csv ? 'csv' : 'cof', asking.needs.rrsets);
  const framing = type === csv ? csvFraming(columnsOf(question), false) : plainFraming(type, false);
  return asking.attend(caller, request, reply, framing, (delivery) =>
    paged
      ? deliverPage(prepared as Prepared<PlacedRow>, question, framing, delivery, request)
      : deliver(prepared, framing, delivery, request),
  );
}

/** The path of the same question in version 2. */
function pathOf(url: string, request: FastifyRequest): string[] {
  const [value, ...more] = segmentsOf(url, mountedSegments);
  if (value === undefined || more.length > 0) {
    throw new Problem('malformed-request', 'the path must end in one domain name or address');
  }
  const type = headerText(request, 'dribble-filter-rrtype');
  const question = ['lookup', ...(readAddressSpan(value) ? ['rdata', 'ip'] : ['rrset', 'name']), value];
  return type === undefined ? question : [...question, type];
}

/** Puts what the headers ask for among the parameters; true when a page is asked for. */
function readPageHeaders(request: FastifyRequest, parameters: Map<string, readonly string[]>): boolean {
  const cursor = headerText(request, 'dribble-paginate-cursor');
  if (cursor !== undefined) parameters.set('cursor', [cursor]);
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

async function deliverPage(
  prepared: Prepared<PlacedRow>,
  question: Question,
  framing: Framing,
  delivery: Delivery,
  request: FastifyRequest,
): Promise<void> {
  try {
    const { text, ending } = await gather(prepared, question, framing, delivery);
    const cursor = ending.outcome === 'limited' ? ending.cursor : undefined;
    const next = cursor === undefined ? {} : { 'X-Dribble-Cursor': cursor };
    await delivery.end(text, { ...framing.endHeaders?.(ending), ...next });
  } catch (error) {
    await fail(error, framing, delivery, request);
  }
}

/** A page of very large records ends early: it is held in memory. */
async function gather(
  prepared: Prepared<PlacedRow>,
  question: Question,
  { after }: Framing,
  delivery: Delivery,
): Promise<{ text: string; ending: Ending }> {
  const { search } = prepared;
  let text = '';
  let given = 0;
  try {
    for (;;) {
      const step = await delivery.next(search);
      if (step.done) return { text, ending: step.value };
      for (const row of step.value) {
        text += prepared.line(row) + after;
        given += 1;
        if (text.length > pageCharactersMax) {
          return { text, ending: { outcome: 'limited', cursor: cursorBehind(question.paging, row, given) } };
        }
      }
    }
  } finally {
    search.return({ outcome: 'complete' }).catch(() => undefined);
  }
}
