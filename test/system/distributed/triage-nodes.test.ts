/** What several nodes show that decide, refresh blocklists and read collections of one database at once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { blockedSelection } from '../../../src/model/detect/blocklist/selection.ts';
import type { CollectionKey, SharedVersion } from '../../../src/store/detect/sharing-store.ts';
import { detectNodesOn } from '../../harness/engines/detect-nodes.ts';
import { type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { addDomains, facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const accountId = 'team';
const ann = { username: 'ann', atMs: 3000 };
const bob = { username: 'bob', atMs: 4000 };
const nowMs = 1_772_619_072_000;
const author = { title: 'A list', name: 'Acme', marking: 'amber' } as const;

const scope = fileScope();
let started: Promise<PostgresServer | undefined> | undefined;

/** Three nodes, each with the same account. Undefined if the test is skipped. */
async function threeNodes(t: TestContext): Promise<readonly WatchlistFixture[] | undefined> {
  started ??= startPostgres(scope);
  const server = await started;
  if (!server) {
    t.skip('skipped: no PostgreSQL');
    return undefined;
  }
  const open = detectNodesOn(server, t);
  return [open(), open(), open()].map(({ stores }) => new WatchlistFixture(stores, accountId));
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.example`);

/** Does it again and again, and once more after the work is over. */
async function whilst(work: Promise<unknown>, again: () => Promise<void>): Promise<void> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  for (let isLast = false; !isLast; ) {
    isLast = isOver;
    await again();
  }
  await ended;
}

test('versions of a blocklist that two nodes refresh at once rise, and are the same on every node', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [writer, one, other] = nodes as [WatchlistFixture, WatchlistFixture, WatchlistFixture];
  const names = numbered(30);
  await addDomains(writer, ...names);
  const block = async () => {
    for (const name of names) await writer.escalate(name, 'blocked');
  };
  const key = { accountId, selection: blockedSelection };
  const seen = new Map<number, readonly string[]>();
  const blocking = block();
  const refresh = async (node: WatchlistFixture) => {
    let last = 0;
    await whilst(blocking, async () => {
      await node.blocklists.refreshSelections(accountId, nowMs);
      const { serial = 0 } = (await node.blocklists.findSelection(key)) ?? {};
      assert.ok(serial >= last, 'a serial never falls');
      last = serial;
      const page = await node.blocklists.listNames(key, serial, { after: '', limit: 100 });
      const listed = page?.map(({ name }) => name) ?? [];
      assert.deepEqual(seen.get(serial) ?? listed, listed, 'a version never changes');
      seen.set(serial, listed);
    });
  };
  await Promise.all([refresh(one), refresh(other)]);
  const serials = [...seen.keys()].sort((a, b) => a - b);
  assert.deepEqual(seen.get(serials.at(-1) ?? 0), names.toSorted());
  const counts = serials.map((serial) => seen.get(serial)?.length ?? 0);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
});

test('a reader of a collection that two nodes refresh misses no version and gets none twice', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [one, other, reader] = nodes as [WatchlistFixture, WatchlistFixture, WatchlistFixture];
  const key: CollectionKey = { accountId, list: 'lookalikes-new' };
  const monitor = await one.monitor();
  const discover = async () => {
    for (const name of numbered(20)) {
      await one.discover(name, [monitor]);
      const changed = { domain: name, facts: { ...facts, riskScore: 50 }, changed: undefined };
      await one.applyChanges([changed]);
    }
  };
  const discovering = discover();
  const refresh = (node: WatchlistFixture) =>
    whilst(discovering, async () => {
      while (await node.sharing.isUnrefreshed(key)) await node.sharing.refreshCollection(key, author, nowMs);
    });
  const read: SharedVersion[] = [];
  const refreshing = Promise.all([refresh(one), refresh(other)]);
  await whilst(refreshing, async () => {
    for (let isMore = true; isMore; ) {
      const query = { after: read.at(-1)?.added ?? -1, limit: 3, versions: 'all' } as const;
      const page = await reader.sharing.listObjects(key, query);
      read.push(...page.versions);
      isMore = page.isMore;
    }
  });
  const all = await reader.sharing.listObjects(key, { after: -1, limit: 1000, versions: 'all' });
  assert.deepEqual(
    read.map(({ added, id }) => [added, id]),
    all.versions.map(({ added, id }) => [added, id]),
  );
  const isIndicator = ({ type }: SharedVersion) => type === 'indicator';
  assert.equal(new Set(all.versions.filter(isIndicator).map(({ id }) => id)).size, 20);
});

test('domains about which two nodes decide at once are decided by one of them, and the log has each once', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [one, other] = nodes as [WatchlistFixture, WatchlistFixture];
  const ids = await addDomains(one, ...numbered(30));
  const decide = (node: WatchlistFixture, by: typeof ann) =>
    node.decisions.decideDomains(accountId, ids, { target: 'watched', pieceDomains: 4 }, by);
  const outcomes = await Promise.all([decide(one, ann), decide(other, bob)]);
  const changed = outcomes.flatMap((outcome) => outcome.changed.map(({ id }) => id));
  assert.deepEqual(changed.toSorted(), ids.toSorted());
  const logged = await one.decisions.listDecisions(accountId, { limit: 10 });
  const counts = outcomes
    .filter((outcome) => outcome.decisionId !== undefined)
    .map((outcome) => outcome.changed.length);
  assert.deepEqual(
    logged.map(({ domains }) => domains).toSorted((a, b) => a - b),
    counts.toSorted((a, b) => a - b),
  );
});

test('a decision that two nodes undo at once is undone once for each domain', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [one, other] = nodes as [WatchlistFixture, WatchlistFixture];
  const ids = await addDomains(one, ...numbered(20));
  const decision = { target: 'blocked', pieceDomains: 50 } as const;
  const { decisionId = '' } = await one.decisions.decideDomains(accountId, ids, decision, ann);
  const options = { skipConflicts: false, pieceDomains: 3 };
  const outcomes = await Promise.all(
    [one, other].map((node) => node.decisions.undoDecision(accountId, decisionId, options, bob)),
  );
  const changed = outcomes.flatMap((outcome) => (outcome.outcome === 'undone' ? outcome.changed : []));
  assert.deepEqual(changed.map(({ id }) => id).toSorted(), ids.toSorted());
  const events = await one.events.listAllEvents(accountId, { afterId: 0, limit: 1000 });
  assert.equal(events.filter(({ kind }) => kind === 'withdrawn').length, 20);
});

test('a submission that one node undoes and another leases is either withdrawn or sent, never both', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [one, other] = nodes as [WatchlistFixture, WatchlistFixture];
  const ids = await addDomains(one, ...numbered(20));
  const decision = { target: 'external_safe', pieceDomains: 50 } as const;
  const { decisionId = '' } = await one.decisions.decideDomains(accountId, ids, decision, ann);
  const lease = async () => {
    const leased: string[] = [];
    for (let count = 0; count < 20; count += 1)
      for (const { domainId } of await other.escalations.leaseSubmissions(1, nowMs, nowMs + 60_000))
        leased.push(domainId);
    return leased;
  };
  const [leased, undone] = await Promise.all([
    lease(),
    one.decisions.undoDecision(accountId, decisionId, { skipConflicts: false, pieceDomains: 1 }, bob),
  ]);
  assert.ok(undone.outcome === 'undone');
  assert.deepEqual(undone.kept.map(({ id }) => id).toSorted(), leased.toSorted());
  assert.equal(undone.changed.length + leased.length, 20);
});

test('a list that was begun on one node is read on by another as it was then', async (t) => {
  const nodes = await threeNodes(t);
  if (!nodes) return;
  const [one, other] = nodes as [WatchlistFixture, WatchlistFixture];
  const names = numbered(9);
  await addDomains(one, ...names);
  const page = (node: WatchlistFixture, offset: number) =>
    node.triageList({ list: 'new' }, { sort: 'name', offset, limit: 3 });
  const first = await page(one, 0);
  for (const { domain } of first.domains) await one.triage(domain, 'watched');
  await one.discover('a.example', [await one.monitor()]);
  const rest = [...(await page(other, 3)).domains, ...(await page(other, 6)).domains];
  assert.deepEqual(
    [...first.domains, ...rest].map(({ domain }) => domain),
    names,
  );
  assert.equal((await page(other, 3)).total, 9);
});
