/** One server with several APIs side by side, each with its own dialect, and what all of them share. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ProcessState } from '../model/health/process-state.ts';
import { publicUrl } from '../model/settings/public-url.ts';
import type { Settings } from '../model/settings/settings.ts';
import { type SelectedTagNeeds, SelectedTags } from '../product/detect/blocklist/selected-tags.ts';
import type { FreeSpace } from '../store/free-space.ts';
import type { Stores } from '../stores.ts';
import { addressReader, without } from './address.ts';
import { type AssistantScopeNeeds, assistantScope } from './assistant/assistant-scope.ts';
import { batchDialect } from './batch/dialect.ts';
import { rangeLinks } from './batch/range-links.ts';
import { rangeScope } from './batch/range-scope.ts';
import { type BatchNeeds, batchScope } from './batch/scope.ts';
import { answerProblem, type Dialect, setDialect } from './dialect.ts';
import { addFastPath } from './fast-path/fast-path.ts';
import type { FastRoute } from './fast-path/fast-route.ts';
import { blocklistLinks } from './files/blocklist-links.ts';
import { type BlocklistScopeNeeds, blocklistScope } from './files/blocklist-scope.ts';
import { fileLinks } from './files/file-links.ts';
import { type FileScopeNeeds, fileScope } from './files/file-scope.ts';
import { MispFeedLinks, mispFeedPrefix } from './files/misp-feed-links.ts';
import { type MispFeedScopeNeeds, mispFeedScope } from './files/misp-feed-scope.ts';
import { screenshotLinks } from './files/screenshot-links.ts';
import { type ScreenshotScopeNeeds, screenshotScope } from './files/screenshot-scope.ts';
import { frontDialect } from './front/dialect.ts';
import { operatorRoutes, type Readiness } from './front/operator-routes.ts';
import { referenceRoutes } from './front/reference.ts';
import { guard, responseHeaders } from './guard.ts';
import { linkDialect } from './links/link-dialect.ts';
import { SignedLinks } from './links/signed-links.ts';
import type { Metrics } from './metrics.ts';
import { openFastify } from './open-fastify.ts';
import { pdnsDialect } from './pdns/dialect.ts';
import type { QueryHandlerNeeds } from './pdns/query-handler.ts';
import { mountPdns, pdnsPrefixes } from './pdns/scope.ts';
import { platformDialect } from './platform/dialect.ts';
import type { Operation } from './platform/operation/define-operation.ts';
import { fastOperations } from './platform/operation/fast-operation.ts';
import type { PipelineNeeds } from './platform/operation/run-operation.ts';
import { type OperationNeeds, platformOperations } from './platform/operations.ts';
import { platformScope } from './platform/scope.ts';
import { problemOf } from './problem-of.ts';
import { acceptRawBodies } from './raw-body.ts';
import { type LogRequest, requestLog } from './request-log.ts';
import { decorateRequests } from './request-state.ts';
import { requireDeclaredAccess } from './route-access.ts';
import { taxiiDialect } from './taxii/dialect.ts';
import { type TaxiiNeeds, taxiiPrefix, taxiiScope } from './taxii/scope.ts';
import { readAppFiles } from './web/app/app-files.ts';
import { webDialect } from './web/dialect.ts';
import { mountWeb, type WebScopeNeeds, webApiPrefix } from './web/scope.ts';

type PlatformNeeds = PipelineNeeds & OperationNeeds;

export type ServerNeeds = Omit<
  PlatformNeeds,
  | 'fileLinks'
  | 'blocklistLinks'
  | 'mispFeedLinks'
  | 'screenshotLinks'
  | 'selectedTags'
  | 'logAbandoned'
  | 'serverUrl'
> &
  Omit<BatchNeeds, 'logAbandoned' | 'links'> &
  Omit<FileScopeNeeds, 'logAbandoned' | 'links'> &
  Omit<BlocklistScopeNeeds, 'logAbandoned' | 'links' | 'selectedTags' | 'pageUrl'> &
  Omit<MispFeedScopeNeeds, 'logAbandoned' | 'mispFeedLinks' | 'selectedTags'> &
  Omit<QueryHandlerNeeds, 'logAbandoned'> &
  Omit<AssistantScopeNeeds, 'ownUrl' | 'serverUrl'> &
  Omit<TaxiiNeeds, 'serverUrl'> &
  Omit<
    WebScopeNeeds,
    | 'appFiles'
    | 'ownUrl'
    | 'serverUrl'
    | 'blocklistLinks'
    | 'mispFeedLinks'
    | 'selectedTags'
    | 'pageUrl'
    | 'logAbandoned'
  > & {
    /** Where `npm run build` puts the web UI. */
    readonly appDirectory: string;
    readonly images: PlatformNeeds['images'] & ScreenshotScopeNeeds['images'];
    readonly archives: PlatformNeeds['archives'] & FileScopeNeeds['archives'];
    readonly streams: PlatformNeeds['streams'] & BatchNeeds['streams'];
    readonly accounts: PlatformNeeds['accounts'] &
      BatchNeeds['accounts'] &
      QueryHandlerNeeds['accounts'] &
      BlocklistScopeNeeds['accounts'];
    readonly escalations: PlatformNeeds['escalations'] & BlocklistScopeNeeds['escalations'];
    readonly blocklists: PlatformNeeds['blocklists'] &
      BlocklistScopeNeeds['blocklists'] &
      MispFeedScopeNeeds['blocklists'] &
      WebScopeNeeds['blocklists'] &
      SelectedTagNeeds['blocklists'];
    readonly domains: PlatformNeeds['domains'] & WebScopeNeeds['domains'] & SelectedTagNeeds['domains'];
    readonly usage: PlatformNeeds['usage'] & QueryHandlerNeeds['usage'];
    readonly settings: Settings;
    readonly logger: Logger;
    /** Writes the log line of a request. */
    readonly logLine: ((fields: object) => void) | undefined;
    readonly metrics: Metrics;
    readonly readiness: Readiness;
    /** Those of a supervisor, this one among them; none where the process is on its own. */
    readonly processes?: () => readonly ProcessState[];
    readonly freeSpace: FreeSpace;
    /** What the stores lack at the moment. */
    readonly findFaults?: Stores['findFaults'];
    readonly findUnsealedBytes?: Stores['findUnsealedBytes'];
    readonly version: string;
    /** 32 bytes from which the keys of signed links are derived. */
    readonly linkKey: Buffer;
  };

