/** Short reads that are answered before Fastify sees them: they are answered, logged and counted as Fastify does it. */
import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { unlimitedPdns } from '../../../src/product/account/operate.ts';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';
import { storeRecords } from '../../api/enrich/stored-records.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { behindProxy, clientAddress } from '../../harness/server/client-address.ts';
import { type TestServer, testServer } from '../../harness/server/test-server.ts';
import { sharedInFile, type TestScope } from '../../harness/test-scope.ts';

const skip = behindProxy('a proxy adds headers');
const lookup = '/pdns/v2/lookup/rrset/name/www.example.com';
const seen = [1, 2, 3].map((last) => ({ rrname: 'www.example.com', rdata: `192.0.2.${last}` }));

const enrich = '/v1/intel-enrich/?domain=';
const investigate = '/v1/intel-investigate/?';
const records = [{ domain: 'a.example', registrar: 'R' }, { domain: 'b.example' }];

type Headers = Readonly<Record<string, string>>;

interface Got {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
  readonly throughFastify: boolean;
}

/** Of the responses to two requests, headers that differ by themselves. */
const varying = ['date', 'x-request-id'];

async function get({ app }: TestServer, path: string, headers: Headers): Promise<Got> {
  const { host, port } = await clientAddress(app);
  let throughFastify = false;
  const note = (message: unknown) => {
    const { raw } = (message as { readonly request: FastifyRequest }).request;
    if (raw.socket.localPort === port) throughFastify = true;
  };
  const handled = channel('tracing:fastify.request.handler:start');
  handled.subscribe(note);
  try {
    const sent = request({ host, port, path, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    // Compressed bodies, too, are compared byte by byte.
    const body = (await buffer(answer)).toString('latin1');
    const { rawHeaders } = answer;
    const kept = rawHeaders.filter(
      (_, at) => !varying.includes((rawHeaders[at - (at % 2)] ?? '').toLowerCase()),
    );
    return { status: answer.statusCode, headers: kept, body, throughFastify };
  } finally {
    handled.unsubscribe(note);
  }
}

/** A header that changes nothing, with which a request is not usual any more. */
const unusual: Headers = { 'content-length': '0' };

const share = sharedInFile(async (scope: TestScope) => {
  const server = await testServer(scope, {
    settings: { 'limits.productRequestsPerMinute': '1000000', 'http.connectionsPerAddressMax': '1000' },
  });
  await server.observe(seen);
  await storeRecords(server, records);
  return server;
});

const shared = () => share('');

test('the account endpoint and lookups are answered before Fastify', { skip }, async () => {
  const server = await shared();
  const { key } = await server.user();
  for (const path of ['/v1/account/', '/v1/account', lookup, `${lookup}?humantime=f`, `${lookup}/A/`]) {
    const headers = { 'x-api-key': key };
    await get(server, path, headers);
    const { status, throughFastify, body } = await get(server, path, headers);
    assert.deepEqual({ status, throughFastify }, { status: 200, throughFastify: false }, path);
    assert.ok(body.length > 100, body);
  }
});

test('so are those of clients that accept gzip, as most libraries do, compressed if they are long', {
  skip,
}, async () => {
  const server = await shared();
  const { key } = await server.user();
  for (const path of ['/v1/account/', `${enrich}a.example`, `${investigate}domain=b.example`, lookup]) {
    const plain = await get(server, path, { 'x-api-key': key });
    const headers = { 'x-api-key': key, 'accept-encoding': 'gzip, deflate, br' };
    const answers = [await get(server, path, headers), await get(server, path, headers)];
    for (const { headers: got, body, throughFastify } of answers) {
      const isCompressed = got.includes('gzip');
      assert.equal(throughFastify, false, path);
      assert.equal(isCompressed, plain.body.length >= 1024, path);
      const bytes = Buffer.from(body, 'latin1');
      assert.equal((isCompressed ? gunzipSync(bytes) : bytes).toString('latin1'), plain.body);
    }
  }
});

test('what is not usual is left to Fastify', { skip }, async () => {
  const server = await shared();
  const { key } = await server.user();
  const limited = await server.user({
    pdns: { ...unlimitedPdns, quota: { type: 'time', limit: 1000, period: 86_400 } },
  });
  const unusualRequests: readonly (readonly [path: string, headers: Headers])[] = [
    [lookup, { 'x-api-key': key, ...unusual }],
    [`${lookup}?humantime=f`, { 'x-api-key': limited.key }],
    [lookup.replace('www', '%77ww'), { 'x-api-key': key }],
    [`${enrich}a.example&%61pi_username=b`, { 'x-api-key': key }],
    ['/pdns/v2/lookup/rrset/name/', { 'x-api-key': key }],
    ['/v1/account/?format=xml', { 'x-api-key': key }],
    ['/v1/account/', {}],
  ];
  for (const [path, headers] of unusualRequests)
    assert.equal(
      (await get(server, path, headers)).throughFastify,
      true,
      `${path} ${JSON.stringify(headers)}`,
    );
});

const paths = fc.oneof(
  fc.constantFrom(
    `${enrich}a.example`,
    `${enrich}a.example&domain=none.example&parsed_whois=true`,
    `${enrich}a.example&screenshots=true`,
    `${enrich}a.example&format=html`,
    `${enrich}a.example%2Cb.example`,
    `${enrich}a.example%zz`,
    `${enrich}%61.example&a?b%3D=c`,
    `${enrich}a.example&api_username=somebody`,
    enrich,
    `${investigate}domain=a.example,b.example`,
    `${investigate}registrar=R&page_size=1`,
    `${investigate}registrar=%52&page_size=%31`,
    `${investigate}registrar=R&format=csv`,
    `${investigate}registrar=R&first_seen_within=1000`,
    `${investigate}registrar=R&count_only=true`,
    `${investigate}format=xml`,
  ),
  fc.constantFrom('/v1/account/', '/v1/account', '/v1//account/', '/v1/account/?', '/v1/account/?format=xml'),
  fc
    .tuple(
      fc.constantFrom('/pdns/v2', '/pdns/v1', ''),
      fc.constantFrom('lookup', 'summarize', 'lookup//'),
      fc.constantFrom('rrset/name', 'rdata/ip', 'rdata/name', 'rrset/raw', 'nothing'),
      fc.constantFrom(
        'www.example.com',
        'WWW.example.com.',
        '*.example.com',
        '192.0.2.1',
        'none.example',
        '',
        'a..b',
      ),
      fc.constantFrom('', '/', '/A', '/ANY/example.com', '/A/example.com/more', '/NOTYPE'),
      fc.constantFrom(
        '',
        '?',
        '?limit=1',
        '?limit=0&humantime=t',
        '?limit=x',
        '?offset=9999999',
        '?format=csv',
        '?a+b=c&&',
        '?aggr=f&id=7',
        '?swclient=a%20b&limit=%31',
        '?limit=%',
      ),
    )
    .map(([mount, verb, kind, value, rest, query]) => `${mount}/${verb}/${kind}/${value}${rest}${query}`),
);

const headerSets = fc.constantFrom<Headers>(
  {},
  { accept: 'application/x-ndjson' },
  { accept: 'text/csv' },
  { accept: 'image/png' },
  { accept: 'application/json', 'user-agent': 'someone' },
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'identity', 'if-none-match': '*' },
  { authorization: 'Basic YTpi' },
  { 'x-forwarded-for': '203.0.113.1', connection: 'keep-alive' },
  { connection: 'close', cookie: 'a=b' },
);

test('both ways answer every request with the same bytes', { skip }, async () => {
  const server = await shared();
  const firstVersion = { ...unlimitedPdns, apiVersions: [1] };
  const users = [
    await server.user(),
    await server.user({ pdns: null }),
    await server.user({ pdns: { ...unlimitedPdns, resultsMax: 2, offsetMax: 'none' } }),
    await server.user({ pdns: firstVersion, products: [] }),
    await server.user({ permissions: ['ingest'] }),
    await server.user({ keyExpiresMs: 1 }),
    await server.user({ keyAddresses: ['192.0.2.77'] }),
    await server.user({ keyAddresses: ['127.0.0.0/8'] }),
  ];
  const keys = fc.constantFrom(...users.map(({ key }) => key), 'ngk_unknown', '');
  let fast = 0;
  await fc.assert(
    fc.asyncProperty(paths, headerSets, keys, async (path, headers, key) => {
      const sent = { ...headers, ...(key === '' ? {} : { 'x-api-key': key }) };
      const usual = await get(server, path, { ...sent, ...unusual });
      const { throughFastify, ...other } = await get(server, path, sent);
      const { throughFastify: _, ...expected } = usual;
      if (!throughFastify) fast += 1;
      assert.deepEqual(other, expected);
    }),
    {
      numRuns: propertyRuns(200),
      examples: users.flatMap(({ key }) => [
        [`${lookup}?format=csv`, {}, key],
        [`${lookup}?limit=1`, { accept: 'text/csv' }, key],
      ]),
    },
  );
  assert.ok(fast >= 10, `${fast} of them were answered before Fastify`);
});

test('both ways write the same line in the log, and count the same', { skip }, async () => {
  const server = await shared();
  const { key, username, caller } = await server.user();
  const lineOf = async (path: string, headers: Headers) => {
    const before = server.log().length;
    await get(server, path, { 'x-api-key': key, ...headers });
    const metrics = (await server.call('GET /metrics')).text;
    const { reqId, ms, ...line } = JSON.parse(server.log().slice(before).split('\n')[0] ?? '') as Record<
      string,
      unknown
    >;
    assert.match(String(reqId), /^[0-9a-f-]{36}$/);
    assert.equal(typeof ms, 'number');
    const counted = /_count\{scope="pdns",operation="lookup",status="200"\} (\d+)/.exec(metrics)?.[1];
    return { line, counted: Number(counted) };
  };
  const slow = await lineOf(lookup, unusual);
  const fast = await lineOf(lookup, {});
  assert.deepEqual(fast.line, slow.line);
  assert.equal(fast.line['user'], username);
  assert.equal(fast.counted, slow.counted + 1);
  const uses = await server.usage.dailyUses(caller.account.id, 0);
  assert.deepEqual(
    uses.map(({ item, used }) => [item, used]),
    [['pdns', 2]],
  );
});

test('a key that another process resets is refused with the next request', { skip }, async (t) => {
  const server = await testServer(t);
  const { key, username } = await server.user();
  await get(server, '/v1/account/', { 'x-api-key': key });
  assert.equal((await get(server, '/v1/account/', { 'x-api-key': key })).throughFastify, false);
  const other = openAccountStore(server.directory, keyVault(openServerSecret(server.directory, '')));
  t.after(() => other.close());
  await other.resetKey(username, `ngk_${'0'.repeat(32)}`, { actor: 'operator', atMs: server.clock.now() });
  assert.equal((await get(server, '/v1/account/', { 'x-api-key': key })).status, 403);
});

test('the address of a client behind a trusted proxy is the forwarded one', { skip }, async (t) => {
  const server = await testServer(t, { settings: { 'http.trustProxy': '127.0.0.1' } });
  const { key } = await server.user({ keyAddresses: ['203.0.113.9'] });
  const from = (address: string) =>
    get(server, '/v1/account/', { 'x-api-key': key, 'x-forwarded-for': address });
  assert.equal((await from('203.0.113.9')).status, 200);
  const { status, throughFastify } = await from('203.0.113.9');
  assert.deepEqual({ status, throughFastify }, { status: 200, throughFastify: false });
  assert.equal((await from('203.0.113.8')).status, 403);
});

test('Enrich and Investigate that are asked the same again are answered before Fastify', {
  skip,
}, async () => {
  const server = await shared();
  const { key } = await server.user();
  const asked = [
    `${enrich}a.example`,
    `${enrich}a.example,b.example&parsed_whois=true`,
    `${enrich}a.example%2Cb.example`,
    `${investigate}domain=b.example`,
    `${investigate}registrar=R&format=xml`,
    `${investigate}domain=a%2eexample&registrar=R`,
  ];
  for (const path of asked) {
    const first = await get(server, path, { 'x-api-key': key });
    const second = await get(server, path, { 'x-api-key': key });
    assert.deepEqual(second, { ...first, throughFastify: false }, path);
    assert.deepEqual([first.status, first.throughFastify], [200, true], path);
  }
});

test('what depends on the time, counts in another way or is signed is left to Fastify again', {
  skip,
}, async () => {
  const server = await shared();
  const { key, username } = await server.user();
  const { testDomain } = server.settings.investigate;
  const asked = [
    `${investigate}registrar=R&first_seen_within=1000`,
    `${investigate}domain=${testDomain}`,
    `${enrich}a.example&screenshots=true`,
    `${enrich}a.example&api_username=${username}&timestamp=20260101&signature=00`,
  ];
  for (const path of asked) {
    await get(server, path, { 'x-api-key': key });
    const { throughFastify } = await get(server, path, { 'x-api-key': key });
    assert.equal(throughFastify, true, path);
  }
});

test('each of them counts, and one over the limit is refused', { skip }, async (t) => {
  const server = await testServer(t, { settings: { 'limits.productRequestsPerMinute': '3' } });
  await storeRecords(server, records);
  const { key, caller } = await server.user();
  const answers: Got[] = [];
  for (let at = 0; at < 5; at += 1)
    answers.push(await get(server, `${enrich}a.example`, { 'x-api-key': key }));
  assert.deepEqual(
    answers.map(({ status, throughFastify }) => [status, throughFastify]),
    [
      [200, true],
      [200, false],
      [200, false],
      [429, true],
      [429, true],
    ],
  );
  const tallies = await server.usage.talliesOf(`account:${caller.account.id}`, server.clock.now());
  assert.equal(tallies.get('intel-enrich')?.today, 3);
  const uses = await server.usage.dailyUses(caller.account.id, 0);
  assert.deepEqual(
    uses.map(({ item, used }) => [item, used]),
    [
      ['intel-enrich', 3],
      ['refused', 2],
    ],
  );
});

test('a key of passive DNS with a limit is charged for what is known already, and refused by Fastify over it', {
  skip,
}, async (t) => {
  const server = await testServer(t);
  await server.observe(seen);
  const quota = { type: 'time', limit: 3, period: 86_400 } as const;
  const { key, caller } = await server.user({ pdns: { ...unlimitedPdns, quota } });
  const answers: Got[] = [];
  for (let at = 0; at < 5; at += 1) answers.push(await get(server, lookup, { 'x-api-key': key }));
  const remaining = ({ headers }: Got) => {
    const at = headers.indexOf('x-ratelimit-remaining');
    return at < 0 ? undefined : headers[at + 1];
  };
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.throughFastify, remaining(answer)]),
    [
      [200, true, '2'],
      [200, false, '1'],
      [200, false, '0'],
      [429, true, undefined],
      [429, true, undefined],
    ],
  );
  assert.equal(answers[2]?.body, answers[0]?.body);
  const uses = await server.usage.dailyUses(caller.account.id, 0);
  assert.deepEqual(
    uses.map(({ item, used }) => [item, used]),
    [['pdns', 3]],
  );
});

