/** Blocklists in the web UI. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../../harness/fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });

async function withBlocked(count: number): Promise<WebSession & { readonly accountId: string }> {
  const account = (await server.user({ permissions: ['admin'] })).caller.account;
  const me = await webSession(server, { account: account.name, permissions: ['manage'] });
  const atMs = server.clock.now();
  const monitorId = await watchTerm(server.monitors, account.id, atMs);
  const domains = Array.from({ length: count }, (_, at) => `acme-${String(at).padStart(3, '0')}.example`);
  const ids = await discover(server.watchlist, { accountId: account.id, monitorId, domains, atMs });
  const by = { username: 'ann', atMs };
  await server.escalations.escalateDomains(account.id, [...ids.values()], 'blocked', by);
  return { ...me, accountId: account.id };
}

interface View {
  readonly format: string;
  readonly url: string;
  readonly bytes: number;
  readonly preview: readonly string[];
  readonly more_lines: boolean;
  readonly fetches: readonly { address: string; agent: string; at: string; current: boolean }[];
}

const viewOf = async (me: WebSession, format: string): Promise<View> => {
  const { json } = await me.call('GET /blocklists');
  return json.blocklists.find((one: View) => one.format === format);
};
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

test('each format has a link, its size and its first lines, as the file has them', async () => {
  const me = await withBlocked(30);
  const { json } = await me.call('GET /blocklists');
  assert.deepEqual([json.domains, json.blocklists.length], [30, 6]);
  for (const { url, bytes, preview, more_lines } of json.blocklists as View[]) {
    const file = await server.call(`GET ${pathOf(url)}`);
    assert.equal(file.status, 200);
    assert.equal(bytes, file.bytes.length, url);
    const lines = file.text.split('\n').slice(0, -1);
    assert.deepEqual(preview, lines.slice(0, 20));
    assert.equal(more_lines, lines.length > 20);
  }
});

test('an empty blocklist is shown too, and a block changes serial and preview', async () => {
  const me = await withBlocked(0);
  const plain = await viewOf(me, 'plain');
  assert.deepEqual([plain.bytes, plain.preview, plain.more_lines, plain.fetches], [0, [], false, []]);
  const before = (await me.call('GET /blocklists')).json.serial;
  const monitorId = await watchTerm(server.monitors, me.accountId, server.clock.now());
  const found = { accountId: me.accountId, monitorId, domains: ['acme-x.example'], atMs: server.clock.now() };
  const ids = await discover(server.watchlist, found);
  const by = { username: 'ann', atMs: server.clock.now() };
  await server.escalations.escalateDomains(me.accountId, [...ids.values()], 'blocked', by);
  assert.deepEqual((await viewOf(me, 'plain')).preview, ['acme-x.example']);
  assert.ok((await me.call('GET /blocklists')).json.serial > before);
});

test('clients that fetched a blocklist are shown with address, name, time and whether they are current', async () => {
  const me = await withBlocked(1);
  const { url } = await viewOf(me, 'rpz');
  const fetch = (from: string, agent: string) =>
    server.call(`GET ${pathOf(url)}`, { from, headers: { 'user-agent': agent } });
  await fetch('192.0.2.53', 'unbound/1.19');
  server.clock.advanceSeconds(120);
  await fetch('192.0.2.54', 'curl\u001b[31m/8');
  await until(async () => (await viewOf(me, 'rpz')).fetches.length === 2);
  const { fetches } = await viewOf(me, 'rpz');
  assert.deepEqual(
    fetches.map(({ address, current }) => [address, current]),
    [
      ['192.0.2.54', true],
      ['192.0.2.53', true],
    ],
  );
  assert.equal(fetches[1]?.agent, 'unbound/1.19');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  assert.doesNotMatch(fetches[0]?.agent ?? '', /[\u0000-\u001f]/);
  assert.deepEqual((await viewOf(me, 'plain')).fetches, []);
});

test('renewed links replace the earlier ones, for those who may manage', async () => {
  const me = await withBlocked(1);
  const before = (await viewOf(me, 'plain')).url;
  const reader = await webSession(server, { account: me.account });
  assert.equal((await reader.call('POST /blocklists/renew')).status, 403);
  const { status, json } = await me.call('POST /blocklists/renew');
  assert.equal(status, 200);
  const now = json.blocklists.find((one: View) => one.format === 'plain').url;
  assert.equal((await server.call(`GET ${pathOf(before)}`)).status, 403);
  assert.equal((await server.call(`GET ${pathOf(now)}`)).status, 200);
});

test('a list is created, shown in every format, changed and deleted, for those who may manage', async () => {
  const me = await withBlocked(2);
  const body = { blocked: true, new_score_min: 80, tags: ['phish'], monitor_ids: [] };
  const reader = await webSession(server, { account: me.account });
  assert.equal((await reader.call('PUT /blocklists/selections/mine', { body })).status, 403);
  const made = await me.call('PUT /blocklists/selections/mine', { body });
  assert.equal(made.status, 200);
  assert.equal(made.json.selection, 'mine');
  assert.deepEqual(
    made.json.selections.map((one: { name: string; domains: number }) => [one.name, one.domains]),
    [
      ['blocked', 2],
      ['mine', 2],
    ],
  );
  const { json } = await me.call('GET /blocklists?selection=mine');
  for (const { url, bytes, file_name } of json.blocklists) {
    const file = await server.call(`GET ${pathOf(url)}`);
    assert.deepEqual([file.status, file.bytes.length], [200, bytes], file_name);
  }
  assert.equal((await me.call('GET /blocklists?selection=none')).status, 404);
  assert.equal((await me.call('DELETE /blocklists/selections/mine')).json.selections.length, 1);
});

test('the allow list is changed by those who may manage, and lists say how many it leaves out', async () => {
  const me = await withBlocked(3);
  const { json } = await me.call('POST /blocklists/allowed', { body: { add: ['acme-001.example'] } });
  assert.deepEqual(
    json.allowed.map((one: { domain: string }) => one.domain),
    ['acme-001.example'],
  );
  assert.deepEqual((await me.call('GET /blocklists/allowed')).json, json);
  const [blocked] = (await me.call('GET /blocklists')).json.selections;
  assert.deepEqual([blocked.domains, blocked.left_out], [2, 1]);
  assert.deepEqual((await viewOf(me, 'plain')).preview, ['acme-000.example', 'acme-002.example']);
});
