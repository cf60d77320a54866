import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Fastify, { type HTTPMethods } from 'fastify';
import { requireDeclaredAccess } from '../../src/http/route-access.ts';
import { type TestServer, testServer } from '../harness/server/test-server.ts';

function guarded(t: TestContext) {
  const app = Fastify();
  t.after(() => app.close());
  requireDeclaredAccess(app);
  return app;
}

test('a route without declared access prevents the start and is named in the error', async (t) => {
  const app = guarded(t);
  app.get('/declared', { config: { access: 'open' } }, async () => 'fine');
  app.post('/forgotten', async () => 'never');
  await assert.rejects(async () => app.ready(), /^Error: routes without declared access: POST \/forgotten$/);
});

test('a route without declared access inside a scope is found as well', async (t) => {
  const app = guarded(t);
  await app.register(async (scope) => void scope.put('/inner', async () => 'never'), { prefix: '/outer' });
  await assert.rejects(async () => app.ready(), /PUT \/outer\/inner/);
});

test('the server starts when every route declares its access', async (t) => {
  const app = guarded(t);
  app.get('/declared', { config: { access: 'open' } }, async () => 'fine');
  await app.ready();
  assert.equal((await app.inject('/declared')).body, 'fine');
});

/** Routes that the OpenAPI description omits deliberately. */
const hidden = [
  /^GET \/(healthz|readyz|metrics|openapi\.json)$/,
  /^HEAD \/(healthz|readyz)$/,
  /^HEAD \/range\/:channel\/:range$/,
  /^HEAD \/files\/\*$/,
  /^HEAD \/blocklists\/\*$/,
  /^HEAD \/misp\/\*$/,
  /^HEAD \/screenshot_image$/,
  /^(GET|HEAD) \/docs(\/|\*|$)/,
  // The web UI, which is no interface for others, and what leads into it.
  /^[A-Z]+ \/ui(\/|\*|$)/,
  /^(GET|HEAD) \/(whois\/:domain)?$/,
  // Incomplete query paths, which return 400.
  /^GET (\/pdns\/v[12])?\/(lookup|summarize|regex|glob)$/,
  /^GET \/pdns\/query$/,
  // As GET.
  /^HEAD \/(pdns|lookup|summarize)(\/|$)/,
  /^POST (\/pdns\/v1)?\/lookup\/rate_limit$/,
  // Assistants, whose protocol describes itself; GET and DELETE return 405.
  /^(GET|POST|DELETE) (\/v1)?\/mcp$/,
  // TAXII, whose standard describes it.
  /^(GET|POST|DELETE) \/taxii2(\/|$)/,
  // A link without its name, which returns 403.
  /^(GET|HEAD) \/(files|blocklists|misp)$/,
];

/** Every route as `GET /v1/account`, parsed from the tree that the router prints: each line extends the path of its parent. */
function routesOf({ app }: TestServer): string[] {
  const branch: string[] = [];
  const lines = app.printRoutes({ commonPrefix: false }).split('\n').filter(Boolean);
  return lines.flatMap((line) => {
    const [, indent, part, methods] = /^([│├└─ ]*)(\S*) \(([A-Z, ]+)\)$/.exec(line) ?? assert.fail(line);
    const depth = (indent as string).length / 4 - 1;
    branch.splice(depth, branch.length, part as string);
    // The router prints a wildcard without its slash if the path without the wildcard is a route as well.
    const path = branch.join('').replace(/(?<!\/)\*$/, '/*');
    return (methods as string).split(', ').map((method) => `${method} ${path}`);
  });
}

interface Described {
  readonly route: string;
  readonly operationId: string;
}

async function describedBy(server: TestServer): Promise<Described[]> {
  const { paths } = (await server.call('GET /openapi.json')).json as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const routes = routesOf(server);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
      const route = `${method.toUpperCase()} ${url}`;
      // What stands for a part of a wildcard is described by itself.
      const wildcard = routes.find((each) => each.endsWith('/*') && route.startsWith(each.slice(0, -1)));
      return { route: routes.includes(route) ? route : (wildcard ?? route), operationId };
    }),
  );
}

test('every route is in the OpenAPI description or deliberately hidden', async (t) => {
  const server = await testServer(t);
  const described = new Set((await describedBy(server)).map(({ route }) => route));
  const routes = routesOf(server);
  assert.ok(routes.length > 40);
  assert.ok(routes.includes('POST /v1/account/keys/reset'));
  assert.deepEqual(
    routes.filter((route) => !described.has(route) && !hidden.some((form) => form.test(route))),
    [],
  );
});

