import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { ask, send, useTool } from './assistant-fixture.ts';

const server = await testServer({ after });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const statusesOf = async (count: number, key: string, body: object | string = ping) => {
  const answers = await Promise.all(Array.from({ length: count }, () => send(server, body, { key })));
  return answers.map(({ status }) => status);
};
const countOf = (status: number, statuses: readonly number[]) =>
  statuses.filter((one) => one === status).length;

test('LIM-22 of 25 requests at once 20 are answered and the others get 429', async () => {
  const { key } = await server.user();
  const statuses = await statusesOf(25, key);
  assert.deepEqual([countOf(200, statuses), countOf(429, statuses)], [20, 5]);
});

test('LIM-22 after a burst one request is answered for each 100 milliseconds', async () => {
  const { key } = await server.user();
  await statusesOf(20, key);
  assert.deepEqual(await statusesOf(1, key), [429]);
  server.clock.advanceSeconds(0.099);
  assert.deepEqual(await statusesOf(1, key), [429]);
  server.clock.advanceSeconds(0.001);
  assert.deepEqual(countOf(200, await statusesOf(2, key)), 1);
  server.clock.advanceSeconds(1);
  assert.equal(countOf(200, await statusesOf(12, key)), 10);
});

test('LIM-22 a refused request says when to try again, and its body is not read', async () => {
  const { key } = await server.user();
  await statusesOf(20, key);
  const answer = await send(server, 'no JSON', { key });
  assert.deepEqual([answer.status, answer.headers['retry-after']], [429, '1']);
  assert.match(answer.json.error.message, /The limit of the assistant tools is reached: 20 per second/);
});

test('LIM-22 each key has its own limit, also within one account', async () => {
  const one = await server.user();
  const other = await server.user({ account: one.caller.account.name });
  await statusesOf(20, one.key);
  assert.deepEqual(await statusesOf(1, other.key), [200]);
});

test('LIM-22 two processes on one data directory share the limit', async (t) => {
  const { key } = await server.user();
  const second = await testServer(t, { directory: server.directory, clock: server.clock });
  await statusesOf(12, key);
  const answers = await Promise.all(Array.from({ length: 12 }, () => send(second, ping, { key })));
  assert.equal(
    countOf(
      200,
      answers.map(({ status }) => status),
    ),
    8,
  );
});

test('pages of the watchlist count against the tools, not against the one request an hour of programs that poll', async () => {
  const { key } = await server.user();
  for (let page = 0; page < 3; page += 1) await useTool(server, key, 'lookalikes_list', { state: 'new' });
  const polled = await server.call('GET /v1/intel-detect/domains/new/', { key });
  assert.equal(polled.status, 200, polled.text);
});

test('a call counts in the usage of its product', async () => {
  const { key } = await server.user();
  await useTool(server, key, 'domain_dossier', { domain: 'example.com' });
  await useTool(server, key, 'lookup_bulk', { domains: ['example.com', 'example.org'] });
  const { products } = await useTool(server, key, 'account_usage', {});
  const used = Object.fromEntries(
    products.map(({ product, used_today }: { product: string; used_today: number }) => [product, used_today]),
  );
  assert.deepEqual([used['intel-investigate'], used['intel-enrich']], [1, 1]);
});

test('the limit of a product is answered by the tool with a sentence that says when to go on', async (t) => {
  const small = await testServer(t, { settings: { 'limits.productRequestsPerMinute': '1' } });
  const { key } = await small.user();
  await useTool(small, key, 'risk_of_name', { names: ['example.com'] });
  const result = await ask(small, key, 'tools/call', {
    name: 'risk_of_name',
    arguments: { names: ['example.com'] },
  });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /The limit of intel-enrich is reached: 1 per minute. Try again in/);
});
