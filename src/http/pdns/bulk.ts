/**
 * Many queries in one request, answered one after the other in one stream. All are parsed before the first is run; each is
 * charged when it starts. Every line names its query, and a line after the rows of each says how it ended. A client that
 * does not know these members sees an ordinary SAF stream.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Ending } from '../../product/pdns/page.ts';
import { parseQuery, type Query } from '../../product/pdns/query.ts';
import { allowanceOf, chargeLookup, type PdnsCaller } from '../../product/pdns/quota.ts';
import { split } from '../address.ts';
import { bodyOf } from '../platform/operation/raw-parameters.ts';
import { type BulkQuery, readBulkBody } from './bulk-body.ts';
import { limitMembers, safFraming } from './framing.ts';
import { Interruption } from './interruption.ts';
import { acceptedType, ndjson } from './media-type.ts';
import { pathSegments } from './path-segments.ts';
import { prepare } from './prepare.ts';
import { parametersOf, type QueryHandler } from './query-handler.ts';
import type { ResponseStream } from './response-stream.ts';
import { fail, type PreparedQuery, pump, report } from './stream-results.ts';

interface BulkItem {
  /** The id as JSON. */
  readonly id: string;
  readonly prepared: PreparedQuery<unknown>;
}

export async function answerBulk(
  handler: QueryHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await handler.authenticate(request, 2);
  const items = prepareItems(readBulkBody(bodyOf(request)), caller, handler);
  acceptedType(request.headers.accept, [ndjson]);
  const run = async (stream: ResponseStream) => {
    try {
      await answerAll(items, stream, request, () => chargeLookup(caller, handler.needs));
    } catch (error) {
      await fail(error, safFraming, stream, request);
    }
  };
  return handler.respond(request, reply, { caller, framing: safFraming, run });
}

function prepareItems(queries: readonly BulkQuery[], caller: PdnsCaller, handler: QueryHandler): BulkItem[] {
  const { settings, rrsets } = handler.needs;
  const allowance = allowanceOf(caller.grant, settings);
  const { nowSeconds } = handler;
  return queries.map(({ id, query }, index) => {
    try {
      return {
        id: JSON.stringify(id),
        prepared: prepare(queryOf(query, nowSeconds), allowance, 'saf', rrsets),
      };
    } catch (error) {
      throw error instanceof Problem ? problemAt(index, error) : error;
    }
  });
}

function queryOf(text: string, nowSeconds: number): Query {
  const { path, query } = split(text);
  return parseQuery(pathSegments(path.replaceAll(/\/{2,}/g, '/'), 0), parametersOf(query), nowSeconds);
}

/** The path is in the body, so an unknown one is a malformed request. */
function problemAt(index: number, problem: Problem): Problem {
  const code = problem.code === 'no-such-path' ? 'malformed-request' : problem.code;
  return new Problem(code, `queries[${index}].query: ${problem.message}`);
}

/** The first query has been charged already, so that an exhausted key gets an HTTP status instead of a stream. */
async function answerAll(
  items: BulkItem[],
  stream: ResponseStream,
  request: FastifyRequest,
  charge: () => unknown,
): Promise<void> {
  const all = items.length;
  let failed = 0;
  let limited = 0;
  for (let item = items.shift(); item; item = items.shift()) {
    let outcome: string;
    try {
      if (items.length < all - 1) await charge();
      stream.restartTimeout();
      const ending = await pump(
        item.prepared,
        { before: `{"query":${item.id},"obj":`, after: '}\n' },
        stream,
      );
      if (ending.outcome === 'limited') limited += 1;
      outcome = outcomeOf(ending);
    } catch (error) {
      if (error instanceof Interruption && error.isClientGone) throw error;
      failed += 1;
      outcome = `"failed","msg":${JSON.stringify(report(error, request))}`;
    }
    await stream.write(`{"query":${item.id},"cond":"ongoing","outcome":${outcome}}\n`);
  }
  await stream.end(lastLine(all, failed, limited));
}

function outcomeOf(ending: Ending): string {
  return ending.outcome === 'complete' ? '"succeeded"' : `"limited",${limitMembers(ending.cursor)}`;
}

function lastLine(all: number, failed: number, limited: number): string {
  if (failed > 0) return safFraming.failed?.(`${failed} of ${all} queries failed`) ?? '';
  return safFraming.end(limited > 0 ? { outcome: 'limited', cursor: undefined } : { outcome: 'complete' });
}
