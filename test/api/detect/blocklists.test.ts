/** Blocklist links and the lists they serve. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { EscalationType } from '../../../src/model/detect/watchlist.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { type Answer, type TestServer, type TestUser, testServer } from '../../harness/server/test-server.ts';
import { stixFaults } from '../../product/export/stix-rules.ts';

interface Blocking {
  readonly server: TestServer;
  readonly user: TestUser;
  /** Escalates new domains. */
  block(domains: readonly string[], type?: EscalationType): Promise<void>;
  links(): Promise<Readonly<Record<string, string>>>;
  open(link: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

async function blocking(t: TestContext, settings: Record<string, string> = {}): Promise<Blocking> {
  const server = await testServer(t, { settings });
  const user = await server.user({ permissions: ['read', 'manage'] });
  const { id: accountId } = user.caller.account;
  const monitorId = await watchTerm(server.monitors, accountId, server.clock.now());
  return {
    server,
    user,
    block: async (domains, type = 'blocked') => {
      const atMs = server.clock.now();
      const ids = await discover(server.watchlist, { accountId, monitorId, domains, atMs });
      const chosen = domains.map((domain) => ids.get(domain) as string);
      const { outcome } = await server.escalations.escalateDomains(accountId, chosen, type, {
        username: 'alice',
        atMs,
      });
      assert.equal(outcome, 'escalated');
    },
    links: async () => linksOf(await server.call('GET /v1/intel-detect/blocklists/', { key: user.key })),
    open: (link, headers = {}) => server.call(`GET ${pathOf(link)}`, { headers }),
  };
}

function linksOf(answer: Answer): Record<string, string> {
  assert.equal(answer.status, 200, answer.text);
  const { blocklists } = answer.json as { blocklists: { format: string; url: string }[] };
  return Object.fromEntries(blocklists.map(({ format, url }) => [format, url]));
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

const plain = async (world: Blocking) => world.open((await world.links())['plain'] ?? '');

test('the list of blocklists gives a link for each format, which opens without a key', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme-login.example', 'acme.top']);
  const links = await blocked.links();
  assert.deepEqual(Object.keys(links), ['rpz', 'hosts', 'plain', 'suricata', 'zeek', 'stix']);
  for (const [format, link] of Object.entries(links)) {
    assert.ok(link.startsWith('http://127.0.0.1:8080/blocklists/'), link);
    const answer = await blocked.open(link);
    assert.equal(answer.status, 200);
    const type = format === 'stix' ? 'application/stix+json;version=2.1' : 'text/plain; charset=utf-8';
    assert.equal(answer.headers['content-type'], type);
    assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="blocked\.[a-z.]+"$/);
  }
  assert.equal((await plain(blocked)).text, 'acme-login.example\nacme.top\n');
});

test('ESC-02 a blocklist contains domains escalated as blocked, and not those escalated as external_safe', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  await blocked.block(['acme.shop'], 'external_safe');
  assert.equal((await plain(blocked)).text, 'acme.top\n');
});

test('an account without blocked names has empty lists', async (t) => {
  const blocked = await blocking(t);
  const texts = await Promise.all(
    Object.values(await blocked.links()).map(
      async (link) => (await blocked.open(link)).text.split('\n').length,
    ),
  );
  assert.deepEqual(texts, [4, 2, 1, 1, 2, 5]);
});

test('an account sees only its own names', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  const otherUser = await blocked.server.user();
  const answer = await blocked.server.call('GET /v1/intel-detect/blocklists/', { key: otherUser.key });
  assert.equal((await blocked.open(linksOf(answer)['plain'] ?? '')).text, '');
});

test('a list longer than one read batch is complete, ordered and without duplicates', async (t) => {
  const blocked = await blocking(t);
  const names = Array.from(
    { length: 2500 },
    (_, number) => `acme-${String(number).padStart(5, '0')}.example`,
  );
  await blocked.block(names);
  assert.equal((await plain(blocked)).text, `${names.join('\n')}\n`);
});

test('any modified link returns 403, and so does one without a signature', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  const { plain: link = '', rpz = '' } = await blocked.links();
  const path = pathOf(link);
  for (let index = '/blocklists'.length; index < path.length; index += 1) {
    const other = path[index] === 'a' ? 'b' : 'a';
    const altered = path.slice(0, index) + other + path.slice(index + 1);
    const { status } = await blocked.server.call(`GET ${altered}`);
    assert.ok(status === 403 || (index === '/blocklists'.length && status === 404), altered);
  }
  const signature = new URL(rpz).search;
  const bad = [path.split('?')[0], `${path}&x=1`, `${path}${signature}`, new URL(link).pathname + signature];
  for (const altered of [...bad, '/blocklists/', '/blocklists', path.replace('blocked', '%62locked')]) {
    const answer = await blocked.server.call(`GET ${altered}`);
    assert.equal(answer.status, 403, altered);
    assert.match(answer.text, /<Code>SignatureDoesNotMatch<\/Code>/);
  }
});

