import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type AccountAnswer,
  type ClientOptions,
  type EnrichAnswer,
  NameglassClient,
  NameglassError,
  type PdnsRecord,
  signatureOf,
  type WatchlistDomain,
} from '../../src/client/nameglass-client.ts';
import { describedServer } from '../api/openapi/described-server.ts';

const world = describedServer({ after });

async function client(options: Partial<ClientOptions> = {}): Promise<NameglassClient> {
  const { url, user } = await world;
  return new NameglassClient({ server: url, key: user.key, batchKey: user.batchKey, ...options });
}

async function failureOf(work: Promise<unknown>): Promise<NameglassError> {
  const error: unknown = await work.then(
    () => assert.fail('it succeeded'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof NameglassError, String(error));
  return error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

test('a request with a key is answered', async () => {
  const account = await (await client()).json<AccountAnswer>('/v1/account/');
  assert.equal(account.response.account.api_username, 'alice');
});

test('a list of values is sent as a repeated parameter, and one that is undefined is not sent', async () => {
  const query = { domain: ['example.com', 'unknown.example'], parsed_whois: true, screenshots: undefined };
  const { response } = await (await client()).json<EnrichAnswer>('/v1/intel-enrich/', { query });
  assert.deepEqual([response.results_count, response.missing_domains], [1, ['unknown.example']]);
});

test('the signature is the HMAC of the published recipe', async () => {
  const [user, key, timestamp] = ['acme-api', '0f1e2d3c-key', '2026-01-02T03:04:05Z'];
  assert.equal(
    await signatureOf(key, user, timestamp, '/v1/account'),
    'f974df178e95319153a9725520d8f633e305a9eb6255835c5b83e0343098f1a4',
  );
});

test('signed requests are accepted although many of them are sent within a millisecond', async () => {
  const { server, user } = await world;
  server.clock.set(new Date().toISOString());
  const signing = await client({ username: user.username, sign: true });
  const read = () => signing.json<AccountAnswer>('/v1/account/');
  const accounts = await Promise.all([read(), read(), read()]);
  assert.deepEqual(
    accounts.map(({ response }) => response.account.api_username),
    ['alice', 'alice', 'alice'],
  );
  const written = await signing.json<{ own_domains: string[] }>('/v1/intel-detect/own-domains/', {
    body: { add: ['acme.test.example'] },
  });
  assert.ok(written.own_domains.includes('acme.test.example'));
  const found = await all(signing.lines<PdnsRecord>('/pdns/v2/lookup/rrset/name/www.example.com'));
  assert.equal(found[0]?.count, 41);
});

test('a signature without a username is refused when the client is made', () => {
  assert.throws(() => new NameglassClient({ server: 'http://127.0.0.1', key: 'k', sign: true }), /username/);
});

test('the batch key is sent in the body', async () => {
  const profile = await (await client()).json<{ profile: { username: string } }>('/batchd/v1/validate', {
    body: {},
  });
  assert.equal(profile.profile.username, 'alice');
  const lines = await all(
    (await client()).lines('/batchd/v1/batch/chfetch', {
      body: { channel: 212, start_time: '2026-03-04 10:00:00', end_time: '2026-03-04 10:05:00' },
    }),
  );
  assert.equal(lines.length, 2);
});

test('the address of the server is checked when the client is made', () => {
  for (const server of ['names.example', 'ftp://names.example', ''])
    assert.throws(() => new NameglassClient({ server }), { name: 'NameglassError', code: 'invalid' });
});

test('errors of all APIs have the same codes', async () => {
  const [good, none, wrong] = [await client(), await client({ key: undefined }), await client({ key: 'x' })];
  const cases: [NameglassClient, string, number, string, RegExp][] = [
    [none, '/v1/intel-enrich/?domain=a.example', 401, 'authentication', /No credentials/],
    [wrong, '/v1/account/', 403, 'authentication', /credentials/],
    [good, '/v1/intel-enrich/', 400, 'invalid', /domain/],
    [good, '/v1/feed/nod/', 422, 'invalid', /sessionID/],
    [good, '/v1/nothing/', 404, 'not-found', /\S/],
    [wrong, '/pdns/v2/lookup/rrset/name/a.example', 403, 'authentication', /\S/],
    [wrong, '/pdns/query/a.example', 401, 'authentication', /\S/],
    [good, '/pdns/v2/lookup/rrset/name/a..b', 400, 'invalid', /^[^:]+:? \S/],
    [good, '/pdns/v2/nothing', 404, 'not-found', /\S/],
    [good, '/files/nod/x?Expires=1&Signature=x', 403, 'authentication', /\S/],
  ];
  for (const [asker, path, status, code, message] of cases) {
    const error = await failureOf(asker.request(path));
    assert.deepEqual([error.status, error.code], [status, code], path);
    assert.match(error.message, message);
  }
  const fields = (await failureOf(good.request('/v1/feed/nod/'))).fields;
  assert.deepEqual(Object.keys(fields ?? {}), ['sessionID']);
  const batch = await failureOf(good.request('/batchd/v1/batch/chdetails', { body: { channels: 'x' } }));
  assert.deepEqual(
    [batch.status, batch.code, Object.keys(batch.fields ?? {})],
    [403, 'invalid', ['channels']],
  );
  const stranger = await client({ batchKey: 'ca9a4700-0000-4000-8000-000000000000' });
  assert.equal(
    (await failureOf(stranger.request('/batchd/v1/validate', { body: {} }))).code,
    'authentication',
  );
});

test('a server that cannot be reached is an error of its own', async () => {
  const error = await failureOf(
    new NameglassClient({ server: 'http://127.0.0.1:9' }).request('/v1/account/'),
  );
  assert.deepEqual([error.status, error.code], [0, 'unreachable']);
});

test('all pages of a search are read', async () => {
  const query = { nameserver_host: 'ns1.dns.example', page_size: 1 };
  const found = await all((await client()).pages<{ domain: string }>('/v1/intel-investigate/', { query }));
  assert.deepEqual(found.map(({ domain }) => domain).sort(), ['example.com', 'example.net']);
});

test('all pages of a watchlist are read', async () => {
  const pages = (await client()).pages<WatchlistDomain>('/v1/intel-detect/domains/new/', {
    query: { limit: 1 },
  });
  const names = (await all(pages)).map(({ domain }) => domain);
  assert.deepEqual(names.sort(), ['acme-login.example', 'acme-shop.example']);
});

test('all pages of a passive DNS lookup are read by its cursor', async () => {
  const query = { limit: 5, offset: 2 };
  const pages = (await client()).pages<PdnsRecord>('/pdns/v2/lookup/rrset/name/*.hosts.example', { query });
  const names = (await all(pages)).map(({ rrname }) => rrname);
  assert.equal(names.length, 10);
  assert.equal(new Set(names).size, 10);
});

test('all pages of a history and of an archive are read', async () => {
  const good = await client();
  const changes = await all(
    good.pages<{ field: string }>('/v1/domain-history/', { query: { domain: 'example.com', limit: 1 } }),
  );
  assert.ok(changes.some(({ field }) => field === 'website_title'));
  const files = await all(good.pages<{ name: string }>('/v1/download/nod/', { query: { limit: 1 } }));
  assert.equal(new Set(files.map(({ name }) => name)).size, files.length);
  assert.ok(files.length >= 4);
});

test('a limited lookup says so, and where the next page begins', async () => {
  let end: object | undefined;
  const lines = (await client()).lines('/pdns/v2/lookup/rrset/name/*.hosts.example', {
    query: { limit: 3 },
    onEnd: (given) => (end = given),
  });
  assert.equal((await all(lines)).length, 3);
  assert.deepEqual(Object.keys(end ?? {}).sort(), ['cond', 'cursor', 'msg']);
});

test('pages of passive DNS are read in version 2, which alone says where the next one begins', async () => {
  for (const path of [
    '/pdns/v1/lookup/rrset/name/a.example',
    '/lookup/rrset/name/a.example',
    '/pdns/query/a.example',
  ]) {
    const error = await failureOf(all((await client()).pages(path)));
    assert.equal(error.code, 'invalid', path);
  }
  const rows = await all((await client()).lines<PdnsRecord>('/pdns/v1/lookup/rrset/name/www.example.com'));
  assert.equal(rows[0]?.count, 41);
});
