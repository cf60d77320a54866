/** The endpoint of assistants: `POST /v1/mcp`, and `/mcp` for people who type the usual path. Each request stands alone. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../model/account/account.ts';
import { findJsonExcess } from '../../model/json-bounds.ts';
import { Problem } from '../../model/problem.ts';
import { PositionCodec } from '../../product/investigate/position.ts';
import { answerProblem } from '../dialect.ts';
import { disconnectSignal } from '../platform/operation/disconnect-signal.ts';
import { bodyOf } from '../platform/operation/raw-parameters.ts';
import { problemOf } from '../problem-of.ts';
import { type AdmitNeeds, admitRequest, originCheck } from './admit-request.ts';
import { assistantDialect } from './dialect.ts';
import { type AssistantNeeds, type Connected, ProtocolServers } from './protocol-server.ts';
import { warmUp } from './warm-up.ts';

export type AssistantScopeNeeds = AssistantNeeds &
  AdmitNeeds & {
    /** Given by a server that will listen: takes what would hold the event loop later, to be done before it is ready. */
    readonly warmUpWith?: (work: () => Promise<void>) => void;
  };

declare module 'fastify' {
  interface FastifyRequest {
    assistantCaller: Caller | undefined;
  }
}

const bodyBytesMax = 1_048_576;
const subscriptionsMax = 64;
/** Methods of the protocol that the log names besides tools. */
const methods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
];

export function assistantScope(needs: AssistantScopeNeeds, paths: readonly string[]) {
  return async (scope: FastifyInstance) => {
    const servers = new ProtocolServers({ ...needs, positions: new PositionCodec(needs.linkKey) });
    const handler = lazyHandler(servers, needs);
    const findFault = originCheck(needs);
    scope.setErrorHandler((error, request, reply) =>
      answerProblem(problemOf(error), assistantDialect, request, reply),
    );
    scope.decorateRequest('assistantCaller', undefined);
    scope.setValidatorCompiler(() => () => true);
    scope.addHook('onRequest', async (request) => {
      const fault = findFault(request);
      if (fault) throw fault;
      if (request.method !== 'POST') throw new Problem('method-not-allowed', 'This path accepts POST alone.');
      request.assistantCaller = await admitRequest(request, needs);
    });
    scope.addHook('preClose', handler.close);
    needs.warmUpWith?.(handler.warmUp);
    const config = { access: 'read', operation: 'mcp', scope: 'assistant' } as const;
    const bodyLimit = Math.min(bodyBytesMax, needs.settings.http.bodyBytesMax);
    for (const url of paths) {
      scope.route({
        method: ['POST', 'GET', 'DELETE'],
        url,
        config,
        bodyLimit,
        schema: { hide: true },
        handler: async (request, reply) => {
          const message = readMessage(request);
          request.operationName = operationOf(message, servers.toolNames);
          return send(await handler.answer(request, reply, message), reply);
        },
      });
    }
  };
}

/** The library is loaded with the first request, or before the server says that it is ready: it takes some 150 ms in one piece. */
function lazyHandler(servers: ProtocolServers, { logger }: AssistantScopeNeeds) {
  let loaded: Promise<McpHttpHandler> | undefined;
  const load = async () => {
    const library = await import('@modelcontextprotocol/server');
    return library.createMcpHandler(({ authInfo }) => servers.make(library, authInfo?.extra as never), {
      legacy: 'stateless',
      // Lists do not change while a client is connected: a subscription holds a connection and gets nothing.
      maxSubscriptions: subscriptionsMax,
      onerror: (error) => logger.debug({ err: error }, 'message of an assistant refused'),
    });
  };
  const get = () => (loaded ??= load());
  return {
    warmUp: async () => warmUp(await get()),
    answer: async (request: FastifyRequest, reply: FastifyReply, message: unknown): Promise<Response> => {
      const { fetch: serve } = await get();
      const caller = request.assistantCaller as Caller;
      const connected: Connected = { caller, client: request, agent: request.headers['user-agent'] ?? '' };
      // The key stays here: nothing behind this point needs it.
      const authInfo = { token: '', clientId: caller.user.id, scopes: [], extra: { ...connected } };
      return serve(webRequest(request, reply), { authInfo, parsedBody: message });
    },
    close: async () => (await loaded)?.close(),
  };
}

const passedHeaders = /^(?:accept|mcp-.*)$/;

function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers({ 'content-type': request.sentContentType ?? '' });
  for (const [name, value] of Object.entries(request.headers))
    if (passedHeaders.test(name) && value !== undefined) headers.set(name, String(value));
  // No URL is made from a Host header; the path is all that counts.
  return new Request('http://localhost/v1/mcp', { method: 'POST', headers, signal: disconnectSignal(reply) });
}

/** One message. A batch of them would be one request with any number of calls. */
function readMessage(request: FastifyRequest): unknown {
  const text = bodyOf(request).toString('utf8');
  const excess = findJsonExcess(text);
  if (excess !== undefined) throw new Problem('malformed-request', `The message ${excess}.`);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Problem('malformed-request', 'The body is not valid JSON.');
  }
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new Problem(
    'invalid-parameters',
    'The body must be one message of JSON-RPC: an object, not a batch.',
  );
}

/** For log and metrics: names of ours alone, so that their number is bounded. */
function operationOf(message: unknown, toolNames: readonly string[]): string {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  const tool = method === 'tools/call' ? toolNames.find((name) => name === params?.name) : undefined;
  if (tool !== undefined) return `mcp.${tool}`;
  return methods.includes(String(method)) ? `mcp.${String(method)}` : 'mcp';
}

function send(response: Response, reply: FastifyReply): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value);
  return response.body === null
    ? reply.send()
    : reply.send(Readable.fromWeb(response.body as ReadableStream<Uint8Array>));
}
