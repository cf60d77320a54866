/** How the web UI's own API answers problems: a code that the app acts on, a sentence for people, the messages by field. */
import { Type } from 'typebox';
import type { Problem } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { isDamage } from '../problem-of.ts';
import { sendExact } from '../send-exact.ts';
import { usualStatus } from '../usual-status.ts';

export const WebError = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'signed-out, or a problem code' }),
    message: Type.String(),
    fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  }),
  request_id: Type.String(),
});

export const webDialect: Dialect = (problem, request, reply) => {
  const status = usualStatus[problem.code];
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