test('renewed links work, and earlier ones stop working', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  const { plain: before = '' } = await blocked.links();
  const { key } = blocked.user;
  const { plain: after = '' } = linksOf(
    await blocked.server.call('POST /v1/intel-detect/blocklists/renew/', { key }),
  );
  assert.equal((await blocked.open(after)).text, 'acme.top\n');
  const dead = await blocked.open(before);
  assert.equal(dead.status, 403);
  assert.match(dead.text, /<Code>AccessDenied<\/Code>/);
  assert.deepEqual((await blocked.links())['plain'], after);
});

test('a read-only user cannot renew links', async (t) => {
  const blocked = await blocking(t);
  const { key } = await blocked.server.user();
  const answer = await blocked.server.call('POST /v1/intel-detect/blocklists/renew/', { key });
  assert.equal(answer.status, 403);
});

test('links of an account that is inactive or may no longer escalate stop working', async (t) => {
  const author = { actor: 'operator', atMs: 0 };
  for (const change of [
    ({ server, user }: Blocking) => server.accounts.setAccountActive(user.username, false, author),
    ({ server, user }: Blocking) =>
      server.accounts.withdraw(user.username, ['intel-detect-escalate-domains'], author),
  ]) {
    const blocked = await blocking(t);
    const { plain: link = '' } = await blocked.links();
    assert.equal((await blocked.open(link)).status, 200);
    await change(blocked);
    assert.equal((await blocked.open(link)).status, 403);
  }
});

test('a client with a cached list gets 304 until the list changes', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  const { rpz = '' } = await blocked.links();
  const { etag = '' } = (await blocked.open(rpz)).headers;
  for (const condition of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const answer = await blocked.open(rpz, { 'if-none-match': condition });
    assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', etag]);
  }
  assert.equal((await blocked.open(rpz, { 'if-none-match': '"other"' })).status, 200);
  await blocked.block(['acme.shop']);
  const changed = await blocked.open(rpz, { 'if-none-match': etag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers['etag'], etag);
});

test('a list is compressed for clients that accept gzip, and HEAD returns its headers', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme.top']);
  const { plain: link = '' } = await blocked.links();
  const compressed = await blocked.open(link, { 'accept-encoding': 'gzip' });
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(compressed.bytes).toString(), 'acme.top\n');
  const head = await blocked.server.call(`HEAD ${pathOf(link)}`);
  assert.deepEqual([head.status, head.text, head.headers['etag']], [200, '', compressed.headers['etag']]);
});

test('links start with detect.blocklistUrl when it is set, and no signature is logged', async (t) => {
  const blocked = await blocking(t, {
    'detect.blocklistUrl': 'https://lists.example',
    'http.mountPrefix': '/ng',
  });
  const { plain: link = '' } = await blocked.links();
  assert.ok(link.startsWith('https://lists.example/ng/blocklists/'), link);
  assert.equal((await blocked.open(link)).status, 200);
  assert.ok(!blocked.server.log().includes(new URL(link).searchParams.get('Signature') as string));
});

test('listing the links does not count against the escalation limit', async (t) => {
  const blocked = await blocking(t, { 'limits.detect.escalationsPerMinute': '1' });
  await blocked.links();
  await blocked.links();
});

test('the link of a blocklist as STIX gives a bundle that says whose list it is', async (t) => {
  const blocked = await blocking(t);
  await blocked.block(['acme-login.example', 'acme.top']);
  const answer = await blocked.open((await blocked.links())['stix'] ?? '');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['content-type'], 'application/stix+json;version=2.1');
  assert.match(answer.headers['content-disposition'] ?? '', /filename="blocked\.stix\.json"/);
  assert.deepEqual(stixFaults(answer.json), []);
  const { objects } = answer.json as { objects: { type: string; name?: string }[] };
  const namesOf = (type: string) => objects.filter((one) => one.type === type).map(({ name }) => name);
  assert.deepEqual(namesOf('identity'), [blocked.user.caller.account.name]);
  assert.deepEqual(namesOf('indicator'), ['acme-login.example', 'acme.top']);
});
