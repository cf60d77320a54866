/** The request that `call` of a test server would inject, sent to the proxy in front of it instead. */
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { keepText } from '../artifacts.ts';
import { clientAddress } from './client-address.ts';
import type { Answer, CallOptions } from './test-server.ts';

/** No HTTP client sends control characters in headers; a test that does means a server that got them all the same. */
export function canBeSent({ key = '', headers = {} }: CallOptions): boolean {
  return [key, ...Object.values(headers)].every((value) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value));
}

export async function callThroughProxy(
  app: FastifyInstance,
  route: string,
  { key, headers, body, from = '127.0.0.1' }: CallOptions,
): Promise<Answer> {
  const [method, url] = route.split(/ (.*)/s) as [string, string];
  const { host, port } = await clientAddress(app);
  const unfinished = unfinishedResponses(app);
  const address = from.replace(/^::ffff:/, '');
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const sent = request({
    host: isIPv6(address) ? '::1' : host,
    port,
    method,
    path: pathOf(url),
    localAddress: address,
    agent: false,
    headers: {
      // What an injected request has.
      host: 'localhost:80',
      'user-agent': 'lightMyRequest',
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...lowerCased(headers),
    },
  });
  sent.end(isJson ? JSON.stringify(body) : body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  const text = bytes.toString();
  const id = answer.headers['x-request-id'];
  while ([...unfinished].some((response) => hasId(response, id))) await pause(1);
  keepText('answers', `${JSON.stringify(answer.headers)}\n${text}`);
  return {
    status: answer.statusCode as number,
    headers: headersOf(answer),
    text,
    bytes,
    get json() {
      return JSON.parse(text);
    },
  };
}

const unfinishedByServer = new WeakMap<FastifyInstance, Set<ServerResponse>>();

/** An injected request is over when its response is: the server has logged it. A proxy may pass the response on before that. */
function unfinishedResponses(app: FastifyInstance): ReadonlySet<ServerResponse> {
  const known = unfinishedByServer.get(app);
  if (known) return known;
  const unfinished = new Set<ServerResponse>();
  unfinishedByServer.set(app, unfinished);
  app.server.on('request', (_, response) => {
    unfinished.add(response);
    response.once('close', () => unfinished.delete(response));
  });
  return unfinished;
}

/** Headers that were given to `writeHead` are only in the text that was sent. */
function hasId(response: ServerResponse, id: string | string[] | undefined): boolean {
  const { _header: text } = response as ServerResponse & { readonly _header?: string | null };
  return typeof id === 'string' && (text?.includes(`x-request-id: ${id}\r\n`) ?? false);
}

/** Injection parses URLs as a browser does. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(
    url.startsWith('//') ? `http://localhost${url}` : url,
    'http://localhost',
  );
  return pathname + search;
}

const lowerCased = (headers: CallOptions['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function headersOf({ headers }: IncomingMessage): Answer['headers'] {
  const { 'set-cookie': cookies, ...others } = headers;
  const single = cookies?.length === 1 ? cookies[0] : cookies;
  return { ...others, ...(single === undefined ? {} : { 'set-cookie': single }) } as Answer['headers'];
}
