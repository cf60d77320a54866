/** Formats, headers and the published description of the platform API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { echoedOperations, echoOperations, routeOf } from '../../harness/server/echo-operations.ts';
import {
  bodyFor,
  everyOperation,
  everyPermission,
  methodOf,
  operationsOf,
  pathOf,
  repeatable,
  withoutLimits,
} from '../../harness/server/every-operation.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { CallOptions } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

async function probedServer() {
  const server = await sharedServer({ operations: echoOperations, settings: withoutLimits });
  const { key } = await server.user({ permissions: everyPermission });
  const call = (route: string, request?: CallOptions) => server.call(route, request);
  return { ...server, call, key };
}

const formatted = operationsOf('Enrich', 'Investigate');

type Leaf = readonly [name: string, text: string];

/** Names and values of all leaves, in order; an array's items have the array's name. */
function leavesOf(value: unknown, name = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, 'item'));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, member));
  }
  return [[name, value === null ? '' : String(value)]];
}

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

function leavesOfXml(xml: string): Leaf[] {
  const leaves = xml.matchAll(/<([\w.-]+)(?: nil="true"\/>|>([^<]*)<\/\1>)/g);
  return [...leaves].map(([, name = '', text = '']) => [name, unescaped(text)]);
}

function leavesOfHtml(html: string): Leaf[] {
  const leaves = html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>|<li>([^<]*)<\/li>/g);
  return [...leaves].map(([, name = 'item', text, item]) => [name, unescaped(text ?? item ?? '')]);
}

test('GEN-11 the account summary has the same data as JSON, XML and HTML', async () => {
  const { call, key } = await probedServer();
  const plain = await call('GET /v1/account/', { key });
  const json = await call('GET /v1/account/?format=json', { key });
  const xml = await call('GET /v1/account/?format=xml', { key });
  const html = await call('GET /v1/account/?format=html', { key });
  assert.deepEqual(
    [plain, json, xml, html].map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(json.text, plain.text);
  assert.match(xml.headers['content-type'] ?? '', /^(text|application)\/xml;/);
  assert.match(html.headers['content-type'] ?? '', /^text\/html;/);
  assert.ok(leavesOf(json.json).length > 100);
  assert.deepEqual(leavesOfXml(xml.text), leavesOf(json.json));
  assert.deepEqual(leavesOfHtml(html.text), leavesOf(json.json));
});

test('GEN-11 Enrich and Investigate have the same data as JSON, XML and HTML, whatever characters it has', async () => {
  const { call, key } = await probedServer();
  const query = new URLSearchParams([
    ['domain', `<script>alert('1')</script> & "ü" ]]>`],
    ['tlds', 'com'],
    ['tlds', '<b>'],
    ['mx_exists', 'true'],
  ]);
  for (const id of formatted) {
    const route = `${methodOf(id)} ${pathOf(id)}?${query.toString()}`;
    const json = await call(route, { key });
    const xml = await call(`${route}&format=xml`, { key });
    const html = await call(`${route}&format=html`, { key });
    assert.equal(leavesOf(json.json).length, 5);
    assert.deepEqual(leavesOfXml(xml.text), leavesOf(json.json), id);
    assert.deepEqual(leavesOfHtml(html.text), leavesOf(json.json), id);
    assert.ok(!html.text.includes('<script>'));
  }
});

test('GEN-11 a format in the body works like one in the query', async () => {
  const { call, key } = await probedServer();
  for (const id of formatted.filter((one) => methodOf(one) === 'POST')) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await call(routeOf(id), { key, headers, body: 'domain=acme.example&format=xml' });
    assert.ok(answer.text.startsWith('<?xml'), id);
  }
});

test('GEN-11 any other format is refused with 400', async () => {
  const { call, key } = await probedServer();
  for (const id of ['getAccountInfo', ...formatted] as const) {
    for (const format of ['csv', 'JSON', '', 'text/xml']) {
      const answer = await call(`${methodOf(id)} ${pathOf(id)}?format=${format}`, { key });
      assert.deepEqual([answer.status, answer.json.error.code], [400, 400], `${id} ${format}`);
    }
  }
});

