/** What a request failed with. The three APIs word and number the same failures differently; `code` is the same for all of them. */

export type ErrorCode =
  /** The request is wrong; `fields` may name what is. */
  | 'invalid'
  /** No key, a wrong or expired one, or a link that is no longer valid. */
  | 'authentication'
  /** A valid key that may not do this. */
  | 'permission'
  | 'not-found'
  /** A limit or quota is used up; `retryAfterSeconds` says when to try again, if that helps. */
  | 'limit'
  /** More results than the server returns: refine the search. */
  | 'too-many-results'
  /** Try again later. */
  | 'unavailable'
  /** A bug in the server. */
  | 'internal'
  /** No connection, or it broke before the response began. */
  | 'unreachable'
  /** The response broke off: what was received is not all of it. */
  | 'incomplete'
  /** The server gave up in the middle of the response. */
  | 'failed'
  /** Something answered that is not Nameglass. */
  | 'unexpected';

export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly code: ErrorCode;
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class NameglassError extends Error {
  override readonly name = 'NameglassError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Messages by the name of the parameter or member, where the server names them. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds?: number;
  /** The id under which the server logged the request. */
  readonly requestId?: string;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? 0;
    this.code = details.code;
    if (details.fields) this.fields = details.fields;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
    if (details.requestId !== undefined) this.requestId = details.requestId;
  }
}
