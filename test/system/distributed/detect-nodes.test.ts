/** What several nodes show that change the watchlists of one database at once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lockAccounts } from '../../../src/store/distributed/detect/account-lock.ts';
import { appendDecisionEvent } from '../../../src/store/distributed/detect/event-log.ts';
import type { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import { detectNodesOn } from '../../harness/engines/detect-nodes.ts';
import { type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
let started: Promise<PostgresServer | undefined> | undefined;

/** Two nodes, each with the same account. Undefined if the test is skipped. */
async function twoNodes(t: TestContext) {
  started ??= startPostgres(scope);
  const server = await started;
  if (!server) {
    t.skip('skipped: no PostgreSQL');
    return undefined;
  }
  const open = detectNodesOn(server, t);
  const [one, other] = [open(), open()];
  return {
    one: new WatchlistFixture(one.stores, 'team'),
    other: new WatchlistFixture(other.stores, 'team'),
    database: one.database,
    stores: one.stores,
  };
}

const numbered = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.example`);

/** Until a connection waits for a lock of another. */
async function untilBlocked(database: PostgresDatabase): Promise<void> {
  for (;;) {
    const waiting = await database.read(
      (sql) =>
        sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%account_lock%'`,
    );
    if (waiting.length > 0) return;
    await pause(10);
  }
}

test('a reader that follows the events of an account misses none that two nodes append at once', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const { one, other, database } = nodes;
  const monitor = await one.monitor();
  const followed: number[] = [];
  const follow = async () => {
    const page = await other.events.listAllEvents('team', { afterId: followed.at(-1) ?? 0, limit: 10 });
    followed.push(...page.map(({ id }) => id));
  };
  let discovering: Promise<unknown> | undefined;
  await database.write(async (sql) => {
    await lockAccounts(sql, ['team']);
    const detail = { decisionId: 'd', by: 'ann', target: 'watched', domainIds: [] } as const;
    await appendDecisionEvent(sql, 'decided', { accountId: 'team', atMs: 1000 }, detail);
    discovering = other.discover('a.example', [monitor]);
    await Promise.race([discovering, untilBlocked(database)]);
    await follow();
  });
  await discovering;
  await follow();
  const all = await one.events.listAllEvents('team', { afterId: 0, limit: 10 });
  assert.deepEqual(
    [followed, all.map(({ kind }) => kind)],
    [all.map(({ id }) => id), ['decided', 'discovered']],
  );
});

test('a domain that two nodes escalate at once is escalated by one of them', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const names = numbered(20);
  const monitor = await nodes.one.monitor();
  await nodes.one.watchlist.addDiscoveries(names.map((name) => nodes.one.discovery(name, [monitor])));
  const ids = (await nodes.one.list('new')).domains.map(({ id }) => id);
  const by = { username: 'ann', atMs: 4000 };
  const outcomes = await Promise.all(
    ids.flatMap((id) =>
      [nodes.one, nodes.other].map((node) => node.escalations.escalateDomains('team', [id], 'blocked', by)),
    ),
  );
  const count = (outcome: string) => outcomes.filter((one) => one.outcome === outcome).length;
  assert.deepEqual([count('escalated'), count('already-escalated')], [20, 20]);
  assert.equal(await nodes.other.escalations.blocklistVersion('team'), 20);
});

test('nodes that add the same domains to the same accounts, in different orders, add each once', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const accounts = numbered(6).map((id) => new WatchlistFixture(nodes.stores, id));
  const monitors = await Promise.all(accounts.map((account) => account.monitor()));
  const discoveriesOf = (name: string) =>
    accounts.flatMap((account, index) => {
      const monitor = monitors[index];
      return monitor ? [account.discovery(name, [monitor])] : [];
    });
  const added = await Promise.all(
    numbered(20).flatMap((name) => [
      nodes.one.watchlist.addDiscoveries(discoveriesOf(name)),
      nodes.other.watchlist.addDiscoveries(discoveriesOf(name).toReversed()),
    ]),
  );
  const totals = await Promise.all(accounts.map(async (account) => (await account.list('new')).total));
  assert.deepEqual([added.flat().length, totals], [120, [20, 20, 20, 20, 20, 20]]);
});

test('record changes after one checkpoint are applied by one of two nodes', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const monitor = await nodes.one.monitor();
  await nodes.one.discover('a.example', [monitor]);
  await nodes.one.triage('a.example', 'watched');
  const change = { domain: 'a.example', facts, changed: { atMs: 5000, fields: ['mx'] } };
  const from = await nodes.one.watchlist.recordChangesCheckpoint();
  const applied = await Promise.all(
    [nodes.one, nodes.other].map((node) =>
      node.watchlist.applyRecordChanges([change], { from, to: '7' }, 5000),
    ),
  );
  assert.equal(applied.filter(Boolean).length, 1);
  assert.deepEqual(await nodes.other.listEvents(), ['discovered a.example', 'changed a.example']);
  assert.equal(await nodes.other.watchlist.recordChangesCheckpoint(), '7');
});