test('a record that changes is answered anew', { skip }, async (t) => {
  const server = await testServer(t);
  await storeRecords(server, records);
  const { key } = await server.user();
  for (const path of [`${enrich}b.example`, `${investigate}domain=b.example`]) {
    const ask = () => get(server, path, { 'x-api-key': key });
    await ask();
    const before = await ask();
    await storeRecords(server, [{ domain: 'b.example', registrar: `New of ${path}` }]);
    const changed = await ask();
    assert.deepEqual([before.throughFastify, changed.throughFastify], [false, true]);
    assert.ok(changed.body.includes('New of') && changed.body !== before.body, changed.body);
  }
});

test('a client that leaves while its request is charged harms nobody', { skip }, async () => {
  const server = await shared();
  const { key } = await server.user();
  const headers = { 'x-api-key': key };
  await get(server, `${enrich}a.example`, headers);
  const { host, port } = await clientAddress(server.app);
  for (let at = 0; at < 50; at += 1) {
    const sent = request({ host, port, path: `${enrich}a.example`, headers, agent: false }).end();
    sent.on('error', () => undefined);
    await once(sent, 'socket');
    setTimeout(() => sent.destroy(), at % 5);
  }
  assert.equal((await get(server, `${enrich}a.example`, headers)).throughFastify, false);
});
