/** The report of a period. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after }, { settings: { 'web.pagesPerMinute': '10000' } });
const day = '2026-03-04';

async function newAccount() {
  server.clock.set(`${day}T10:00:00Z`);
  const { account } = (await server.user({ permissions: ['admin'] })).caller;
  const me = await webSession(server, { account: account.name, permissions: ['triage', 'escalate'] });
  const monitorId = await watchTerm(server.monitors, account.id, server.clock.now());
  const find = async (...domains: readonly string[]) => {
    const given = { accountId: account.id, monitorId, domains, atMs: server.clock.now() };
    const ids = await discover(server.watchlist, given);
    return domains.map((domain) => ids.get(domain));
  };
  return { me, monitorId, find };
}

test('a report counts what was found, decided and blocked, with the medians in hours', async () => {
  const { me, monitorId, find } = await newAccount();
  const [a, b, c] = await find('a.example', 'b.example', 'c.example', 'd.example');
  server.clock.advanceSeconds(3600);
  await me.call('POST /detect/decisions', { body: { ids: [a], to: 'ignored' } });
  server.clock.advanceSeconds(2 * 3600);
  await me.call('POST /detect/decisions', { body: { ids: [b, c], to: 'blocked' } });
  const { json, status } = await me.call(`GET /report?monitor=${monitorId}&from=2026-03-01&to=2026-04-01`);
  assert.equal(status, 200);
  assert.deepEqual([json.found, json.decided, json.blocked, json.open], [4, 3, 2, 1]);
  assert.deepEqual([json.median_hours_to_decision, json.median_hours_to_block], [3, 3]);
  assert.equal(json.days.length, 31);
  assert.deepEqual(json.days[3], { at: day, found: 4, decided: 3, blocked: 2 });
  assert.deepEqual(json.tlds, [{ value: 'example', domains: 4 }]);
  assert.deepEqual(json.blocked_domains.map(({ domain }: { domain: string }) => domain).sort(), [
    'b.example',
    'c.example',
  ]);
});

test('networks are counted by the records of what was found', async () => {
  const { me, find } = await newAccount();
  const ip = ['192.0.2.1', '192.0.2.2'].map((address) => ({ address, isp: 'Velt Hosting' }));
  const seenMs = server.clock.now();
  await server.domains.upsert([{ record: { domain: 'n.example', ip }, source: 'dns', seenMs }]);
  await find('n.example', 'other.example');
  const { json } = await me.call('GET /report');
  assert.deepEqual([json.networks, json.networks_of], [[{ value: 'Velt Hosting', domains: 1 }], 2]);
});

test('without days it is about the last 30, today included', async () => {
  const { me } = await newAccount();
  const { json } = await me.call('GET /report');
  assert.deepEqual([json.from, json.to, json.days.length], ['2026-02-03', '2026-03-05', 30]);
});

for (const [query, field] of [
  ['from=2026-13-01', 'from'],
  ['to=yesterday', 'to'],
  ['from=2026-03-02&to=2026-03-02', 'from'],
  ['from=2020-01-01&to=2026-01-01', 'from'],
])
  test(`a report of ${query} is refused and names ${field}`, async () => {
    const { me } = await newAccount();
    const { status, json } = await me.call(`GET /report?${query}`);
    assert.equal(status, 422);
    assert.ok(json.error.fields[field as string]);
  });

test('a monitor of another account is unknown', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  assert.equal((await one.me.call(`GET /report?monitor=${other.monitorId}`)).status, 404);
});
