/** How the web UI's own API answers problems: a code that the app acts on, a sentence for people, the messages by field. */
import { Type } from 'typebox';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { isDamage } from '../problem-of.ts';
import { sendExact } from '../send-exact.ts';

const statusOf: Record<ProblemCode, number> = {
  'malformed-request': 400,
  'request-too-large': 413,
  'invalid-parameters': 422,
  'invalid-members': 422,
  'not-acceptable': 406,
  'credentials-missing': 401,
  'credentials-invalid': 401,
  'credentials-expired': 401,
  'address-not-allowed': 403,
  'not-provisioned': 403,
  'permission-denied': 403,
  'sign-in-again': 403,
  'setup-needed': 403,
  'no-such-path': 404,
  'method-not-allowed': 405,
  'not-found': 404,
  'already-exists': 409,
  conflict: 409,
  'limit-exceeded': 429,
  'quota-expired': 403,
  'offset-exceeded': 416,
  'too-many-connections': 503,
  'timed-out': 504,
  unavailable: 503,
  'storage-full': 503,
  internal: 500,
};

export const WebError = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'signed-out, or a problem code' }),
    message: Type.String(),
    fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  }),
  request_id: Type.String(),
});

export const webDialect: Dialect = (problem, request, reply) => {
  const status = statusOf[problem.code];
  const retryAfterSeconds = problem.limit?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const body = { error: errorOf(problem), request_id: request.id };
  return sendExact(reply.code(status), 'application/json; charset=utf-8', JSON.stringify(body));
};

function errorOf(problem: Problem) {
  const { code, fields, members, limit } = problem;
  const isHidden = code === 'internal' && !isDamage(problem);
  return {
    ...members,
    code: code === 'credentials-missing' ? 'signed-out' : code,
    message: isHidden
      ? 'An unexpected error occurred. The server log has it under the request id.'
      : problem.message,
    ...(fields ? { fields } : {}),
    ...(limit ? { limit } : {}),
  };
}
