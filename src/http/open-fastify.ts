/** Fastify with our limits, timeouts and URL rewriting. */
import { randomUUID } from 'node:crypto';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Bindings, ChildLoggerOptions, Logger } from 'pino';
import { noteConnection } from '../concurrency/event-loop-slices.ts';
import type { Settings } from '../model/settings/settings.ts';
import type { ReadAddress } from './address.ts';
import { readQuery } from './query-string.ts';

interface FastifyNeeds {
  readonly settings: Pick<Settings, 'http'>;
  readonly logger: Logger;
}

type BuildSerializers = ReturnType<typeof SerializerSelector>;

/** Compiled with the first response: compiling those of every route would be a third of the time of a start. */
const buildLazySerializers: BuildSerializers = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (response: unknown) => {
      serialize ??= compile(route);
      return serialize(response);
    };
  };
};

/**
 * One logger for all requests: log lines include the request id, which is cheaper than a child logger per request. Fastify makes one child,
 * to add serializers, and asks that one for the child of each request; what another factory of children returns it would check each time.
 */
function withoutChildren(logger: Logger): Logger {
  const parent = logger.child({});
  const only = (bindings: Bindings, options: ChildLoggerOptions): Logger => {
    const child = logger.child(bindings, options);
    return Object.assign(child, { child: () => child });
  };
  return Object.assign(parent, { child: only as unknown as Logger['child'] });
}

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** `answerError` answers what Fastify rejects before routing. */
export function openFastify(needs: FastifyNeeds, readAddress: ReadAddress, answerError: AnswerError) {
  const { http } = needs.settings;
  const app = Fastify({
    loggerInstance: withoutChildren(needs.logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: http.trustProxy.length > 0 ? http.trustProxy : false,
    bodyLimit: http.bodyBytesMax,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: http.requestTimeoutSeconds * 1000,
    keepAliveTimeout: http.keepAliveTimeoutSeconds * 1000,
    http: {
      maxHeaderSize: http.headerBytesMax,
      headersTimeout: http.headersTimeoutSeconds * 1000,
      connectionsCheckingInterval: 2000,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096, querystringParser: readQuery as never },
    rewriteUrl: ({ url = '/', headers }) => readAddress(url, headers.host, headers['user-agent']).url,
    frameworkErrors: (error, request, reply) =>
      answerError(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: (error, socket) => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) return;
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
      const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
      socket.end(
        `HTTP/1.1 ${timedOut ? '408 Request Timeout' : status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    },
  }) as unknown as FastifyInstance;
  app.server.on('connection', noteConnection);
  return app;
}
