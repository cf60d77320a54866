/** A dialect is one API's way to answer problems. A scope speaks exactly one, for its routes and for what it lacks. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../model/problem.ts';
import { problemOf } from './problem-of.ts';

export type Dialect = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** `offered` are paths of the scope; where the dialect tells a wrong method from a wrong path, they say which it is. */
export function speak(scope: FastifyInstance, dialect: Dialect, offered: readonly string[] = []): void {
  const answerMissing = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]?.replace(/\/$/, '') ?? '';
    const problem = offered.includes(path)
      ? new Problem('method-not-offered', 'This path does not offer this method.')
      : new Problem('no-such-path', 'There is nothing at this path.');
    return answer(problem, dialect, request, reply);
  };
  scope.setNotFoundHandler(answerMissing);
  scope.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'no-such-path') return answerMissing(request, reply);
    return answer(problem, dialect, request, reply);
  });
}

/** Our own mistakes are logged with all we know; expected problems are in the request log by their code. */
export function answer(problem: Problem, dialect: Dialect, request: FastifyRequest, reply: FastifyReply) {
  request.problem = problem.code;
  if (problem.code === 'internal') {
    request.log.error({ reqId: request.id, err: problem.cause }, 'request failed');
  }
  return dialect(problem, request, reply);
}
