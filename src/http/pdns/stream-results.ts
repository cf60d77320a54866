/** Streams the results of a search to the client as they are found, and ends the response with its outcome. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Ending, Search } from '../../product/pdns/page.ts';
import { isDamage, problemOf } from '../problem-of.ts';
import type { Framing } from './framing.ts';
import { Interruption } from './interruption.ts';
import type { CachedResponse } from './response-cache.ts';
import type { ResponseStream } from './response-stream.ts';

const chunkCharacters = 8192;

/** A search and the serializer of its results. */
export interface PreparedQuery<Item> {
  readonly search: Search<Item>;
  line(item: Item): string;
}

/** The whole response, where the store can read all results synchronously; undefined otherwise. */
export function renderSync<Item>(
  prepared: PreparedQuery<Item>,
  framing: Framing,
): CachedResponse | undefined {
  const whole = prepared.search.readAllSync?.();
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

export async function streamResults<Item>(
  prepared: PreparedQuery<Item>,
  framing: Framing,
  stream: ResponseStream,
  request: FastifyRequest,
): Promise<void> {
  try {
    const ending = await pump(prepared, framing, stream);
    if (framing.emptyIsNotFound && !stream.hasRows) {
      throw noResults();
    }
    const ended = stream.end(framing.end(ending), framing.endHeaders?.(ending));
    if (ended) await ended;
  } catch (error) {
    await fail(error, framing, stream, request);
  }
}

/** Writes all rows of a search to the response. Whatever happens, the search is closed afterwards. */
export async function pump<Item>(
  prepared: PreparedQuery<Item>,
  { before, after }: Pick<Framing, 'before' | 'after'>,
  stream: ResponseStream,
): Promise<Ending> {
  const { search } = prepared;
  try {
    for (;;) {
      const step = await stream.next(search);
      if (step.done) return step.value;
      let text = '';
      for (const item of step.value) {
        text += before + prepared.line(item) + after;
        // A slice of large records must not be in memory as one text.
        if (text.length < chunkCharacters) continue;
        const blocked = stream.write(text);
        if (blocked) await blocked;
        text = '';
      }
      if (text === '') continue;
      const blocked = stream.write(text);
      if (blocked) await blocked;
      if (stream.needsNoRows) return (await search.return({ outcome: 'complete' })).value as Ending;
    }
  } catch (error) {
    // Not awaited: it would wait for the slice being read.
    search.return({ outcome: 'complete' }).catch(() => undefined);
    throw error;
  }
}

/** Before the first byte a failure is a problem for the dialect; after it, it is data; a client that is gone gets neither. */
export async function fail(
  error: unknown,
  framing: Framing,
  stream: ResponseStream,
  request: FastifyRequest,
): Promise<void> {
  const isGone = error instanceof Interruption && error.isClientGone;
  if (!isGone && !stream.begun) throw problemFor(error);
  const message = isGone ? undefined : report(error, request);
  if (message === undefined || !framing.failed) {
    stream.abort();
    return;
  }
  try {
    await stream.end(framing.failed(message));
  } catch {
    stream.abort();
  }
}

function problemFor(error: unknown): Problem {
  if (!(error instanceof Interruption)) return problemOf(error);
  return new Problem('timed-out', 'the query timed out before any result; simplify it and try again');
}

/** Logs the problem, and returns the message for the client. */
export function report(error: unknown, request: FastifyRequest): string {
  const problem = problemFor(error);
  request.problem = problem.code;
  if (problem.code === 'timed-out') return 'the query timed out';
  if (problem.code !== 'internal') return problem.message;
  request.log.error({ reqId: request.id, err: problem.cause }, 'request failed');
  return isDamage(problem) ? problem.message : 'processing error';
}
