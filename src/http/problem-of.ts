/** Converts anything thrown to a Problem. An unexpected error becomes `internal`, whose message reveals nothing to the client. */
import { Problem } from '../model/problem.ts';
import { DamagedData } from '../store/damage.ts';
import { isDiskFull, storageFull } from '../store/free-space.ts';

/** An error with which Fastify itself rejects a request. Errors of our own code never match. */
interface FastifyRejection {
  readonly code: string;
  readonly statusCode: number;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DamagedData)
    return new Problem('internal', 'Stored data that this answer needs is damaged.', { cause: error });
  if (isDiskFull(error)) return storageFull(error);
  if (isDisconnection(error)) {
    return new Problem('malformed-request', 'The connection closed before the whole request had arrived.', {
      cause: error,
    });
  }
  if (!isFastifyRejection(error))
    return new Problem('internal', 'An unexpected error occurred.', { cause: error });
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem('request-too-large', 'The request body is too large.', { cause: error });
  }
  // Raised for the method QUERY before routing; no path supports that method.
  if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') {
    return new Problem('no-such-path', 'There is nothing at this path.', { cause: error });
  }
  return new Problem('malformed-request', 'The request could not be parsed.', { cause: error });
}

/** Such a problem is no bug, and its message is worth showing. */
export function isDamage(problem: Problem): boolean {
  return problem.cause instanceof DamagedData;
}

/** The client disconnected while Fastify, which adds the status, was reading the body. */
export function isDisconnection(error: unknown): boolean {
  const { code, statusCode } = error as Partial<FastifyRejection>;
  return code === 'ECONNRESET' && statusCode === 400;
}

function isFastifyRejection(error: unknown): error is FastifyRejection {
  const { code, statusCode } = error as Partial<FastifyRejection>;
  return (
    code?.startsWith?.('FST_ERR_') === true &&
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500
  );
}
