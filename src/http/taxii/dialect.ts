/** How TAXII answers problems: with the error message of the standard (3.6.1). */
import type { ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import { usualStatus } from '../usual-status.ts';
import { isAboutContent, taxiiType } from './media-types.ts';

const statuses: Partial<Record<ProblemCode, number>> = {
  'invalid-parameters': 400,
  'address-not-allowed': 401,
};

export const taxiiDialect: Dialect = (problem, request, reply) => {
  const { code, message, limit } = problem;
  const status = isAboutContent(problem) ? 415 : (statuses[code] ?? usualStatus[code]);
  if (status === 401) reply.header('www-authenticate', 'Basic realm="TAXII"');
  if (status === 405) reply.header('allow', 'GET');
  if (limit?.retryAfterSeconds !== undefined) reply.header('retry-after', String(limit.retryAfterSeconds));
  const error = {
    title: message,
    error_id: request.id,
    error_code: code,
    http_status: String(status),
  };
  return sendExact(reply.code(status), taxiiType, JSON.stringify(error));
};
