/**
 * Many questions in one request, answered one after the other in one stream. All are read before the first is asked; each
 * counts when its turn comes. Every line says which question it belongs to, and one behind the rows of each how it ended;
 * to a client that knows nothing of this the stream is an ordinary one.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Ending } from '../../product/pdns/page.ts';
import { type Question, readQuestion } from '../../product/pdns/question.ts';
import { allowanceOf, drawLookup, type PdnsCaller } from '../../product/pdns/quota.ts';
import { split } from '../address.ts';
import { bodyOf } from '../platform/sent.ts';
import { acceptedType, ndjson } from './accept.ts';
import { segmentsOf } from './address-parts.ts';
import { type Asking, parametersOf } from './asking.ts';
import { type BulkQuery, readBulkBody } from './bulk-body.ts';
import { fail, type Prepared, pump, report } from './deliver.ts';
import { type Delivery, Interruption } from './delivery.ts';
import { limitMembers, safFraming } from './framing.ts';
import { prepare } from './prepare.ts';

interface Turn {
  /** The id as JSON. */
  readonly id: string;
  readonly prepared: Prepared<unknown>;
}

export async function answerBulk(
  asking: Asking,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await asking.caller(request, 2);
  const turns = readTurns(readBulkBody(bodyOf(request)), caller, asking);
  acceptedType(request.headers.accept, [ndjson]);
  return asking.attend(caller, request, reply, safFraming, async (delivery) => {
    try {
      await answerAll(turns, delivery, request, () => drawLookup(caller, asking.needs));
    } catch (error) {
      await fail(error, safFraming, delivery, request);
    }
  });
}

function readTurns(queries: readonly BulkQuery[], caller: PdnsCaller, asking: Asking): Turn[] {
  const { settings, rrsets } = asking.needs;
  const allowance = allowanceOf(caller.grant, settings);
  const { nowSeconds } = asking;
  return queries.map(({ id, query }, index) => {
    try {
      return {
        id: JSON.stringify(id),
        prepared: prepare(questionOf(query, nowSeconds), allowance, 'saf', rrsets),
      };
    } catch (error) {
      throw error instanceof Problem ? placed(error, index) : error;
    }
  });
}

function questionOf(text: string, nowSeconds: number): Question {
  const { path, query } = split(text);
  return readQuestion(segmentsOf(path.replaceAll(/\/{2,}/g, '/'), 0), parametersOf(query), nowSeconds);
}

/** The path is within the body, so a wrong one is a fault of the body. */
function placed(problem: Problem, index: number): Problem {
  const code = problem.code === 'no-such-path' ? 'malformed-request' : problem.code;
  return new Problem(code, `queries[${index}].query: ${problem.message}`);
}

/** The first question has been counted, so that a key without any left gets its refusal as a status. */
async function answerAll(
  turns: Turn[],
  delivery: Delivery,
  request: FastifyRequest,
  draw: () => unknown,
): Promise<void> {
  const all = turns.length;
  let failed = 0;
  let limited = 0;
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    let outcome: string;
    try {
      if (turns.length < all - 1) await draw();
      delivery.startClock();
      const ending = await pump(
        turn.prepared,
        { before: `{"query":${turn.id},"obj":`, after: '}\n' },
        delivery,
      );
      if (ending.outcome === 'limited') limited += 1;
      outcome = outcomeOf(ending);
    } catch (error) {
      if (error instanceof Interruption && error.reason !== 'timed-out') throw error;
      failed += 1;
      outcome = `"failed","msg":${JSON.stringify(report(error, request))}`;
    }
    await delivery.write(`{"query":${turn.id},"cond":"ongoing","outcome":${outcome}}\n`);
  }
  await delivery.end(lastLine(all, failed, limited));
}

function outcomeOf(ending: Ending): string {
  return ending.outcome === 'complete' ? '"succeeded"' : `"limited",${limitMembers(ending.cursor)}`;
}

function lastLine(all: number, failed: number, limited: number): string {
  if (failed > 0) return safFraming.failed?.(`${failed} of ${all} queries failed`) ?? '';
  return safFraming.end(limited > 0 ? { outcome: 'limited', cursor: undefined } : { outcome: 'complete' });
}
