/**
 * Expected failures as a closed set of codes, without HTTP: each API dialect maps every code in a table of its own, so a new code does
 * not compile until all dialects handle it.
 */
export type ProblemCode =
  | 'malformed-request'
  | 'request-too-large'
  | 'invalid-parameters'
  | 'invalid-members'
  | 'not-acceptable'
  | 'credentials-missing'
  | 'credentials-invalid'
  | 'credentials-expired'
  | 'address-not-allowed'
  | 'not-provisioned'
  | 'permission-denied'
  | 'sign-in-again'
  | 'setup-needed'
  | 'no-such-path'
  | 'method-not-allowed'
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'precondition-failed'
  | 'limit-exceeded'
  | 'quota-expired'
  | 'offset-exceeded'
  | 'too-many-connections'
  | 'timed-out'
  | 'unavailable'
  | 'storage-full'
  /** A database or an object store is away. */
  | 'try-again'
  | 'internal';

/** Messages by field name. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** The limit that a request exceeded: `size` requests per `window` ("minute", "hour", …); `product` as in the account. */
export interface ExceededLimit {
  readonly product: string;
  readonly size: number;
  readonly window: string;
  /** Absent where waiting does not help, as with a used-up block. */
  readonly retryAfterSeconds?: number;
}

interface ProblemDetails {
  readonly fields?: FieldMessages;
  readonly limit?: ExceededLimit;
  /** More members for a client that can act on them, such as what a conflict is about. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected failure. Any other error is a bug and becomes a 500 with a log id. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: FieldMessages | undefined;
  readonly limit: ExceededLimit | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.fields = details.fields;
    this.limit = details.limit;
    this.members = details.members;
  }
}

/** A problem of a single field. */
export function fieldProblem(code: 'invalid-parameters' | 'invalid-members', field: string, message: string) {
  return new Problem(code, `${field}: ${message}`, { fields: { [field]: [message] } });
}
