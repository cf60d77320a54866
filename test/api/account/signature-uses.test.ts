/** What a signature may be used for, and how often. Its validity in time is tested in `signature-window.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../src/model/problem.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { echoOperations, stubOperation } from '../../harness/server/echo-operations.ts';
import { everyPermission, withoutLimits } from '../../harness/server/every-operation.ts';
import { queryOf, type SignedParameters, signed } from '../../harness/server/request-signature.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import type { TestServerOptions } from '../../harness/server/test-server.ts';

const sharedServer = sharedServers();

const start = '2026-03-04T10:11:12Z';
const enrich = '/v1/intel-enrich/';
const monitors = '/v1/intel-detect/monitors/';

async function signingServer(options: TestServerOptions = {}) {
  const server = await sharedServer({
    operations: echoOperations,
    ...options,
    settings: { ...withoutLimits, ...options.settings },
  });
  const user = await server.user({ permissions: everyPermission });
  const sign = (path: string, timestamp = start) => signed(user, timestamp, path);
  const status = async (route: string, body?: object) =>
    (await server.call(route, body === undefined ? {} : { body })).status;
  return { server, user, sign, status };
}

const withParameters = (given: SignedParameters, added: string) => `${queryOf(given)}&${added}`;

test('AUTH-17 a parameter that the operation ignores does not make a captured request another one', async () => {
  const { sign, status } = await signingServer();
  const query = withParameters(sign(enrich), 'domain=a.example');
  assert.equal(await status(`GET ${enrich}?${query}`), 200);
  for (const added of [
    'app_name=z',
    'app_version=2&app_partner=p',
    'nonsense=1',
    'term=acme',
    'app_name[]=z',
    '',
  ]) {
    assert.equal(await status(`GET ${enrich}?${query}&${added}`), 401, added);
    assert.equal(await status(`GET ${enrich}?${added}&${query}`), 401, added);
  }
  assert.equal(await status(`GET ${enrich}?${query}&limit=3`), 200, 'an understood parameter does');
});

test('AUTH-17 an ignored member of a body, or an ignored text body, does not make a captured request another one', async () => {
  const { server, sign, status } = await signingServer();
  const members = { ...sign(enrich), domain: 'a.example' };
  assert.equal(await status(`POST ${enrich}`, members), 200);
  assert.equal(await status(`POST ${enrich}`, { nonsense: [1], ...members, app_name: 'z' }), 401);
  const form = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${queryOf(members)}&n=1`,
  };
  assert.equal((await server.call(`POST ${enrich}`, form)).status, 401, 'as a form');
  const text = { headers: { 'content-type': 'text/plain' }, body: 'anything' };
  assert.equal((await server.call(`POST ${enrich}?${queryOf(members)}`, text)).status, 401, 'as a query');
});

test('AUTH-17 the signature of a read is refused for every write at its path', async () => {
  const { server, sign, status } = await signingServer({ operations: [] });
  const query = queryOf(sign(monitors));
  assert.equal(await status(`GET ${monitors}?${query}`), 200);
  assert.equal(await status(`POST ${monitors}?${query}`, { term: 'acmebank' }), 401);
  assert.equal(await status(`PUT ${monitors}?${query}`, { monitor_id: 'kT7bQ2mXzA', term: 'acme' }), 401);
  assert.equal(await status(`DELETE ${monitors}?${query}&monitor_id=kT7bQ2mXzA`), 401);
  assert.equal(
    await status(`POST ${monitors}?${queryOf(sign(monitors, '2026-03-04T10:11:13Z'))}`, { term: 'other' }),
    200,
  );
  const { json } = await server.call(`GET ${monitors}?${queryOf(sign(monitors, '2026-03-04T10:11:14Z'))}`);
  assert.deepEqual(
    json.monitors.map(({ term }: { term: string }) => term),
    ['other'],
  );
});

test('AUTH-17 a signature serves one write, whatever the method, the parameters and the body', async () => {
  const { sign, status } = await signingServer();
  const query = queryOf(sign(monitors));
  assert.equal(await status(`POST ${monitors}?${query}`, { term: 'acme' }), 200);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assert.equal(await status(`${method} ${monitors}?${query}`, { term: 'acme' }), 401, method);
    assert.equal(await status(`${method} ${monitors}?${query}`, { term: 'other', limit: 7 }), 401, method);
  }
});

test('AUTH-17 a signature that served a write still serves reads', async () => {
  const { sign, status } = await signingServer();
  const query = queryOf(sign(monitors));
  assert.equal(await status(`POST ${monitors}?${query}`, { term: 'acme' }), 200);
  assert.deepEqual(
    [await status(`GET ${monitors}?${query}`), await status(`GET ${monitors}?${query}&limit=5`)],
    [200, 200],
  );
  assert.equal(await status(`GET ${monitors}?${query}`), 401);
});

test('AUTH-17 of 50 concurrent writes with one signature exactly one takes effect', async () => {
  const { sign, status } = await signingServer();
  const query = queryOf(sign(monitors));
  const statuses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => status(`POST ${monitors}?${query}`, { term: `acme${index}` })),
  );
  assert.equal(statuses.filter((one) => one === 200).length, 1);
  assert.equal(statuses.filter((one) => one === 401).length, 49);
});

test('AUTH-17 a search repeated in another order or as its search hash is the same request', async () => {
  const { server, user, sign, status } = await signingServer({ operations: [] });
  const path = '/v1/intel-investigate/';
  const query = queryOf(sign(path));
  const hash = await server.call(`GET ${path}search-hash/?registrar=acme&tld=example`, { key: user.key });
  assert.equal(await status(`GET ${path}?${query}&registrar=acme&tld=example`), 200);
  for (const again of [
    'tld=example&registrar=acme',
    'registrar=acme&registrar=acme&tld=example',
    `search_hash=${encodeURIComponent(hash.json.response.search_hash)}`,
  ]) {
    assert.equal(await status(`GET ${path}?${query}&${again}`), 401, again);
  }
  for (const other of ['registrar=acme&tld=test', 'registrar=acme', 'registrar=acme&tld=example&page_size=5'])
    assert.equal(await status(`GET ${path}?${query}&${other}`), 200, other);
  assert.equal(
    await status(`GET ${path}?${query}&registrar=acme&tld=example&parsed_whois:registrar=acme`),
    200,
    'a component of a parsed record is understood',
  );
});

test('AUTH-17 an invalid request is a replay when it is repeated, ignored parameters aside', async () => {
  const { sign, status } = await signingServer();
  const query = queryOf(sign(enrich));
  assert.equal(await status(`GET ${enrich}?${query}&limit=x`), 400);
  assert.equal(await status(`GET ${enrich}?${query}&limit=x&app_name=z`), 401);
  assert.equal(await status(`GET ${enrich}?${query}&limit=y`), 400);
  assert.equal(await status(`GET ${enrich}?${query}&limit=1`), 200);
});

test('AUTH-17 a request refused with 429 can be repeated as it is', async () => {
  const settings = { 'limits.productRequestsPerMinute': '1' };
  const { server, user, sign, status } = await signingServer({ settings });
  for (const [route, body] of [
    [`GET ${enrich}?${queryOf(sign(enrich))}&domain=a.example`, undefined],
    [`POST ${monitors}?${queryOf(sign(monitors))}`, { term: 'acme' }],
  ] as const) {
    server.clock.advanceSeconds(61);
    const [method, url] = route.split(' ') as [string, string];
    const other = await server.call(`${method} ${url.split('?')[0]}`, {
      key: user.key,
      ...(body && { body }),
    });
    assert.equal(other.status, 200);
    assert.deepEqual([await status(route, body), await status(route, body)], [429, 429]);
    server.clock.advanceSeconds(61);
    assert.deepEqual([await status(route, body), await status(route, body)], [200, 401]);
  }
});

test('AUTH-17 a read refused with 429 leaves its signature to a write, and a granted read does not', async () => {
  const settings = { 'limits.detect.monitorsQueriesPerHour': '1' };
  const { server, user, sign, status } = await signingServer({ operations: [], settings });
  await server.call(`GET ${monitors}`, { key: user.key });
  const query = queryOf(sign(monitors));
  assert.equal(await status(`GET ${monitors}?${query}`), 429);
  assert.equal(await status(`POST ${monitors}?${query}`, { term: 'acme' }), 200);
  assert.equal(await status(`GET ${monitors}?${query}`), 429);
  assert.equal(await status(`POST ${monitors}?${query}`, { term: 'other' }), 401, 'the write stays recorded');
});

test('AUTH-17 a request refused with 503 can be repeated as it is', async () => {
  let failures = 2;
  const handle = async () => {
    failures -= 1;
    if (failures >= 0) throw new Problem('unavailable', 'Try again.');
    return {};
  };
  const operations = [
    stubOperation('getIntelEnrich', { handle }),
    stubOperation('postDetectMonitor', { handle }),
  ];
  const { sign, status } = await signingServer({ operations });
  const read = `GET ${enrich}?${queryOf(sign(enrich))}`;
  assert.deepEqual(
    [await status(read), await status(read), await status(read), await status(read)],
    [503, 503, 200, 401],
  );
  failures = 1;
  const write = `POST ${monitors}?${queryOf(sign(monitors))}`;
  assert.deepEqual([await status(write), await status(write), await status(write)], [503, 200, 401]);
});

test('AUTH-17 a request that failed unexpectedly stays recorded', async () => {
  const handle = async () => {
    throw new Error('a bug');
  };
  const { sign, status } = await signingServer({
    operations: [stubOperation('getIntelEnrich', { handle })],
  });
  const read = `GET ${enrich}?${queryOf(sign(enrich))}`;
  assert.deepEqual([await status(read), await status(read)], [500, 401]);
});

const vendor = { 'compat.profile': 'vendor' };

test('AUTH-17 under the compatibility profile an identical read is accepted ten times', async () => {
  const { sign, status } = await signingServer({ settings: vendor });
  for (const path of ['/v1/iris-enrich/', '/vendor/v1/account/', '/vendor/v1/feed/nod/', '/v1/account/']) {
    const route = `GET ${path}?${queryOf(sign(path))}`;
    const statuses = [];
    for (let times = 0; times < 12; times += 1) statuses.push(await status(`${route}&app_name=${times}`));
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 403, 403], path);
  }
});

test('AUTH-17 the setting compat.identicalReadsMax bounds repeated reads, also concurrent ones', async () => {
  const settings = { ...vendor, 'compat.identicalReadsMax': '3' };
  const { sign, status } = await signingServer({ settings });
  const route = `GET /v1/iris-enrich/?${queryOf(sign('/v1/iris-enrich/'))}`;
  const statuses = await Promise.all(Array.from({ length: 20 }, () => status(route)));
  assert.equal(statuses.filter((one) => one === 200).length, 3);
  assert.equal(statuses.filter((one) => one === 403).length, 17);
});

test('AUTH-17 the neutral paths accept an identical read once while the profile is on', async () => {
  const { sign, status } = await signingServer({ settings: vendor });
  const route = `GET ${enrich}?${queryOf(sign(enrich))}`;
  assert.deepEqual([await status(route), await status(route)], [200, 401]);
});

test('AUTH-17 under the compatibility profile a signature serves one write, and none after a read', async () => {
  const { sign, status } = await signingServer({ settings: vendor });
  const path = '/v1/iris-detect/monitors/';
  const query = queryOf(sign(path));
  assert.equal(await status(`POST ${path}?${query}`, { term: 'acme' }), 200);
  assert.equal(await status(`POST ${path}?${query}`, { term: 'acme' }), 403);
  const read = queryOf(sign(path, '2026-03-04T10:11:13Z'));
  assert.equal(await status(`GET ${path}?${read}`), 200);
  assert.equal(await status(`POST ${path}?${read}`, { term: 'acme' }), 403);
});

test('AUTH-17 under the compatibility profile a read refused by a limit does not use up its repetitions', async () => {
  const settings = { ...vendor, 'limits.productRequestsPerMinute': '1', 'compat.identicalReadsMax': '2' };
  const { server, sign, status } = await signingServer({ settings });
  const route = `GET /v1/iris-enrich/?${queryOf(sign('/v1/iris-enrich/'))}`;
  const statuses = [await status(route), await status(route), await status(route)];
  server.clock.advanceSeconds(61);
  statuses.push(await status(route));
  server.clock.advanceSeconds(61);
  statuses.push(await status(route));
  assert.deepEqual(statuses, [200, 503, 503, 200, 403]);
});

/** Parameters of the echo operation as texts, some of them invalid, and texts that spell the same value differently. */
const spellings: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    'domain',
    ['domain=a.example', 'domain=%61.example', 'domain=a.example&domain=a.example', 'domain=b.example'],
  ],
  ['limit', ['limit=5', 'limit=05', 'limit=%35', 'limit=6', 'limit=x', 'limit=1000']],
  ['mx_exists', ['mx_exists=1', 'mx_exists=true', 'mx_exists=0', 'mx_exists=false']],
  [
    'tlds',
    [
      'tlds=com',
      'tlds[]=com',
      'tlds%5B%5D=com',
      'tlds=com&tlds=org',
      'tlds[0]=com&tlds[1]=org',
      'tlds=org&tlds=com',
    ],
  ],
  ['ignored', ['app_name=a', 'app_name=b', 'nonsense=1', 'limitx=5']],
];

const request = fc
  .tuple(...spellings.map(([, texts]) => fc.option(fc.constantFrom(...texts), { nil: undefined })))
  .chain((texts) =>
    fc.shuffledSubarray(
      texts.filter((text) => text !== undefined),
      { minLength: 0 },
    ),
  )
  .map((texts) => texts.join('&'));

test('AUTH-17 two requests with one signature are the same exactly if the operation gets the same parameters', async () => {
  const { server, user, sign } = await signingServer();
  let made = 0;
  await fc.assert(
    fc.asyncProperty(request, request, async (first, second) => {
      made += 1;
      const signature = queryOf(sign(enrich, new Date(server.clock.now() + made).toISOString()));
      const [one, other] = await Promise.all(
        [first, second].map((query) => server.call(`GET ${enrich}?${query}`, { key: user.key })),
      );
      fc.pre(one?.status === 200 && other?.status === 200);
      await server.call(`GET ${enrich}?${signature}&${first}`);
      const { status } = await server.call(`GET ${enrich}?${second}&${signature}`);
      assert.equal(status, one?.text === other?.text ? 401 : 200, `${first} and ${second}`);
    }),
    { numRuns: propertyRuns(100) },
  );
});
