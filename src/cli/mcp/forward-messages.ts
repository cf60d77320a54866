/** Passes messages of the protocol from standard input to a server, each as a request of its own, and its answers to standard output. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { NameglassClient } from '../../client/nameglass-client.ts';
import { serverSentEvents } from '../remote/server-sent-events.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly ['_meta']?: Readonly<Record<string, unknown>>;
  };
  readonly result?: { readonly protocolVersion?: unknown };
}

const path = '/v1/mcp';
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const serverError = -32_000;
const parseError = -32_700;

/** Resolves when the input has ended and everything is answered. */
export async function forwardMessages(
  client: Pick<NameglassClient, 'request'>,
  input: Readable,
  output: Writable,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  /** What `initialize` agreed on; newer clients name it in each message. */
  let version: string | undefined;
  const answer = (message: object) => {
    const { protocolVersion } = (message as Message).result ?? {};
    if (typeof protocolVersion === 'string') version = protocolVersion;
    output.write(`${JSON.stringify(message)}\n`);
  };
  const forward = async (line: string) => {
    const message = parsed(line);
    if (!message)
      return answer({ jsonrpc: '2.0', id: null, error: { code: parseError, message: 'not JSON' } });
    try {
      const response = await client.request(path, {
        method: 'POST',
        body: line,
        headers: headersOf(message, version),
      });
      for await (const one of answersIn(response)) answer(one);
    } catch (error) {
      // A notification has no answer.
      if (message.id === undefined) return;
      const text = error instanceof Error ? error.message : String(error);
      answer({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: text } });
    }
  };
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const forwarded = forward(line).finally(() => inFlight.delete(forwarded));
    inFlight.add(forwarded);
    // What follows the first message depends on what it agreed on.
    if (parsed(line)?.method === 'initialize') await forwarded;
  }
  await Promise.all(inFlight);
}

function parsed(line: string): Message | undefined {
  try {
    const message = JSON.parse(line) as unknown;
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

/** What the message says about itself, again in headers, as the protocol wants it over HTTP. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const own = params?.['_meta']?.[versionKey];
  const version = typeof own === 'string' ? own : agreed;
  const name = params?.name ?? params?.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    ...(typeof own === 'string' && method !== undefined ? { 'mcp-method': method } : {}),
    ...(typeof own === 'string' && typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** Headers hold printable ASCII alone. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

async function* answersIn(response: Response): AsyncGenerator<object> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) yield* serverSentEvents(response);
  else if (type.startsWith('application/json')) yield (await response.json()) as object;
}
