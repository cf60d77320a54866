/** Whatever was thrown, as a Problem. What nobody expected becomes `internal`, whose message tells a client nothing. */
import { Problem } from '../model/problem.ts';

/** Fastify's own refusals of a request. An error of ours is never taken for one, whatever members it has. */
interface Refusal {
  readonly code: string;
  readonly statusCode: number;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!isRefusal(error)) return new Problem('internal', 'An unexpected error occurred.', { cause: error });
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem('request-too-large', 'The request body is too large.', { cause: error });
  }
  // Raised for the method QUERY before routing is looked at; no path of ours offers that method.
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') {
    return new Problem('no-such-path', 'There is nothing at this path.', { cause: error });
  }
  return new Problem('malformed-request', 'The request could not be understood.', { cause: error });
}

function isRefusal(error: unknown): error is Refusal {
  const { code, statusCode } = error as Partial<Refusal>;
  return (
    code?.startsWith?.('FST_ERR_') === true &&
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500
  );
}