function contentTypeOf(id: string): string {
  return operationsOf('Detect', 'Campaigns').includes(id)
    ? 'application/json'
    : 'application/json;charset=utf-8';
}

const typed = repeatable.filter((id) => !operationsOf('Feeds').includes(id));

test('GEN-12 Detect answers application/json, account, Enrich and Investigate application/json;charset=utf-8', async () => {
  const { call, key } = await probedServer();
  for (const id of typed) {
    const answer = await call(routeOf(id), { key, ...bodyFor(id) });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], contentTypeOf(id), id);
  }
});

test('GEN-12 an error has the content type of its product', async () => {
  const { call } = await probedServer();
  for (const id of typed) {
    const answer = await call(routeOf(id), { key: 'wrong', ...bodyFor(id) });
    assert.equal(answer.json.error.code, id === 'getAccountInfo' ? 403 : 401);
    assert.equal(answer.headers['content-type'], contentTypeOf(id), id);
  }
});

test('GEN-13 every response forbids caching', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const answer = await call(routeOf(id), { key, ...bodyFor(id) });
    assert.equal(answer.status, 200);
    assert.match(answer.headers['cache-control'] ?? '', /\bno-store\b/, id);
  }
});

test('GEN-13 errors and unknown paths forbid caching too', async () => {
  const server = await probedServer();
  const { key: readOnly } = await server.user();
  const refused = await Promise.all([
    ...everyOperation.map((id) => server.call(routeOf(id), bodyFor(id))),
    ...everyOperation.map((id) => server.call(routeOf(id), { key: 'wrong' })),
    server.call(routeOf('patchDetectDomains'), { key: readOnly }),
    server.call('GET /v1/intel-enrich/?mx_exists=yes', { key: readOnly }),
    server.call('GET /v1/nothing/', { key: readOnly }),
  ]);
  for (const answer of refused) {
    assert.ok(answer.status >= 400 && answer.status < 500);
    assert.match(answer.headers['cache-control'] ?? '', /\bno-store\b/, answer.text);
  }
});

const long = 'a'.repeat(5000);

test('GEN-14 a response is compressed with gzip when the request accepts it', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable.filter((one) => one !== 'getAccountKeys')) {
    const route = `${methodOf(id)} ${pathOf(id)}?domain=${long}`;
    const plain = await call(route, { key, ...bodyFor(id) });
    assert.ok(plain.bytes.length > 4000, id);
    for (const accepted of ['gzip', 'GZIP', 'deflate, gzip;q=0.5', 'br;q=1.0, gzip']) {
      const headers = { 'accept-encoding': accepted };
      const compressed = await call(route, { key, headers, ...bodyFor(id) });
      assert.equal(compressed.headers['content-encoding'], 'gzip', `${id} ${accepted}`);
      assert.ok(compressed.bytes.length < plain.bytes.length);
      assert.equal(gunzipSync(compressed.bytes).toString('utf8'), plain.text);
      assert.equal(compressed.headers['content-type'], plain.headers['content-type']);
    }
  }
});

test('GEN-14 a response is not compressed when the request does not accept gzip', async () => {
  const { call, key } = await probedServer();
  for (const id of repeatable) {
    const route = `${methodOf(id)} ${pathOf(id)}?domain=${long}`;
    for (const headers of [
      {},
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'br, deflate' },
      { 'accept-encoding': 'gzip;q=0' },
      { 'accept-encoding': 'gzip; q=0.000, identity' },
      { 'accept-encoding': 'notgzip' },
    ]) {
      const answer = await call(route, { key, headers, ...bodyFor(id) });
      assert.equal(answer.headers['content-encoding'], undefined, `${id} ${JSON.stringify(headers)}`);
      if (echoedOperations.includes(id)) assert.equal(answer.json.received.domain, long);
    }
  }
});

