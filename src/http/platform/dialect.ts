/** How the platform API answers problems: the standard error body, with the exceptions that an operation declares. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import { usualStatus } from '../usual-status.ts';
import { defaultJsonContentType } from './families.ts';

const statusOf: Readonly<Record<ProblemCode, number>> = {
  ...usualStatus,
  'request-too-large': 400,
  'invalid-parameters': 400,
  'method-not-allowed': 404,
  'already-exists': 400,
};

/** Refused for now: the same request may succeed later. */
export function isTemporary(code: ProblemCode): boolean {
  return statusOf[code] === 429 || statusOf[code] === 503;
}

/** For the OpenAPI description. A 422 has `summary` and `messages` instead of `message`. */
export const ErrorResponse = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'the HTTP status' }),
      message: Type.Optional(Type.String()),
      summary: Type.Optional(Type.String()),
      messages: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    }),
    resources: Type.Object({ support: Type.String() }),
  },
  { title: 'PlatformError', description: 'The standard error body' },
);

export function platformDialect(supportUrl: string): Dialect {
  return (problem, request, reply) => {
    const operation = request.routeOptions.config.platformOperation;
    const status = statusFor(problem.code, request, operation?.unauthorizedStatus);
    setHeaders(problem, status, reply);
    const error =
      status === 422 ? validationError(problem) : { code: status, message: messageFor(problem, status) };
    const body = { error, resources: { support: supportUrl } };
    const contentType = operation?.family.jsonContentType ?? defaultJsonContentType;
    return sendExact(reply.code(status), contentType, JSON.stringify(body));
  };
}

/** The compatibility profile answers wrong credentials with 403 and an exceeded limit with 503. */
function statusFor(code: ProblemCode, request: FastifyRequest, unauthorizedStatus = 401): number {
  const status = statusOf[code];
  const vendor = request.wording === 'vendor';
  if (status === 401) return vendor ? 403 : unauthorizedStatus;
  if (status === 429 && vendor) return 503;
  return status;
}

function setHeaders(problem: Problem, status: number, reply: FastifyReply): void {
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Nameglass", charset="UTF-8"');
  const retryAfterSeconds = problem.limit?.retryAfterSeconds;
  if (status === 429 && retryAfterSeconds !== undefined)
    reply.header('retry-after', String(retryAfterSeconds));
}

function validationError(problem: Problem) {
  return { code: 422, summary: 'The given data was invalid.', messages: problem.fields ?? {} };
}

/** Clients of the compatibility profile display the limit from this exact wording: "(30/min)". */
function messageFor(problem: Problem, status: number): string {
  if (status !== 503 || !problem.limit) return problem.message;
  const { size, window } = problem.limit;
  const per = window === 'absolute' ? '' : ` per ${window}`;
  const short = window === 'absolute' ? `${size}` : `${size}/${window === 'minute' ? 'min' : window}`;
  return `You have exceeded the maximum number of requests${per} allowed under your service level (${short}).`;
}
