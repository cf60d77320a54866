/** Whatever was thrown, as a Problem. What nobody expected becomes `internal`, whose message tells a client nothing. */
import { Problem } from '../model/problem.ts';

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem('request-too-large', 'The request body is too large.', { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed-request', 'The request could not be understood.', { cause: error });
  }
  return new Problem('internal', 'An unexpected error occurred.', { cause: error });
}