test('every path of the OpenAPI description is a route, and no hidden route is in it', async (t) => {
  const server = await testServer(t);
  const routes = routesOf(server);
  for (const { route } of await describedBy(server)) {
    assert.ok(routes.includes(route), route);
    assert.ok(!hidden.some((form) => form.test(route)), route);
    const [method, url] = route.split(' ') as [HTTPMethods, string];
    assert.ok(server.app.hasRoute({ method, url }) || server.app.hasRoute({ method, url: `${url}/` }), route);
  }
});

/** What a path of passive DNS asks for. */
const rows = [
  'RrsetName',
  'RrsetNameType',
  'RrsetNameTypeBailiwick',
  'RrsetRaw',
  'RrsetRawType',
  'RdataName',
  'RdataNameType',
  'RdataIp',
  'RdataIpType',
  'RdataRaw',
  'RdataRawType',
];
const patterns = ['Names', 'NamesType', 'Rdata', 'RdataType'];

test('the operation ids are those of the contracts', async (t) => {
  const ids = (await describedBy(await testServer(t))).map(
    ({ route, operationId }) => `${operationId} ${route}`,
  );
  assert.deepEqual(
    ids.sort(),
    [
      'getAccountInfo GET /v1/account',
      'getAccountUser GET /v1/account/user',
      'getAccountKeys GET /v1/account/keys',
      'postAccountKey POST /v1/account/keys',
      'postAccountKeyReset POST /v1/account/keys/reset',
      'getDetectMonitors GET /v1/intel-detect/monitors',
      'getDetectAllMonitors GET /v1/intel-detect/monitors/all',
      'getDetectWatchlist GET /v1/intel-detect/watchlist/:state',
      'getDetectDomain GET /v1/intel-detect/domain',
      'getDetectTriage GET /v1/intel-detect/triage/:list',
      'getDetectTriageFacets GET /v1/intel-detect/triage/:list/facets',
      'getDetectTriageClusters GET /v1/intel-detect/triage/:list/clusters',
      'getDetectCluster GET /v1/intel-detect/cluster',
      'getDetectNotes GET /v1/intel-detect/notes',
      'postDetectNote POST /v1/intel-detect/notes',
      'postDetectAssignee POST /v1/intel-detect/assignee',
      'getDetectDecisions GET /v1/intel-detect/decisions',
      'postDetectDecisionUndo POST /v1/intel-detect/decisions/undo',
      'getDetectPrecision GET /v1/intel-detect/precision',
      'getDetectSuggestions GET /v1/intel-detect/suggestions',
      'postDetectSuggestion POST /v1/intel-detect/suggestions',
      'postDetectSuggestionUndo POST /v1/intel-detect/suggestions/undo',
      'getDetectCampaigns GET /v1/intel-detect/campaigns',
      'postDetectCampaign POST /v1/intel-detect/campaigns',
      'patchDetectCampaign PATCH /v1/intel-detect/campaigns',
      'deleteDetectCampaign DELETE /v1/intel-detect/campaigns',
      'getDetectCampaign GET /v1/intel-detect/campaigns/details',
      'getDetectCampaignMembers GET /v1/intel-detect/campaigns/members',
      'postDetectCampaignMembers POST /v1/intel-detect/campaigns/members',
      'getDetectCampaignTimeline GET /v1/intel-detect/campaigns/timeline',
      'getDetectCampaignStix GET /v1/intel-detect/campaigns/stix',
      'postDetectMonitor POST /v1/intel-detect/monitors',
      'putDetectMonitor PUT /v1/intel-detect/monitors',
      'deleteDetectMonitor DELETE /v1/intel-detect/monitors',
      'getDetectNewDomains GET /v1/intel-detect/domains/new',
      'getDomainsWatched GET /v1/intel-detect/domains/watched',
      'getDetectIgnored GET /v1/intel-detect/domains/ignored',
      'patchDetectDomains PATCH /v1/intel-detect/domains',
      'postDetectEscalations POST /v1/intel-detect/escalations',
      'getDetectEscalations GET /v1/intel-detect/escalations',
      'postDetectMonitorPreview POST /v1/intel-detect/monitors/preview',
      'postDetectMonitorBackTest POST /v1/intel-detect/monitors/back-test',
      'getDetectOwnDomains GET /v1/intel-detect/own-domains',
      'postDetectOwnDomains POST /v1/intel-detect/own-domains',
      'getDetectRequests GET /v1/intel-detect/requests',
      'getDetectPassiveDomains GET /v1/intel-detect/passive-domains',
      'postDetectPassiveDomains POST /v1/intel-detect/passive-domains',
      'getDetectBlocklists GET /v1/intel-detect/blocklists',
      'postDetectBlocklistsRenew POST /v1/intel-detect/blocklists/renew',
      'getDetectBlocklistSelections GET /v1/intel-detect/blocklists/selections',
      'putDetectBlocklistSelection PUT /v1/intel-detect/blocklists/selections',
      'deleteDetectBlocklistSelection DELETE /v1/intel-detect/blocklists/selections',
      'getDetectBlocklistAllowed GET /v1/intel-detect/blocklists/allowed',
      'postDetectBlocklistAllowed POST /v1/intel-detect/blocklists/allowed',
      'getDetectEvents GET /v1/intel-detect/events',
      'getIntelEnrich GET /v1/intel-enrich',
      'postIntelEnrich POST /v1/intel-enrich',
      'getRiskScore GET /v1/risk',
      'getRiskEvidence GET /v1/risk/evidence',
      'getIntelInvestigate GET /v1/intel-investigate',
      'postIntelInvestigate POST /v1/intel-investigate',
      'getInvestigateSearchHash GET /v1/intel-investigate/search-hash',
      'getInvestigateFacets GET /v1/intel-investigate/facets',
      'getDomainHistory GET /v1/domain-history',
      'getDomainDossier GET /v1/domain-dossier',
      'getDomainTags GET /v1/domain-tags',
      'postDomainTags POST /v1/domain-tags',
      'getEvidence GET /v1/evidence',
      'postEvidence POST /v1/evidence',
      'patchEvidence PATCH /v1/evidence',
      'deleteEvidence DELETE /v1/evidence',
      'getEvidencePack GET /v1/evidence/pack',
      'getEvidenceAnswers GET /v1/evidence/answers',
      'getEvidenceAnswer GET /v1/evidence/answer',
      'getDomainDiscovery GET /v1/feed/domaindiscovery',
      'deleteDomainDiscoverySession DELETE /v1/feed/domaindiscovery',
      'getDomainHotlist GET /v1/feed/domainhotlist',
      'deleteDomainHotlistSession DELETE /v1/feed/domainhotlist',
      'getDomainRisk GET /v1/feed/domainrisk',
      'deleteDomainRiskSession DELETE /v1/feed/domainrisk',
      'getIPRisk GET /v1/feed/iprisk',
      'deleteIPRiskSession DELETE /v1/feed/iprisk',
      'getIPHotlist GET /v1/feed/iphotlist',
      'deleteIPHotlistSession DELETE /v1/feed/iphotlist',
      'getParsedDRDAP GET /v1/feed/domainrdap',
      'deleteDRDAPSession DELETE /v1/feed/domainrdap',
      'getNAD GET /v1/feed/nad',
      'deleteNADSession DELETE /v1/feed/nad',
      'getNOD GET /v1/feed/nod',
      'deleteNODSession DELETE /v1/feed/nod',
      'getNOH GET /v1/feed/noh',
      'deleteNOHSession DELETE /v1/feed/noh',
      'getFeedTail GET /v1/feed/:feed/tail',
      'getFeedDownload GET /v1/download/:feed',
      'getFile GET /files/*',
      'getBlocklist GET /blocklists/*',
      'getMispFeedFile GET /misp/*',
      'getScreenshotImage GET /screenshot_image',
      'postChannelLines POST /v1/channels/:channel/lines',
      'validate POST /batchd/v1/validate',
      'chdetails POST /batchd/v1/batch/chdetails',
      'chfetch POST /batchd/v1/batch/chfetch',
      'makeurl POST /batchd/v1/batch/makeurl',
      'getRange GET /range/:channel/:range',
      ...rows.map((by) => `lookup${by} GET /pdns/v2/lookup/*`),
      ...rows.map((by) => `summarize${by} GET /pdns/v2/summarize/*`),
      ...patterns.map((over) => `regex${over} GET /pdns/v2/regex/*`),
      ...patterns.map((over) => `glob${over} GET /pdns/v2/glob/*`),
      'bulk POST /pdns/v2/bulk',
      'queryCof GET /pdns/query/*',
      ...rows.map((by) => `lookup${by}V1 GET /pdns/v1/lookup/*`),
      ...rows.map((by) => `summarize${by}V1 GET /pdns/v1/summarize/*`),
      'getRateLimitV1 GET /pdns/v1/lookup/rate_limit',
      ...rows.map((by) => `lookup${by}V1AtRoot GET /lookup/*`),
      ...rows.map((by) => `summarize${by}V1AtRoot GET /summarize/*`),
      'getRateLimitV1AtRoot GET /lookup/rate_limit',
      'getRateLimit GET /pdns/v2/rate_limit',
      'ping GET /pdns/v2/ping',
    ].sort(),
  );
});
