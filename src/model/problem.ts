/**
 * What can go wrong in the field's own words. No HTTP here: each dialect says in a table of its own how it answers
 * each code, so a new code does not compile until all dialects answer it.
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
  | 'no-such-path'
  | 'method-not-offered'
  | 'not-found'
  | 'product-absent'
  | 'already-exists'
  | 'limit-exceeded'
  | 'quota-expired'
  | 'offset-exceeded'
  | 'too-many-connections'
  | 'timed-out'
  | 'unavailable'
  | 'internal';

/** Messages by the name of the field that they are about. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** The limit that refused a request: `size` requests a `window` ("minute", "hour", …), `product` as the account lists it. */
export interface ExceededLimit {
  readonly product: string;
  readonly size: number;
  readonly window: string;
  /** Absent where no passing of time helps, as with a used-up block. */
  readonly retryAfterSeconds?: number;
}

interface ProblemDetails {
  readonly fields?: FieldMessages;
  readonly limit?: ExceededLimit;
  readonly cause?: unknown;
}

/** An expected failure. Anything else that is thrown is our own mistake and becomes a 500 with a log id. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: FieldMessages | undefined;
  readonly limit: ExceededLimit | undefined;

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.code = code;
    this.fields = details.fields;
    this.limit = details.limit;
  }
}

/** A problem of one field, the commonest kind. */
export function fieldProblem(code: 'invalid-parameters' | 'invalid-members', field: string, message: string) {
  return new Problem(code, `${field}: ${message}`, { fields: { [field]: [message] } });
}
