/** Reads the error bodies of all APIs: JSON of the platform, JSON of the batch API, a line of text of passive DNS, XML of links. */
import { type ErrorCode, type ErrorDetails, NameglassError } from './nameglass-error.ts';

type Fields = Readonly<Record<string, readonly string[]>>;

interface PlatformError {
  readonly error: { readonly message?: string; readonly summary?: string; readonly messages?: Fields };
}

interface BatchError {
  readonly _message: string;
  readonly type: string;
  readonly detail?: string;
  readonly invalid_parameters?: { readonly name: string; readonly reason: string };
}

/** `path` is below the address of the server. */
export async function readError(response: Response, path: string): Promise<NameglassError> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'nowhere';
    return new NameglassError(`The server redirects to ${target}. Use that address as the server.`, {
      status,
      code: 'unexpected',
    });
  }
  const text = await response.text().catch(() => '');
  const details: ErrorDetails = {
    status,
    code: codeOf(status, path),
    retryAfterSeconds: retryAfterOf(response),
    requestId: headers.get('x-request-id') ?? undefined,
  };
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return readJson(text, details);
  if (type.startsWith('application/xml')) return readXml(text, details);
  const line = type.startsWith('text/plain') ? text.replace(/^Error: /, '').trim() : '';
  return new NameglassError(line === '' ? `The server answered with status ${status}.` : line, details);
}

function readJson(text: string, details: ErrorDetails): NameglassError {
  const body = parse(text) as Partial<PlatformError & BatchError> | undefined;
  if (body && '_message' in body) return readBatch(body as BatchError, details);
  const { message, summary, messages } = body?.error ?? {};
  const fields = messages && Object.keys(messages).length > 0 ? messages : undefined;
  const named = fields && Object.values(fields).flat().join(' ');
  const sentence = message ?? ([summary, named].filter(Boolean).join(' ') || undefined);
  return new NameglassError(sentence ?? `The server answered with status ${details.status}.`, {
    ...details,
    fields,
  });
}

/** The batch API answers most failures with 403: its type says which. */
function readBatch(body: BatchError, details: ErrorDetails): NameglassError {
  const { _message: message, type, detail, invalid_parameters: invalid } = body;
  const code = type === 'invalid-parameters' ? 'invalid' : details.code;
  return new NameglassError(detail === undefined ? message : `${message}: ${detail}`, {
    ...details,
    code,
    fields: invalid && { [invalid.name]: [invalid.reason] },
  });
}

function readXml(text: string, details: ErrorDetails): NameglassError {
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1];
  return new NameglassError(message ?? `The server answered with status ${details.status}.`, {
    ...details,
    code: details.status === 403 ? 'authentication' : details.code,
  });
}

function codeOf(status: number, path: string): ErrorCode {
  if (status === 401 || status === 403) return refusalOf(status, path);
  if (status === 404) return 'not-found';
  if (status === 429) return 'limit';
  if (status === 503 || status === 504 || status === 502) return 'unavailable';
  if (status >= 500) return 'internal';
  return 'invalid';
}

/** Passive DNS exchanges the usual meanings, except in the Common Output Format; the account and batch operations only know 403. */
function refusalOf(status: 401 | 403, path: string): ErrorCode {
  const exchanged = /^\/(?:pdns\/v\d|lookup|summarize)\//.test(path);
  if (exchanged) return status === 403 ? 'authentication' : 'permission';
  if (status === 401 || /^\/(?:v1\/account\/?$|batchd\/)/.test(path)) return 'authentication';
  return 'permission';
}

/** Whole seconds, or a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const untilMs = Date.parse(text);
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
