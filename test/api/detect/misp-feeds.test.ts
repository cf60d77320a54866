/** Blocklists as MISP feeds over HTTP. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findChangedFeed } from '../../../src/collect/reputation-lists/misp/misp-feed.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { clientAddress } from '../../harness/server/client-address.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const server = await testServer({ after });

async function blocking() {
  const user = await server.user({ permissions: ['read', 'manage'] });
  const { id: accountId } = user.caller.account;
  const monitorId = await watchTerm(server.monitors, accountId, server.clock.now());
  const by = () => ({ username: 'alice', atMs: server.clock.now() });
  const block = async (...domains: readonly string[]) => {
    const found = await discover(server.watchlist, {
      accountId,
      monitorId,
      domains,
      atMs: server.clock.now(),
    });
    const ids = domains.map((domain) => found.get(domain) as string);
    const decision = { target: 'blocked', pieceDomains: 9 } as const;
    const { decisionId = '' } = await server.decisions.decideDomains(accountId, ids, decision, by());
    return () =>
      server.decisions.undoDecision(accountId, decisionId, { skipConflicts: false, pieceDomains: 9 }, by());
  };
  const feedUrl = async (query = '') => {
    const { json } = await server.call(`GET /v1/intel-detect/blocklists/${query}`, { key: user.key });
    return new URL(json.misp_feed).pathname;
  };
  const open = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    server.call(`GET ${path}`, { headers });
  return { user, block, feedUrl, open };
}

/** Serves through a real socket, as our reader reads it. */
async function readNames(
  path: string,
  t: Parameters<typeof temporaryDirectory>[0],
): Promise<readonly string[]> {
  const { host, url } = await clientAddress(server.app);
  const dialer = createDialer({ settings: { outgoing: { allow: [host] } } });
  const { signal } = new AbortController();
  const location = url + path;
  const request = { name: 'own', location, known: undefined, signal };
  const found = await findChangedFeed({ dialer, directory: temporaryDirectory(t) }, request);
  const names: string[] = [];
  for await (const entries of found?.entries() ?? []) names.push(...entries.map(({ text }) => text));
  return names.filter((name) => name !== '').toSorted();
}

test('our own reader reads the blocked names from the feed, and no longer those that were unblocked', async (t) => {
  const { block, feedUrl } = await blocking();
  await block('acme-a.example', 'acme-b.example');
  const undo = await block('acme-c.example');
  const url = await feedUrl();
  assert.deepEqual(await readNames(url, t), ['acme-a.example', 'acme-b.example', 'acme-c.example']);
  server.clock.advanceSeconds(10);
  await undo();
  assert.deepEqual(await readNames(url, t), ['acme-a.example', 'acme-b.example']);
});

test('an unblocked name is deleted in its event, whose timestamp rises in the manifest', async () => {
  const { block, feedUrl, open } = await blocking();
  const undo = await block('acme-a.example');
  const url = await feedUrl();
  const manifest = async () => Object.entries((await open(`${url}/manifest.json`)).json as object);
  const [[uuid, before] = []] = await manifest();
  server.clock.advanceSeconds(60);
  await undo();
  const [[sameUuid, now] = []] = await manifest();
  assert.equal(sameUuid, uuid);
  assert.ok(Number(now.timestamp) > Number(before.timestamp));
  const { Event } = (await open(`${url}/${uuid}.json`)).json;
  assert.deepEqual(
    Event.Attribute.map((one: Record<string, unknown>) => [one['value'], one['deleted'], one['to_ids']]),
    [['acme-a.example', true, false]],
  );
  assert.equal((await open(`${url}/hashes.csv`)).text, '');
});

test('files have entity tags: what has not changed is not sent again', async () => {
  const { block, feedUrl, open } = await blocking();
  await block('acme-a.example');
  const url = await feedUrl();
  const [uuid = ''] = Object.keys((await open(`${url}/manifest.json`)).json);
  const files = [`${url}/manifest.json`, `${url}/hashes.csv`, `${url}/${uuid}.json`];
  const tags = await Promise.all(files.map(async (file) => String((await open(file)).headers['etag'])));
  const again = () =>
    Promise.all(
      files.map(async (file, at) => (await open(file, { 'if-none-match': tags[at] ?? '' })).status),
    );
  assert.deepEqual(await again(), [304, 304, 304]);
  server.clock.advanceSeconds(2 * 86_400);
  await block('acme-b.example');
  assert.deepEqual(await again(), [200, 200, 304]);
});

test('a feed opens by its link alone, until the links are renewed', async () => {
  const { user, block, feedUrl, open } = await blocking();
  await block('acme-a.example');
  const url = await feedUrl();
  assert.equal((await open(`${url}/manifest.json`)).status, 200);
  assert.equal((await open(`${url.replace('=', '%3D')}//manifest.json`)).status, 200);
  assert.equal((await open(`${url.replace('/blocked/', '/other/')}/manifest.json`)).status, 403);
  assert.equal((await open(`${url.slice(0, -1)}/manifest.json`)).status, 403);
  assert.equal((await open('/misp/x')).status, 403);
  assert.equal((await open(`${url}/00000000-0000-5000-8000-000000000000.json`)).status, 404);
  assert.equal((await open(`${url}/..%2fmanifest.json`)).status, 404);
  const renewed = await server.call('POST /v1/intel-detect/blocklists/renew/', { key: user.key });
  assert.equal((await open(`${url}/manifest.json`)).status, 403);
  const { pathname } = new URL(renewed.json.misp_feed);
  assert.equal((await open(`${pathname}/manifest.json`)).status, 200);
});

test('the log has no signature of a feed', async () => {
  const { feedUrl, open } = await blocking();
  const url = await feedUrl();
  await open(`${url}/manifest.json`);
  await open(`${url.replace('=', '%3D')}/manifest.json`);
  const [, signature = ''] = /Signature=(.+)$/.exec(url) ?? [];
  assert.ok(signature.length > 40);
  assert.ok(!server.log().includes(signature));
});

test('every list of the account is a feed', async () => {
  const { user, block, feedUrl, open } = await blocking();
  await block('acme-a.example');
  const body = { name: 'hot', new_score_min: 0 };
  assert.equal(
    (await server.call('PUT /v1/intel-detect/blocklists/selections/', { key: user.key, body })).status,
    200,
  );
  const url = await feedUrl('?selection=hot');
  assert.match(url, /\/hot\/Signature=/);
  assert.deepEqual((await open(`${url}/manifest.json`)).json, {});
});
