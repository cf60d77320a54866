/** How the passive DNS API reports problems: one line of text, except for an internal error, which is a page of HTML. */
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { htmlPage } from '../html-page.ts';
import { isDamage } from '../problem-of.ts';

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
  'sign-in-again': 403,
  'setup-needed': 403,
  'no-such-path': 404,
  'method-not-allowed': 404,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'already-exists': 400,
  'limit-exceeded': 429,
  'quota-expired': 401,
  'offset-exceeded': 416,
  'too-many-connections': 503,
  'timed-out': 504,
  unavailable: 503,
  'storage-full': 503,
  'try-again': 503,
  internal: 500,
};

/** Clients of the Common Output Format expect the usual meanings of 401 and 403, which version 2 exchanges. */
const cofStatusOf: Partial<Record<ProblemCode, number>> = {
  'credentials-missing': 401,
  'credentials-invalid': 401,
  'credentials-expired': 401,
  'not-provisioned': 403,
  'permission-denied': 403,
  'quota-expired': 403,
};

export const pdnsDialect: Dialect = (problem, request, reply) => {
  const isCof = request.routeOptions.config.operation === 'query';
  const status = (isCof ? cofStatusOf[problem.code] : undefined) ?? statusOf[problem.code];
  reply.code(status);
  if (isCof && status === 401) reply.header('www-authenticate', 'Basic realm="passive DNS", charset="UTF-8"');
  if (status === 500) {
    const title = '500 Internal Server Error';
    return reply
      .type('text/html; charset=utf-8')
      .send(htmlPage(title, `<h1>${title}</h1>${isDamage(problem) ? `<p>${problem.message}</p>` : ''}`));
  }
  const retryAfterSeconds = problem.limit?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const message = problem.code === 'limit-exceeded' ? 'Rate limit exceeded' : problem.message;
  return reply.type('text/plain; charset=utf-8').send(`Error: ${message.replaceAll(/\s+/g, ' ')}\n`);
};
