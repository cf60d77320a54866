/** A dialect is one API's way to answer problems. A scope speaks exactly one, for its routes and for what it lacks. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../model/problem.ts';
import { problemOf } from './problem-of.ts';

export type Dialect = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function speak(scope: FastifyInstance, dialect: Dialect): void {
  scope.setErrorHandler((error, request, reply) => answer(problemOf(error), dialect, request, reply));
  scope.setNotFoundHandler((request, reply) =>
    answer(new Problem('no-such-path', 'There is nothing at this path.'), dialect, request, reply),
  );
}

/** Our own mistakes are logged with all we know; expected problems are in the request log by their code. */
export function answer(problem: Problem, dialect: Dialect, request: FastifyRequest, reply: FastifyReply) {
  request.problem = problem.code;
  if (problem.code === 'internal')
    request.log.error({ reqId: request.id, err: problem.cause }, 'request failed');
  return dialect(problem, request, reply);
}
