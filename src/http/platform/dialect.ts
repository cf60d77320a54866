/** How the platform API answers problems: the standard error body, and the account endpoint's own rule for credentials. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { sendExact } from '../send-exact.ts';
import { jsonType, type OperationId, operations } from './operations.ts';

const statusOf: Record<ProblemCode, number> = {
  'malformed-request': 400,
  'request-too-large': 400,
  'invalid-parameters': 400,
  'invalid-members': 422,
  'not-acceptable': 406,
  'credentials-missing': 401,
  'credentials-invalid': 401,
  'credentials-expired': 401,
  'address-not-allowed': 403,
  'not-provisioned': 403,
  'permission-denied': 403,
  'no-such-path': 404,
  'method-not-offered': 404,
  'not-found': 404,
  'product-absent': 404,
  'already-exists': 400,
  'limit-exceeded': 429,
  'quota-expired': 403,
  'offset-exceeded': 416,
  'too-many-connections': 503,
  'timed-out': 504,
  unavailable: 503,
  internal: 500,
};

/** For the OpenAPI description. A 422 has `summary` and `messages` in place of `message`. */
export const ErrorAnswer = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'the HTTP status' }),
      message: Type.Optional(Type.String()),
      summary: Type.Optional(Type.String()),
      messages: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    }),
    resources: Type.Object({ support: Type.String() }),
  },
  { description: 'The standard error body' },
);

export function platformDialect(supportUrl: string): Dialect {
  return (problem, request, reply) => {
    const status = statusFor(problem.code, request);
    setHeaders(problem, status, reply);
    const error =
      status === 422 ? validationError(problem) : { code: status, message: messageFor(problem, status) };
    const body = { error, resources: { support: supportUrl } };
    return sendExact(reply.code(status), contentTypeFor(request), JSON.stringify(body));
  };
}

function contentTypeFor(request: FastifyRequest): string {
  const id = request.routeOptions.config.operation;
  return jsonType(
    id !== undefined && Object.hasOwn(operations, id) ? operations[id as OperationId].family : 'Account',
  );
}

/** The account endpoint and the compatibility profile say 403 for bad credentials; the profile says 503 for a limit. */
function statusFor(code: ProblemCode, request: FastifyRequest): number {
  const status = statusOf[code];
  const vendor = request.wording === 'vendor';
  if (status === 401 && (vendor || request.routeOptions.config.operation === 'getAccountInfo')) return 403;
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

/** The wording of limits that clients of the profile show to people: "(30/min)". */
function messageFor(problem: Problem, status: number): string {
  if (status !== 503 || !problem.limit) return problem.message;
  const { size, window } = problem.limit;
  const per = window === 'absolute' ? '' : ` per ${window}`;
  const short = window === 'absolute' ? `${size}` : `${size}/${window === 'minute' ? 'min' : window}`;
  return `You have exceeded the maximum number of requests${per} allowed under your service level (${short}).`;
}
