/** How the passive DNS API reports problems: one line of text, except for an internal error, which is a page of HTML. */
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { htmlPage } from '../html-page.ts';

const statusOf: Record<ProblemCode, number> = {
  'malformed-request': 400,
  'request-too-large': 400,
  'invalid-parameters': 400,
  'invalid-members': 400,
  'not-acceptable': 415,
  'credentials-missing': 403,
  'credentials-invalid': 403,
  'credentials-expired': 403,
  'address-not-allowed': 403,
  'not-provisioned': 401,
  'permission-denied': 401,
  'no-such-path': 404,
  'method-not-allowed': 404,
  'not-found': 404,
  'already-exists': 400,
  'limit-exceeded': 429,
  'quota-expired': 401,
  'offset-exceeded': 416,
  'too-many-connections': 503,
  'timed-out': 504,
  unavailable: 503,
  internal: 500,
};

export const pdnsDialect: Dialect = (problem, _request, reply) => {
  const status = statusOf[problem.code];
  reply.code(status);
  if (status === 500) {
    return reply
      .type('text/html; charset=utf-8')
      .send(htmlPage('500 Internal Server Error', '<h1>500 Internal Server Error</h1>'));
  }
  const retryAfterSeconds = problem.limit?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const message = problem.code === 'limit-exceeded' ? 'Rate limit exceeded' : problem.message;
  return reply.type('text/plain; charset=utf-8').send(`Error: ${message.replaceAll(/\s+/g, ' ')}\n`);
};
