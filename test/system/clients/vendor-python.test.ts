/** The requests of the vendor's Python client 2.7.2, byte for byte, and what it reads from the responses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '../../api/detect/detect-fixture.ts';
import { withoutLimits } from '../../harness/server/every-operation.ts';
import type { RawResponse } from '../../harness/server/raw-connection.ts';
import { clientWorld, replayer } from './client-world.ts';

const world = await clientWorld({ after }, { settings: withoutLimits });
const replay = replayer(world, 'vendor-python.http');

function read(response: RawResponse): Json {
  assert.equal(response.status, 200, response.text);
  assert.match(response.headers['content-type'] ?? '', /^application\/json\b/);
  return JSON.parse(response.text);
}

/** It shows the message of the object `error`. */
function errorOf({ status, text }: RawResponse): [status: number, message: string] {
  const { error } = JSON.parse(text);
  assert.equal(error.code, status);
  return [status, error.message];
}

const domainsOf = ({ watchlist_domains: domains }: Json) => domains.map(({ domain }: Json) => domain).sort();

test('the account is read first, and its limits are numbers or nothing', async () => {
  const { products } = read(await replay('account')).response;
  const ids = products.map(({ id }: Json) => id);
  for (const id of ['iris-enrich', 'iris-investigate', 'iris-detect-monitors']) assert.ok(ids.includes(id));
  for (const product of products) {
    for (const member of ['per_month_limit', 'absolute_limit', 'usage', 'expiration_date'])
      assert.ok(member in product, `${product.id}: ${member}`);
    for (const limit of [product.per_minute_limit, product.per_hour_limit])
      assert.ok(limit === null || Number(limit) > 0, product.id);
  }
});

test('AUTH-17 a read is repeated with the same bytes, as for `status` and then `data()`', async () => {
  const bytes = replay.bytesOf('account');
  for (let times = 0; times < 2; times += 1) read(await (await world.open()).exchange(bytes));
});

test('AUTH-17 two reads of one path within a second have the same signature, and both are answered', async () => {
  const found = async (name: string) => {
    const { results_count: count, total_count: total } = read(await replay(name)).response;
    return [count, total];
  };
  assert.deepEqual(await found('investigate domains'), [2, 2]);
  assert.deepEqual(await found('investigate an address'), [1, 1]);
  assert.deepEqual(domainsOf(read(await replay('new domains'))).length, 3);
  assert.deepEqual(domainsOf(read(await replay('new domains, filtered'))).length, 2);
});

test('Enrich is asked by a form with a list of domains', async () => {
  const { response } = read(await replay('enrich'));
  assert.deepEqual(
    [response.results_count, response.missing_domains, response.limit_exceeded],
    [2, ['missing.example'], false],
  );
  assert.deepEqual(
    response.results.map(({ domain }: Json) => domain),
    ['one.example', 'two.example'],
  );
});

test('monitors are listed with counts, sorted by two columns', async () => {
  const { monitors } = read(await replay('monitors'));
  assert.equal(monitors.length, 1);
  assert.deepEqual([monitors[0].term, monitors[0].domain_counts.new], ['acme', 3]);
  assert.match(monitors[0].created_date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('domains are triaged by JSON, escalated by a form, and listed', async () => {
  assert.deepEqual(domainsOf(read(await replay('triage'))), ['acme-1.example', 'acme-2.example']);
  assert.deepEqual(domainsOf(read(await replay('watched domains'))), ['acme-1.example', 'acme-2.example']);
  const { escalations } = read(await replay('escalate'));
  assert.deepEqual(
    escalations.map(({ escalation_type: type }: Json) => type),
    ['google_safe', 'google_safe'],
  );
  assert.deepEqual(domainsOf(read(await replay('ignored domains'))), []);
});

test('AUTH-17 a write with the same bytes is refused the second time', async () => {
  world.server.clock.advanceSeconds(1);
  const bytes = replay.bytesOf('triage, asynchronously');
  const exchange = async () => (await world.open()).exchange(bytes);
  assert.deepEqual(domainsOf(read(await exchange())), ['acme-3.example'], 'its member headers is ignored');
  assert.equal(errorOf(await exchange())[0], 403);
});

test('a feed is polled with a key in a header, and not compressed', async () => {
  const response = await replay('feed');
  assert.deepEqual([response.status, response.headers['content-encoding']], [200, undefined]);
  const domains = response.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).domain);
  assert.deepEqual(domains, ['a.example', 'b.example']);
});

test('a feed as CSV has one header line', async () => {
  const response = await replay('feed as CSV');
  assert.match(response.headers['content-type'] ?? '', /^text\/csv\b/);
  const [header, ...lines] = response.text.trimEnd().split(/\r?\n/);
  assert.equal(header, 'timestamp,domain');
  assert.deepEqual(
    lines.map((line) => line.split(',')[1]),
    ['a.example', 'b.example'],
  );
});

test('the key may be in a header and in the query at once', async () => {
  const { account } = read(await replay('account by key in a header')).response;
  assert.equal(account.api_username, 'alice');
});

test('AUTH-35 a wrong key is 403 with a message to show', async () => {
  const [status, message] = errorOf(await replay('feed with a wrong key'));
  assert.deepEqual([status, message !== ''], [403, true]);
});

test('ENR-06 a URL in place of a domain is 400 with a message to show', async () => {
  assert.deepEqual(errorOf(await replay('enrich a URL')), [400, 'domain: "http://x/y" is a URL']);
});

test('AUTH-17 after a 503 the same bytes are sent again a minute later, and answered', async (t) => {
  const limited = await clientWorld(t, { settings: { 'limits.productRequestsPerMinute': '1' } });
  const limitedReplay = replayer(limited, 'vendor-python.http');
  const send = async (bytes: Buffer) => (await limited.open()).exchange(bytes);
  read(await send(limitedReplay.bytesOf('enrich')));
  limited.server.clock.advanceSeconds(1);
  const bytes = limitedReplay.bytesOf('enrich');
  const refused = await send(bytes);
  assert.match(errorOf(refused)[1], /\(1\/min\)\.$/);
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, undefined]);
  limited.server.clock.advanceSeconds(61);
  assert.equal(read(await send(bytes)).response.results_count, 2);
});
