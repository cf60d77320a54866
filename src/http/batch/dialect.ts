/** How the batch API reports problems: RFC 7807 style members next to `_status` NOK, and the id of the log entry. */
import type { FastifyRequest } from 'fastify';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Dialect } from '../dialect.ts';
import { isDamage } from '../problem-of.ts';

interface Kind {
  readonly status: number;
  /** A hyphenated mnemonic, suitable as a translation key. */
  readonly type: string;
  readonly message?: string;
}

const sessionFailure: Kind = { status: 403, type: 'session-failure' };
const invalidParameters: Kind = {
  status: 403,
  type: 'invalid-parameters',
  message: 'Invalid parameter value',
};
const noSuchPath: Kind = { status: 404, type: 'not-found', message: 'Not found' };
const failure: Kind = { status: 500, type: 'internal-error', message: 'Internal error' };

const kindOf: Record<ProblemCode, Kind> = {
  'malformed-request': invalidParameters,
  'request-too-large': invalidParameters,
  'invalid-parameters': invalidParameters,
  'invalid-members': invalidParameters,
  'not-acceptable': { status: 406, type: 'not-acceptable' },
  'credentials-missing': { status: 403, type: 'missing-api-key' },
  'credentials-invalid': sessionFailure,
  'credentials-expired': sessionFailure,
  'address-not-allowed': sessionFailure,
  'not-provisioned': sessionFailure,
  'permission-denied': sessionFailure,
  'sign-in-again': sessionFailure,
  'setup-needed': sessionFailure,
  'no-such-path': noSuchPath,
  'method-not-allowed': { status: 405, type: 'method-not-allowed', message: 'Method not allowed' },
  'not-found': { status: 404, type: 'no-data', message: 'No data available' },
  'already-exists': invalidParameters,
  conflict: { status: 409, type: 'conflict', message: 'Conflict' },
  'precondition-failed': { status: 412, type: 'precondition-failed', message: 'Precondition failed' },
  'limit-exceeded': { status: 429, type: 'limit-exceeded' },
  'quota-expired': sessionFailure,
  'offset-exceeded': invalidParameters,
  'too-many-connections': { status: 503, type: 'too-many-connections', message: 'Too many connections' },
  'timed-out': { status: 504, type: 'timed-out', message: 'Timed out' },
  unavailable: { status: 503, type: 'unavailable', message: 'Temporarily unavailable' },
  'storage-full': { status: 503, type: 'storage-full', message: 'Not enough free disk space' },
  'try-again': { status: 503, type: 'try-again', message: 'Try again' },
  internal: failure,
};

export const batchDialect: Dialect = (problem, request, reply) => {
  const kind = kindOf[problem.code];
  if (kind.status === 405) reply.header('allow', 'POST');
  return reply
    .code(kind.status)
    .type('application/json')
    .send(bodyOf(problem, kind, request));
};

function bodyOf(problem: Problem, kind: Kind, request: FastifyRequest) {
  const [invalid] = Object.entries(problem.fields ?? {});
  return {
    _status: 'NOK',
    _message: kind.message ?? problem.message,
    status: kind.status,
    type: kind.type,
    ...(kind.message && (kind !== failure || isDamage(problem)) ? { detail: problem.message } : {}),
    logid: request.id,
    ...(kind === invalidParameters
      ? { invalid_parameters: { name: invalid?.[0] ?? 'body', reason: invalid?.[1][0] ?? problem.message } }
      : {}),
  };
}