test('nodes that lease submissions at once lease each of them once', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const monitor = await nodes.one.monitor();
  for (const name of numbered(10)) {
    await nodes.one.discover(name, [monitor]);
    await nodes.one.escalate(name, 'external_safe');
  }
  const leased = await Promise.all(
    [nodes.one, nodes.other, nodes.one, nodes.other, nodes.one, nodes.other].map((node) =>
      node.escalations.leaseSubmissions(9, 9000, 10_000),
    ),
  );
  const names = leased.flat().map(({ domain }) => domain);
  assert.deepEqual([names.length, new Set(names).size], [10, 10]);
});

test('two nodes that lease subscriptions at once never lease the same one', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  for (const target of numbered(10))
    await nodes.one.events.createSubscription('team', {
      by: 'webhook',
      target: `https://${target}/`,
      events: ['discovered'],
      every: 'event',
      seed: 's',
      createdBy: 'ann',
      createdMs: 1000,
      nextMs: 1000,
    });
  await nodes.one.discover('a.example', [await nodes.one.monitor()]);
  const leased = await Promise.all(
    [nodes.one, nodes.other, nodes.one, nodes.other].map((node) =>
      node.events.leaseSubscriptions(3, 9000, 10_000),
    ),
  );
  leased.push(await nodes.one.events.leaseSubscriptions(10, 9000, 10_000));
  const ids = leased.flat().map(({ id }) => id);
  assert.deepEqual([ids.length, new Set(ids).size], [10, 10]);
});

test('a monitor of many domains is deleted with all of them, and its settings reach all of them', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const { one, other } = nodes;
  const monitor = await one.monitor();
  await one.watchlist.addDiscoveries(numbered(1100).map((name) => one.discovery(name, [monitor])));
  await other.monitors.updateMonitor('team', monitor.id, { textExclusions: ['n'] }, 3000);
  const excluded = (await one.list('new')).total;
  await one.monitors.updateMonitor('team', monitor.id, { textExclusions: [] }, 4000);
  assert.deepEqual([excluded, (await other.list('new')).total], [0, 1100]);
  const { removed } = (await other.monitors.deleteMonitor('team', monitor.id)) ?? {};
  assert.deepEqual([removed, (await one.list('new')).total], [1100, 0]);
});

test('what a node that died has begun is finished by the maintenance of another, if it finds it twice', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const { one, other, database } = nodes;
  const [deleted, changed, kept] = [await one.monitor(), await one.monitor(), await one.monitor()];
  await one.discover('deleted.example', [deleted]);
  await one.discover('changed.example', [changed]);
  for (const name of ['own.example', 'kept.example']) await one.discover(name, [kept]);
  // The intents, as the first transaction of each change leaves them.
  await database.read((sql) => sql`update monitor set deleted = true where id = ${deleted.id}`);
  await database.read(
    (sql) =>
      sql`update monitor set text_exclusions = '{changed}', updated_ms = 3000 where id = ${changed.id}`,
  );
  await database.read((sql) => sql`insert into own_domain (account_id, name) values ('team', 'own.example')`);
  await other.watchlist.pruneUnmatchedDomains(4000);
  // The one that began may be at it.
  const atFirst = (await other.list('new')).total;
  await other.watchlist.pruneUnmatchedDomains(64_000);
  assert.deepEqual([atFirst, await other.names('new')], [4, ['kept.example']]);
  const left = await database.read(
    (sql) => sql`select 1 from monitor where deleted or applied_ms < updated_ms`,
  );
  assert.equal(left.length, 0);
});

test('a domain that is found again while another node prunes it stays', async (t) => {
  const nodes = await twoNodes(t);
  if (!nodes) return;
  const { one, other, database } = nodes;
  const monitor = await one.monitor();
  for (const name of ['gone.example', 'found.example']) await one.discover(name, [monitor]);
  const { id } = await one.find('found.example');
  await one.monitors.deleteMonitor('team', monitor.id);
  await one.watchlist.pruneUnmatchedDomains(0);
  const again = await one.monitor();
  let pruning: Promise<void> | undefined;
  await database.write(async (sql) => {
    await lockAccounts(sql, ['team']);
    pruning = other.watchlist.pruneUnmatchedDomains(10 * 86_400_000);
    await untilBlocked(database);
    await sql`update watchlist_domain set matched = true, purge_ms = null where id = ${id}`;
  });
  await pruning;
  await one.discover('found.example', [again]);
  assert.equal((await one.find('found.example')).id, id);
  const rows = await database.read((sql) => sql`select name from watchlist_domain`);
  assert.deepEqual([...rows], [{ name: 'found.example' }]);
});
