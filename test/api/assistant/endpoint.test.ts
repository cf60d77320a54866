import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { ask, envelope, send, useTool } from './assistant-fixture.ts';

const server = await testServer({ after });
const { key, username } = await server.user();
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Of 2025-11-25, which answers with a stream of one event. */
const eventIn = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');

test('LIM-23 POST /v1/mcp with X-Api-Key answers a client of 2025-11-25', async () => {
  const answer = await send(server, initialize, { key });
  assert.equal(answer.status, 200, answer.text);
  const { result } = eventIn(answer.text);
  assert.deepEqual([result.protocolVersion, result.serverInfo.name], ['2025-11-25', 'nameglass']);
  assert.match(result.instructions, /from_third_parties/);
});

test('LIM-23 POST /v1/mcp with X-Api-Key answers a client of 2026-07-28', async () => {
  const found = await ask(server, key, 'server/discover');
  assert.deepEqual(found.supportedVersions, ['2026-07-28']);
  assert.equal(found.cacheScope, 'private');
});

test('the same is served at /mcp, and with the key as a bearer token', async () => {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await send(server, ping, { headers }, '/mcp');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(eventIn(answer.text).id, 7);
});

test('a key in the query is no key', async () => {
  const answer = await send(server, ping, {}, `/v1/mcp?api_username=${username}&api_key=${key}`);
  assert.equal(answer.status, 401);
});

test('a request without a valid key is answered with 401 as an error of JSON-RPC, whatever its body', async () => {
  for (const options of [{}, { key: 'wrong' }, { headers: { authorization: 'Basic eDp5' } }]) {
    const answer = await send(server, 'no JSON at all', options);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
    assert.deepEqual([answer.json.jsonrpc, answer.json.id], ['2.0', null]);
    assert.equal(typeof answer.json.error.message, 'string');
  }
});

test('GET and DELETE are answered with 405, which names POST', async () => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await server.call(`${method} /v1/mcp`, { key });
    assert.deepEqual([answer.status, answer.headers['allow']], [405, 'POST']);
  }
});

test('a Host header with a name of another site is refused with 403', async () => {
  const answer = await send(server, ping, { key, headers: { host: 'evil.example' } });
  assert.equal(answer.status, 403);
});

test('a page of another site is refused with 403 by its Origin', async () => {
  const answer = await send(server, ping, { key, headers: { origin: 'https://evil.example' } });
  assert.equal(answer.status, 403);
});

test('a page of this machine is not refused by its Origin', async () => {
  const answer = await send(server, ping, { key, headers: { origin: 'http://localhost:6274' } });
  assert.equal(answer.status, 200);
});

test('a batch of messages is refused, so that each call counts', async () => {
  const answer = await send(server, JSON.stringify([ping, ping]), { key });
  assert.equal(answer.status, 400);
  assert.match(answer.json.error.message, /not a batch/);
});

test('a body that is no JSON, or too deep, is refused with 400', async () => {
  for (const body of ['{"jsonrpc":', '['.repeat(200) + ']'.repeat(200)]) {
    const answer = await send(server, body, { key });
    assert.equal(answer.status, 400);
  }
});

test('a body of more than 1 MB is refused with 413', async () => {
  const answer = await send(server, JSON.stringify({ ...ping, params: { x: 'x'.repeat(1_100_000) } }), {
    key,
  });
  assert.equal(answer.status, 413);
});

test('another content type than JSON is refused with 415', async () => {
  const answer = await send(server, ping, { key, headers: { 'content-type': 'text/plain' } });
  assert.equal(answer.status, 415);
});

test('the log and the metrics name the tool of a call', async () => {
  await useTool(server, key, 'account_usage', {});
  assert.match(server.log(), /"operation":"mcp.account_usage"/);
  const { text } = await server.call('GET /metrics');
  assert.match(text, /scope="assistant",operation="mcp.account_usage",status="200"/);
});

test('a tool that does not exist is named nowhere in the metrics', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'made_up', arguments: {} } };
  await send(server, message, { key });
  assert.doesNotMatch((await server.call('GET /metrics')).text, /made_up/);
});

test('the key is in no log line', () => {
  assert.ok(!server.log().includes(key));
});

test('an account without any product gets 403', async () => {
  const other = await server.user();
  await server.accounts.setAccountActive(other.caller.account.name, false, { actor: 'operator', atMs: 0 });
  const answer = await send(server, ping, { key: other.key });
  assert.equal(answer.status, 403);
});

test('the list of tools, prompts and resources is cacheable for the key alone', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const { ttlMs, cacheScope } = await ask(server, key, method);
    assert.deepEqual([ttlMs > 0, cacheScope], [true, 'private'], method);
  }
  assert.equal(envelope['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
});

test('with assistant.enabled false there is nothing at the path', async (t) => {
  const without = await testServer(t, { settings: { 'assistant.enabled': 'false' } });
  const user = await without.user();
  assert.equal((await send(without, ping, { key: user.key })).status, 404);
});