export type DefineOperations = (needs: OperationNeeds) => readonly Operation[];

export async function createServer(
  needs: ServerNeeds,
  defineOperations: DefineOperations = platformOperations,
): Promise<FastifyInstance> {
  const { settings } = needs;
  const serverUrl = publicUrl(settings) + settings.http.mountPrefix;
  const supportUrl = settings.support.url || `${serverUrl}/docs`;
  const dialect = platformDialect(supportUrl);
  const dialects = new Map<string, Dialect>([
    ['/v1', dialect],
    ['/batchd', batchDialect],
    [webApiPrefix, webDialect],
    [taxiiPrefix, taxiiDialect],
    ...linkKinds.map(({ prefix }) => [prefix, linkDialect] as const),
    [mispFeedPrefix, linkDialect] as const,
    ...pdnsPrefixes.map((prefix) => [prefix, pdnsDialect] as const),
  ]);
  const readAddress = addressReader(settings);
  const setHeaders = responseHeaders(settings);
  const logRequest = requestLog(needs.logLine, needs.metrics);
  const app = openFastify(needs, readAddress, (error, request, reply) => {
    // Raised before routing, so no hook has run and none will.
    const known = [...dialects].find(([prefix]) => without(request.url, prefix) !== undefined);
    setHeaders(request, reply);
    reply.raw.once('finish', () => logRequest(request, reply));
    void answerProblem(problemOf(error), known?.[1] ?? frontDialect, request, reply);
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
  acceptRawBodies(app);
  // Clients of the compatibility profile parse every answer as JSON.
  setDialect(app, (problem, request, reply) =>
    (request.wording === 'vendor' ? dialect : frontDialect)(problem, request, reply),
  );
  operatorRoutes(app, needs);
  const { mountPrefix } = settings.http;
  await referenceRoutes(app, {
    version: needs.version,
    serverUrl: () => publicUrl(settings, boundPort(app, settings)) + mountPrefix,
    supportUrl,
    mountPrefix,
  });
  if (settings.role !== 'worker') {
    const fastRoutes = await registerApis(app, { ...needs, dialect, logRequest, defineOperations });
    addFastPath(app, fastRoutes, { readAddress, logRequest, settings });
  }
  return app;
}

const linkKinds = [rangeLinks, fileLinks, blocklistLinks, screenshotLinks];

interface ApiNeeds {
  readonly dialect: Dialect;
  readonly logRequest: LogRequest;
  readonly defineOperations: DefineOperations;
}

/** Returns the routes of the fast path. */
async function registerApis(
  app: FastifyInstance,
  given: ServerNeeds & ApiNeeds,
): Promise<readonly FastRoute[]> {
  const { settings, linkKey, dialect, logRequest: logAbandoned, defineOperations } = given;
  const { mountPrefix } = settings.http;
  const ownUrl = () => publicUrl(settings, boundPort(app, settings));
  const linkOptions = (configuredUrl: string) => ({
    baseUrl: () => configuredUrl || ownUrl(),
    mountPrefix,
    linkKey,
  });
  const toFiles = new SignedLinks(fileLinks, linkOptions(settings.feeds.downloadUrl));
  const toBlocklists = new SignedLinks(blocklistLinks, linkOptions(settings.detect.blocklistUrl));
  const mispFeedLinks = new MispFeedLinks(linkOptions(settings.detect.blocklistUrl));
  const toScreenshots = new SignedLinks(screenshotLinks, linkOptions(settings.screenshots.url));
  const toRanges = new SignedLinks(rangeLinks, linkOptions(settings.batch.downloadUrl));

  const needs = { ...given, selectedTags: new SelectedTags(given), mispFeedLinks, logAbandoned };
  const operations = defineOperations({
    ...needs,
    fileLinks: toFiles,
    blocklistLinks: toBlocklists,
    screenshotLinks: toScreenshots,
    serverUrl: () => ownUrl() + mountPrefix,
  });
  await app.register(platformScope(operations, dialect, needs), { prefix: '/v1' });
  if (settings.assistant.enabled)
    await app.register(
      assistantScope({ ...needs, ownUrl, serverUrl: () => ownUrl() + mountPrefix }, ['/v1/mcp', '/mcp']),
    );
  if (settings.sharing.taxii)
    await app.register(taxiiScope({ ...needs, serverUrl: () => ownUrl() + mountPrefix }), {
      prefix: taxiiPrefix,
    });
  await app.register(fileScope({ ...needs, links: toFiles }), { prefix: fileLinks.prefix });
  const pageUrl = (name: string) =>
    settings.web.enabled ? `${ownUrl()}${mountPrefix}/ui/domain/${name}` : undefined;
  await app.register(blocklistScope({ ...needs, links: toBlocklists, pageUrl }), {
    prefix: blocklistLinks.prefix,
  });
  await app.register(mispFeedScope(needs), { prefix: mispFeedPrefix });
  await app.register(screenshotScope({ ...needs, links: toScreenshots }), { prefix: screenshotLinks.prefix });
  await app.register(batchScope({ ...needs, links: toRanges }), { prefix: '/batchd' });
  await app.register(rangeScope({ ...needs, links: toRanges }), { prefix: rangeLinks.prefix });
  const fastLookups = await mountPdns(app, needs);
  if (settings.web.enabled)
    await mountWeb(app, {
      ...needs,
      blocklistLinks: toBlocklists,
      pageUrl,
      ownUrl,
      serverUrl: () => ownUrl() + mountPrefix,
      appFiles: readAppFiles(given.appDirectory),
    });
  return [...fastLookups, ...fastOperations(operations, '/v1', needs)];
}

/** Port 0 in the settings means any free port, which is known once the server listens. */
function boundPort(app: FastifyInstance, { http }: Pick<Settings, 'http'>): number {
  const address = http.port === 0 ? app.server.address() : null;
  return address === null || typeof address === 'string' ? http.port : address.port;
}
