/** Calls of the server's own operations for this app, below `/ui/api`. */
import { regionWords } from '../words/parts.ts';
import { type Foreign, foreign, type Received } from './foreign.ts';
import { session } from './session.ts';

/** An expected failure: the server's sentence and what it says besides. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  readonly code: string;
  /** The sentence may quote names. */
  readonly sentence: Foreign;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly body: unknown;

  constructor(status: number, body: ErrorBody | undefined, retryAfter: string | null) {
    const sentence = body?.error?.message ?? regionWords.status(status);
    super(sentence);
    this.status = status;
    this.code = body?.error?.code ?? 'unknown';
    this.sentence = foreign(sentence);
    this.fields = body?.error?.fields ?? {};
    this.requestId = body?.request_id;
    this.retryAfterSeconds = retryAfter === null || retryAfter === '' ? undefined : Number(retryAfter);
    this.body = body;
  }
}

export interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly fields?: Readonly<Record<string, readonly string[]>>;
  };
  readonly request_id?: string;
}

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** The version that a change is based on. */
  readonly ifMatch?: number;
  /** Outlives the page. */
  readonly keepalive?: boolean;
  /** Part of signing in: that there is no session is an answer, not an interruption. */
  readonly open?: boolean;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Several values of one parameter are repeated, because a value may contain a comma. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(key, String(one));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const { query = {}, body, signal, keepalive = false, ifMatch } = options;
  try {
    return await fetch(`/ui/api${path}${queryText(query)}`, {
      method,
      keepalive,
      credentials: 'same-origin',
      headers: {
        'x-requested-with': 'nameglass',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerError(0, { error: { code: 'offline', message: regionWords.unreachable } }, null);
  }
}

/** A request that meets an ended session waits until the person has signed in again, so nothing that was done is lost. */
export async function request<Answer>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Received<Answer>> {
  for (;;) {
    const response = await send(method, path, options);
    if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Received<Answer>;
    const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
    const need = options.open === true ? undefined : signInNeed(response.status, body?.error?.code);
    if (need !== undefined) {
      await session.signInNeeded(need);
      continue;
    }
    throw new ServerError(response.status, body, response.headers.get('retry-after'));
  }
}

function signInNeed(status: number, code: string | undefined): 'ended' | 'recent' | undefined {
  if (status === 401) return 'ended';
  return code === 'sign-in-again' ? 'recent' : undefined;
}
