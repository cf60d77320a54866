/** From a search to the client: rows as they are found, and an end that says how it went. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Ending, Search } from '../../product/pdns/page.ts';
import { problemOf } from '../problem-of.ts';
import { type Delivery, Interruption } from './delivery.ts';
import type { Framing } from './framing.ts';
import type { ShortAnswer } from './hot-answers.ts';

const pieceLength = 65_536;

/** A search and how to write what it finds. */
export interface Prepared<Item> {
  readonly search: Search<Item>;
  line(item: Item): string;
}

/** The text of an answer that the store has at hand, and what its headers tell. Undefined for all others. */
export function textAtOnce<Item>(prepared: Prepared<Item>, framing: Framing): ShortAnswer | undefined {
  const whole = prepared.search.atOnce?.();
  if (!whole) return undefined;
  const { items, ending } = whole;
  if (framing.emptyIsNotFound && items.length === 0) throw noResults();
  let text = framing.begin;
  for (const item of items) text += framing.before + prepared.line(item) + framing.after;
  return { text: text + framing.end(ending), headers: framing.endHeaders?.(ending), framing };
}

function noResults(): Problem {
  return new Problem('not-found', 'no results found for query.');
}

export async function deliver<Item>(
  prepared: Prepared<Item>,
  framing: Framing,
  delivery: Delivery,
  request: FastifyRequest,
): Promise<void> {
  try {
    const ending = await pump(prepared, framing, delivery);
    if (framing.emptyIsNotFound && !delivery.hasRows) {
      throw noResults();
    }
    const ended = delivery.end(framing.end(ending), framing.endHeaders?.(ending));
    if (ended) await ended;
  } catch (error) {
    await fail(error, framing, delivery, request);
  }
}

/** Brings all rows of a search on their way. However it goes, the search holds nothing afterwards. */
export async function pump<Item>(
  prepared: Prepared<Item>,
  { before, after }: Pick<Framing, 'before' | 'after'>,
  delivery: Delivery,
): Promise<Ending> {
  const { search } = prepared;
  try {
    for (;;) {
      const step = await delivery.next(search);
      if (step.done) return step.value;
      let text = '';
      for (const item of step.value) {
        text += before + prepared.line(item) + after;
        // A slice of records with much data is not to be in memory as text all at once.
        if (text.length < pieceLength) continue;
        const blocked = delivery.write(text);
        if (blocked) await blocked;
        text = '';
      }
      if (text === '') continue;
      const blocked = delivery.write(text);
      if (blocked) await blocked;
    }
  } catch (error) {
    // Not awaited: a slice that is being made is made to its end first.
    search.return({ outcome: 'complete' }).catch(() => undefined);
    throw error;
  }
}

/** Before the first byte a failure is a problem for the dialect; behind it, it is data; and a client that left gets none. */
export async function fail(
  error: unknown,
  framing: Framing,
  delivery: Delivery,
  request: FastifyRequest,
): Promise<void> {
  const gone = error instanceof Interruption && error.reason !== 'timed-out';
  if (!gone && !delivery.begun) throw problemFor(error);
  const message = gone ? undefined : report(error, request);
  if (message === undefined || !framing.failed) {
    delivery.cut();
    return;
  }
  try {
    await delivery.end(framing.failed(message));
  } catch {
    delivery.cut();
  }
}

function problemFor(error: unknown): Problem {
  if (!(error instanceof Interruption)) return problemOf(error);
  return new Problem('timed-out', 'the query timed out before any result; simplify it and try again');
}

/** Notes the problem in the log, and gives what the client may know of it. */
export function report(error: unknown, request: FastifyRequest): string {
  const problem = problemFor(error);
  request.problem = problem.code;
  if (problem.code === 'timed-out') return 'the query timed out';
  if (problem.code !== 'internal') return problem.message;
  request.log.error({ reqId: request.id, err: problem.cause }, 'request failed');
  return 'processing error';
}
