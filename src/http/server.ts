/** One server, three dialects: the scopes side by side, and what all of them share. */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Settings } from '../model/settings.ts';
import { addressReader, type ReadAddress, without } from './address.ts';
import { batchDialect } from './batch/dialect.ts';
import { linkDialect } from './batch/link-dialect.ts';
import { rangeLinks, rangePrefix } from './batch/range-links.ts';
import { rangeScope } from './batch/range-scope.ts';
import { type BatchNeeds, batchScope } from './batch/scope.ts';
import { answer, type Dialect, speak } from './dialect.ts';
import { blocklistLinks, blocklistsPrefix } from './files/blocklist-links.ts';
import { type BlocklistScopeNeeds, blocklistScope } from './files/blocklist-scope.ts';
import { fileLinks, filesPrefix } from './files/file-links.ts';
import { type FilesNeeds, filesScope } from './files/scope.ts';
import { screenshotLinks, screenshotPath } from './files/screenshot-links.ts';
import { type ScreenshotScopeNeeds, screenshotScope } from './files/screenshot-scope.ts';
import { frontDialect } from './front/dialect.ts';
import { operatorRoutes, type Readiness } from './front/operator-routes.ts';
import { describeRoutes, referenceRoutes } from './front/reference.ts';
import { answerHeaders, guard } from './guard.ts';
import type { Metrics } from './metrics.ts';
import type { AskingNeeds } from './pdns/asking.ts';
import { pdnsDialect } from './pdns/dialect.ts';
import { mountPdns, pdnsPrefixes } from './pdns/scope.ts';
import { platformDialect } from './platform/dialect.ts';
import { type PlatformNeeds, type PlatformRoutes, platformRoutes, platformScope } from './platform/scope.ts';
import { readQuery } from './platform/sent.ts';
import { problemOf } from './problem-of.ts';
import { takeRawBodies } from './raw-body.ts';
import { requestLog } from './request-log.ts';
import { decorateRequests } from './request-state.ts';
import { requireDeclaredAccess } from './route-access.ts';

export type ServerNeeds = Omit<
  PlatformNeeds,
  'fileLinks' | 'blocklistLinks' | 'screenshotLinks' | 'logAbandoned' | 'serverUrl'
> &
  Omit<BatchNeeds, 'logAbandoned' | 'links'> &
  Omit<FilesNeeds, 'logAbandoned' | 'links'> &
  Omit<BlocklistScopeNeeds, 'logAbandoned' | 'links'> &
  Omit<AskingNeeds, 'logAbandoned'> & {
    readonly images: PlatformNeeds['images'] & ScreenshotScopeNeeds['images'];
    readonly archives: PlatformNeeds['archives'] & FilesNeeds['archives'];
    readonly streams: PlatformNeeds['streams'] & BatchNeeds['streams'];
    readonly accounts: PlatformNeeds['accounts'] &
      BatchNeeds['accounts'] &
      AskingNeeds['accounts'] &
      BlocklistScopeNeeds['accounts'];
    readonly watchlist: PlatformNeeds['watchlist'] & BlocklistScopeNeeds['watchlist'];
    readonly usage: PlatformNeeds['usage'] & AskingNeeds['usage'];
    readonly settings: Settings;
    readonly logger: Logger;
    /** Writes the line of a request. */
    readonly logLine: ((fields: object) => void) | undefined;
    readonly metrics: Metrics;
    readonly readiness: Readiness;
    readonly version: string;
    /** 32 bytes that links to downloads are signed with. */
    readonly linkKey: Buffer;
  };