/** `GET /v1/account` → operation id, from the OpenAPI description that the server publishes. */
async function publishedIds(): Promise<ReadonlyMap<string, string>> {
  const server = await sharedServer();
  const { paths } = (await server.call('GET /openapi.json')).json as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId = '' }]) => [
        `${method.toUpperCase()} ${path.replace(/\/$/, '')}`,
        operationId,
      ]),
    ),
  );
}

function assertPublished(ids: ReadonlyMap<string, string>, expected: Readonly<Record<string, string>>): void {
  for (const [route, id] of Object.entries(expected)) assert.equal(ids.get(route), id, route);
}

test('GEN-15 the OpenAPI description has the contract’s operationId for each Detect operation', async () => {
  const detect = {
    'GET /v1/intel-detect/monitors': 'getDetectMonitors',
    'POST /v1/intel-detect/monitors': 'postDetectMonitor',
    'PUT /v1/intel-detect/monitors': 'putDetectMonitor',
    'DELETE /v1/intel-detect/monitors': 'deleteDetectMonitor',
    'GET /v1/intel-detect/domains/new': 'getDetectNewDomains',
    'GET /v1/intel-detect/domains/watched': 'getDomainsWatched',
    'GET /v1/intel-detect/domains/ignored': 'getDetectIgnored',
    'PATCH /v1/intel-detect/domains': 'patchDetectDomains',
    'POST /v1/intel-detect/escalations': 'postDetectEscalations',
  };
  const ids = await publishedIds();
  assertPublished(ids, detect);
  // Nothing else is published below the paths of the contract, but for three additions of ours.
  const published = [...ids.keys()].filter((route) =>
    / \/v1\/intel-detect\/(?:monitors|domains)/.test(route),
  );
  const known = [
    ...Object.keys(detect),
    'POST /v1/intel-detect/monitors/preview',
    'POST /v1/intel-detect/monitors/back-test',
    'GET /v1/intel-detect/monitors/all',
  ];
  assert.deepEqual(published.sort(), known.filter((route) => !route.includes('escalations')).sort());
});

test('GEN-16 the OpenAPI description has the contract’s operationId for all other operations', async () => {
  assertPublished(await publishedIds(), {
    'GET /v1/intel-enrich': 'getIntelEnrich',
    'POST /v1/intel-enrich': 'postIntelEnrich',
    'GET /v1/intel-investigate': 'getIntelInvestigate',
    'POST /v1/intel-investigate': 'postIntelInvestigate',
    'GET /v1/account': 'getAccountInfo',
    'GET /v1/download/{feed}': 'getFeedDownload',
    'GET /v1/feed/domaindiscovery': 'getDomainDiscovery',
    'DELETE /v1/feed/domaindiscovery': 'deleteDomainDiscoverySession',
    'GET /v1/feed/domainhotlist': 'getDomainHotlist',
    'DELETE /v1/feed/domainhotlist': 'deleteDomainHotlistSession',
    'GET /v1/feed/domainrisk': 'getDomainRisk',
    'DELETE /v1/feed/domainrisk': 'deleteDomainRiskSession',
    'GET /v1/feed/iprisk': 'getIPRisk',
    'DELETE /v1/feed/iprisk': 'deleteIPRiskSession',
    'GET /v1/feed/iphotlist': 'getIPHotlist',
    'DELETE /v1/feed/iphotlist': 'deleteIPHotlistSession',
    'GET /v1/feed/domainrdap': 'getParsedDRDAP',
    'DELETE /v1/feed/domainrdap': 'deleteDRDAPSession',
    'GET /v1/feed/nad': 'getNAD',
    'DELETE /v1/feed/nad': 'deleteNADSession',
    'GET /v1/feed/nod': 'getNOD',
    'DELETE /v1/feed/nod': 'deleteNODSession',
    'GET /v1/feed/noh': 'getNOH',
    'DELETE /v1/feed/noh': 'deleteNOHSession',
  });
});
