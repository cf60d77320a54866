/**
 * The HTTP status that says the same as a problem. A dialect whose contract answers otherwise names the codes in which it differs; a new code
 * does not compile before it has its status here.
 */
import type { ProblemCode } from '../model/problem.ts';

export const usualStatus: Record<ProblemCode, number> = {
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
  'precondition-failed': 412,
  'limit-exceeded': 429,
  'quota-expired': 403,
  'offset-exceeded': 416,
  'too-many-connections': 503,
  'timed-out': 504,
  unavailable: 503,
  'storage-full': 503,
  'try-again': 503,
  internal: 500,
};
