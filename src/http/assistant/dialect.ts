/** How the endpoint of assistants answers problems: as errors of JSON-RPC, with the status of HTTP. */
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { usualStatus } from '../usual-status.ts';

const invalidRequest = -32_600;
const parseError = -32_700;
/** The range that is left to servers. */
const serverError = -32_000;

const codes: Partial<Record<ProblemCode, number>> = {
  'malformed-request': parseError,
  'invalid-parameters': invalidRequest,
};

const statuses: Partial<Record<ProblemCode, number>> = { 'invalid-parameters': 400 };

export const assistantDialect: Dialect = (problem, _request, reply) => {
  const { code, message, limit } = problem;
  const status = statuses[code] ?? usualStatus[code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 405) reply.header('allow', 'POST');
  if (limit?.retryAfterSeconds !== undefined) reply.header('retry-after', String(limit.retryAfterSeconds));
  const error = { code: codes[code] ?? serverError, message, data: { problem: code } };
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
};
