/** The requests of the vendor's command line 2.7.2, byte for byte: most of them twice, with `format` and without. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '../../api/detect/detect-fixture.ts';
import type { RawResponse } from '../../harness/server/raw-connection.ts';
import { clientWorld, replayer } from './client-world.ts';

const world = await clientWorld({ after });
const replay = replayer(world, 'vendor-cli.http');

function read(response: RawResponse): Json {
  assert.equal(response.status, 200, response.text);
  return JSON.parse(response.text);
}

/** Both times the question is asked, and both responses must be the same. */
async function twice(name: string): Promise<Json> {
  const written = read(await replay(`${name} with format`));
  const printed = read(await replay(name));
  assert.deepEqual(printed, written);
  return printed;
}

test('the account is asked for twice', async () => {
  assert.equal((await twice('account')).response.account.api_username, 'alice');
});

test('Enrich is asked twice', async () => {
  assert.equal((await twice('enrich')).response.results_count, 2);
});

for (const [name, found] of [
  ['monitors', ({ monitors }: Json) => monitors.map(({ term }: Json) => term)],
  ['new domains', ({ watchlist_domains: domains }: Json) => domains.map(({ state }: Json) => state)],
  ['watched domains', ({ watchlist_domains: domains }: Json) => domains],
] as const) {
  test(`${name}: of the one question an hour, both times are answered, and the next is refused`, async () => {
    const expected = { monitors: ['acme'], 'new domains': ['new', 'new', 'new'], 'watched domains': [] };
    assert.deepEqual(found(await twice(name)), expected[name]);
    const refused = await replay(`${name} with format`);
    assert.equal(refused.status, 503);
    assert.match(JSON.parse(refused.text).error.message, /^You have exceeded the maximum number of requests/);
  });
}

test('a triage that is sent twice has its effect once', async () => {
  const { watchlist_domains: domains } = await twice('triage');
  assert.deepEqual(
    domains.map(({ domain, state }: Json) => [domain, state]),
    [['acme-1.example', 'watched']],
  );
});

test('ESC-16 an escalation that is sent twice is recorded once, and the second time is refused', async () => {
  assert.equal(read(await replay('escalate with format')).escalations.length, 1);
  const again = await replay('escalate');
  assert.equal(again.status, 422);
  const listed = await world.server.call('GET /v1/intel-detect/escalations/', { key: world.user.key });
  assert.equal(listed.json.count, 1);
});

test('feeds are polled once, as lines of JSON or as CSV', async () => {
  const lines = (await replay('feed')).text.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).domain),
    ['a.example', 'b.example'],
  );
  const table = (await replay('feed as CSV')).text.trimEnd().split(/\r?\n/);
  assert.deepEqual([table[0], table.length], ['timestamp,domain', 3]);
});
