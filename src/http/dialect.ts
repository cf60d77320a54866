/** A dialect is how one API answers problems. Each scope has exactly one, for its routes and for paths it does not have. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemCode } from '../model/problem.ts';
import { isDisconnection, problemOf } from './problem-of.ts';
import { redactUrl } from './request-log.ts';

/** How soon it is worth asking again: an operator has to free disk space; a failover takes seconds. */
const retrySecondsOf: Partial<Record<ProblemCode, number>> = { 'storage-full': 60, 'try-again': 5 };

/** Of a body that is refused, what the client may still send. */
const discardedBytesMax = 64 << 20;

export type Dialect = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** `paths`: those of the scope, where the dialect distinguishes a wrong method from a wrong path. */
export function setDialect(scope: FastifyInstance, dialect: Dialect, paths: readonly string[] = []): void {
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]?.replace(/\/$/, '') ?? '';
    const problem = paths.includes(path)
      ? new Problem('method-not-allowed', 'This path does not support this method.')
      : new Problem('no-such-path', 'There is nothing at this path.');
    return answerProblem(problem, dialect, request, reply);
  };
  scope.setNotFoundHandler(answerNotFound);
  scope.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'no-such-path') return answerNotFound(request, reply);
    return answerProblem(problem, dialect, request, reply);
  });
}

/** Unexpected errors are logged with their cause; expected problems appear in the request log by their code. */
export function answerProblem(
  problem: Problem,
  dialect: Dialect,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  request.problem = problem.code;
  // A connection that is closed with unread bytes is reset, and a client or reverse proxy that is still sending loses the answer. Node
  // discards the rest of a body before the next request.
  if (problem.code === 'request-too-large' && Number(request.headers['content-length']) <= discardedBytesMax)
    reply.removeHeader('connection');
  const retrySeconds = retrySecondsOf[problem.code];
  if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds));
  if (problem.code === 'internal') {
    request.log.error({ reqId: request.id, err: problem.cause }, 'request failed');
  } else if (problem.cause !== undefined && isDisconnection(problem.cause)) {
    // Without a response there is no line in the request log.
    const { id: reqId, method, originalUrl } = request;
    const fields = { reqId, method, url: redactUrl(originalUrl), problem: problem.code };
    request.log.info(fields, 'client disconnected during its request');
  }
  return dialect(problem, request, reply);
}