export async function createServer(
  needs: ServerNeeds,
  routes: readonly PlatformRoutes[] = platformRoutes,
): Promise<FastifyInstance> {
  const { settings } = needs;
  const serverUrl = publicUrl(settings) + settings.http.mountPrefix;
  const platform = platformDialect(settings.support.url || `${serverUrl}/docs`);
  const dialects = new Map<string, Dialect>([
    ['/v1', platform],
    ['/batchd', batchDialect],
    [rangePrefix, linkDialect],
    [filesPrefix, linkDialect],
    [blocklistsPrefix, linkDialect],
    [screenshotPath, linkDialect],
    ...pdnsPrefixes.map((prefix) => [prefix, pdnsDialect] as const),
  ]);
  const readAddress = addressReader(settings);
  const setHeaders = answerHeaders(settings);
  const logRequest = requestLog(needs.logLine, needs.metrics);
  const app = openFastify(needs, readAddress, (error, request, reply) => {
    // Raised before routing, so no hook has run and none will.
    const known = [...dialects].find(([prefix]) => without(request.url, prefix) !== undefined);
    setHeaders(request, reply);
    reply.raw.once('finish', () => logRequest(request, reply));
    void answer(problemOf(error), known?.[1] ?? frontDialect, request, reply);
  });

  decorateRequests(app);
  requireDeclaredAccess(app);
  if (settings.compat.profile !== 'none') {
    app.addHook('onRequest', async (request) => {
      request.wording = readAddress(request.originalUrl, request.headers.host).wording;
    });
  }
  guard(app, setHeaders, settings);
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  takeRawBodies(app);
  speak(app, frontDialect);
  await describeRoutes(app, { version: needs.version, serverUrl });

  operatorRoutes(app, needs);
  await referenceRoutes(app, settings.http.mountPrefix);
  if (settings.role !== 'worker') {
    const archiveUrl = () => settings.feeds.downloadUrl || publicUrl(settings, boundPort(app, settings));
    const toFiles = fileLinks(archiveUrl, settings.http.mountPrefix, needs.linkKey);
    const blocklistUrl = () => settings.detect.blocklistUrl || publicUrl(settings, boundPort(app, settings));
    const toBlocklists = blocklistLinks(blocklistUrl, settings.http.mountPrefix, needs.linkKey);
    const screenshotsUrl = () => settings.screenshots.url || publicUrl(settings, boundPort(app, settings));
    const toScreenshots = screenshotLinks(screenshotsUrl, settings.http.mountPrefix, needs.linkKey);
    const platformNeeds = {
      ...needs,
      fileLinks: toFiles,
      blocklistLinks: toBlocklists,
      screenshotLinks: toScreenshots,
      logAbandoned: logRequest,
      serverUrl: () => publicUrl(settings, boundPort(app, settings)) + settings.http.mountPrefix,
    };
    await app.register(platformScope(platformNeeds, platform, routes), { prefix: '/v1' });
    await app.register(filesScope({ ...needs, links: toFiles, logAbandoned: logRequest }), {
      prefix: filesPrefix,
    });
    const blocklistNeeds = { ...needs, links: toBlocklists, logAbandoned: logRequest };
    await app.register(blocklistScope(blocklistNeeds), { prefix: blocklistsPrefix });
    await app.register(screenshotScope({ ...needs, links: toScreenshots }), { prefix: screenshotPath });
    const downloadUrl = () => settings.batch.downloadUrl || publicUrl(settings, boundPort(app, settings));
    const links = rangeLinks(downloadUrl, settings.http.mountPrefix, needs.linkKey);
    const batchNeeds = { ...needs, links, logAbandoned: logRequest };
    await app.register(batchScope(batchNeeds), { prefix: '/batchd' });
    await app.register(rangeScope(batchNeeds), { prefix: rangePrefix });
    await mountPdns(app, { ...needs, logAbandoned: logRequest });
  }
  return app;
}

/** Where clients reach us. Never made from a request's Host header. */
export function publicUrl({ http }: Pick<Settings, 'http'>, port = http.port): string {
  if (http.publicUrl) return http.publicUrl;
  const wildcard = ['0.0.0.0', '::'].includes(http.host);
  const host = wildcard ? 'localhost' : http.host.includes(':') ? `[${http.host}]` : http.host;
  return `http://${host}:${port}`;
}

/** The port in the settings may be 0, any that is free; which one that is shows when the server listens. */
function boundPort(app: FastifyInstance, { http }: Pick<Settings, 'http'>): number {
  const address = http.port === 0 ? app.server.address() : null;
  return address === null || typeof address === 'string' ? http.port : address.port;
}

type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function openFastify(needs: ServerNeeds, readAddress: ReadAddress, refuse: Refuse) {
  const { http } = needs.settings;
  return Fastify({
    loggerInstance: needs.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One logger for all: lines that belong to a request name its id, which is cheaper than a logger for each.
    childLoggerFactory: (logger) => logger,
    trustProxy: http.trustProxy.length > 0 ? http.trustProxy : false,
    bodyLimit: http.bodyBytesMax,
    exposeHeadRoutes: false,
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
    rewriteUrl: (request) => readAddress(request.url ?? '/', request.headers.host).url,
    frameworkErrors: (error, request, reply) =>
      refuse(error, request as FastifyRequest, reply as FastifyReply),
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
}
