/**
 * Answers short reads before Fastify sees them. Its request, its reply, hooks and promises cost several times as much as such an answer
 * ([decision](../../../docs/decisions/0079-a-fast-path-for-short-reads.md)). Only requests that are as usual as can be, and whose whole
 * answer is available without waiting, are answered here; everything else, problems included, is left to Fastify as if nothing had happened.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';
import { type ReadAddress, split } from '../address.ts';
import { compressOnce, wantsGzip } from '../compression.ts';
import { findRequestFault, securityHeaders } from '../guard.ts';
import type { LogRequest } from '../request-log.ts';
import { clientAddressReader } from './client-address.ts';
import { type FastAnswer, type FastRoute, PlainRequest } from './fast-route.ts';
import { ResponseBatch } from './response-batch.ts';

export interface FastPathNeeds {
  readonly readAddress: ReadAddress;
  readonly logRequest: LogRequest;
  readonly settings: Pick<Settings, 'http'>;
}

/** Longer ones are rare, and Fastify has its own limits for them. */
const urlLengthMax = 2048;

/** Headers of requests that have a body, or want an answer in another way. */
const unusualHeaders = ['content-length', 'transfer-encoding', 'expect', 'accept-version'] as const;

export function addFastPath(app: FastifyInstance, routes: readonly FastRoute[], needs: FastPathNeeds): void {
  const [throughFastify] = app.server.listeners('request') as RequestListener[];
  if (!throughFastify) throw new Error('the server has no listener for requests');
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  const answer = fastAnswers(app, routes, { ...needs, throughFastify, isClosing: () => isClosing });
  app.server.off('request', throughFastify);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // While the server stops, Fastify says so in its answers.
    if (isClosing || request.method !== 'GET' || !answer(request, response))
      throughFastify(request, response);
  });
}

interface AnswerNeeds extends FastPathNeeds {
  readonly throughFastify: RequestListener;
  readonly isClosing: () => boolean;
}

function fastAnswers(app: FastifyInstance, routes: readonly FastRoute[], needs: AnswerNeeds) {
  const { readAddress, logRequest, settings, throughFastify, isClosing } = needs;
  const find = routeFinder(routes);
  const findAddressReader = clientAddressReader(app, settings);
  const constantHeaders = Object.entries(securityHeaders(settings)).flat();
  const batch = new ResponseBatch();
  return (raw: IncomingMessage, response: ServerResponse): boolean => {
    const began = performance.now();
    const { url: sentUrl = '/', headers } = raw;
    const { url, wording } = readAddress(sentUrl, headers.host, headers['user-agent']);
    const route = find(url);
    const addressOf = findAddressReader();
    if (!route || !addressOf || wording !== 'neutral' || !isUsual(raw, sentUrl)) return false;
    const id = randomUUID();
    const request = new PlainRequest(raw, url, route.options, { id, addressOf });
    const answer = encodedFor(headers['accept-encoding'], answerOf(route, request));
    if (!answer) return false;
    const finish = (whole: FastAnswer) => {
      // Its client may have gone while it was charged or compressed; it is logged all the same.
      if (!response.destroyed) {
        writeHead(whole, [...constantHeaders, 'x-request-id', id], response);
        batch.end(response, whole.body);
      }
      logRequest(request, { statusCode: 200, elapsedTime: performance.now() - began });
    };
    if (!(answer instanceof Promise)) finish(answer);
    else
      void answer.then((whole) => {
        if (!whole) return throughFastify(raw, response);
        if (isClosing()) response.shouldKeepAlive = false;
        finish(whole);
      });
    return true;
  };
}

type MaybeLater = ReturnType<FastRoute['answer']>;

/** Compressed, where the client wants that. */
function encodedFor(acceptEncoding: string | undefined, answer: MaybeLater): MaybeLater {
  if (answer instanceof Promise) return answer.then((whole) => encodedFor(acceptEncoding, whole));
  if (!answer || !wantsGzip(acceptEncoding, answer.body)) return answer;
  const withBody = (body: Buffer) => ({
    ...answer,
    body,
    headers: { ...answer.headers, 'content-encoding': 'gzip' },
  });
  const compressed = compressOnce(answer);
  // By now it is charged, so it is sent as it is where it cannot be compressed.
  return compressed instanceof Promise ? compressed.then(withBody, () => answer) : withBody(compressed);
}

/** Fastify gets the request from its beginning, finds the same error and answers it. */
function answerOf({ answer }: Pick<FastRoute, 'answer'>, request: PlainRequest): MaybeLater {
  try {
    const found = answer(request);
    return found instanceof Promise ? found.catch(() => undefined) : found;
  } catch {
    return undefined;
  }
}

function writeHead(
  { contentType, body, headers }: FastAnswer,
  all: string[],
  response: ServerResponse,
): void {
  // As Fastify writes names.
  for (const name in headers) all.push(name.toLowerCase(), headers[name] as string);
  all.push('content-type', contentType, 'content-length', String(Buffer.byteLength(body)));
  response.writeHead(200, all);
}

/**
 * In a path they are decoded by the router, and in the name of a parameter they might hide a signature. A question mark ends the search for one, too, so
 * that it takes no longer than the URL.
 */
const percentOutsideValues = /^[^?%]*%|[?&][^=&?%]*%/;

function isUsual(raw: IncomingMessage, url: string): boolean {
  const { headers, httpVersionMajor, httpVersionMinor } = raw;
  return (
    httpVersionMajor === 1 &&
    httpVersionMinor === 1 &&
    url.length <= urlLengthMax &&
    !percentOutsideValues.test(url) &&
    unusualHeaders.every((name) => headers[name] === undefined) &&
    findRequestFault(url, raw.rawHeaders) === undefined
  );
}

interface FoundRoute extends Pick<FastRoute, 'answer'> {
  readonly options: { readonly config: Pick<FastRoute, 'operation' | 'scope'> };
}

function routeFinder(routes: readonly FastRoute[]): (url: string) => FoundRoute | undefined {
  const whole = new Map<string, FoundRoute>();
  const prefixes: (FoundRoute & { readonly prefix: string })[] = [];
  for (const { path, operation, scope, answer } of routes) {
    const found = { answer, options: { config: { operation, scope } } };
    if (path.endsWith('/*')) prefixes.push({ ...found, prefix: path.slice(0, -1) });
    else whole.set(path, found);
  }
  return (url) => prefixes.find(({ prefix }) => url.startsWith(prefix)) ?? whole.get(split(url).path);
}
