/** Processes that are killed: each domain is there once, events and state agree, and what was confirmed is not lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { WatchlistDomain } from '../../../src/model/detect/watchlist.ts';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/watchlist-worker.ts');

/** Kills the worker some time after it first said something, and gives the last number that it said. */
async function killAfter(directory: string, task: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [worker, directory, task], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(out.split('\n').at(-2));
}

async function allDomains(world: WatchlistFixture): Promise<readonly WatchlistDomain[]> {
  const all: WatchlistDomain[] = [];
  for (const state of ['new', 'watched'] as const) {
    for (let offset = 0; ; offset += 500) {
      const { domains, total } = await world.list(state, { offset, limit: 500 });
      all.push(...domains);
      if (offset + 500 >= total) break;
    }
  }
  return all;
}

/** Whatever was under way, nothing stands half done. */
async function check(world: WatchlistFixture, confirmed: number): Promise<void> {
  const place = Number(await world.watchlist.recordChangesCheckpoint());
  assert.ok(place >= confirmed, `round ${confirmed} was confirmed`);
  const domains = await allDomains(world);
  const names = domains.map(({ domain }) => domain);
  assert.equal(new Set(names).size, names.length, 'each domain is there once');
  const events = await world.events.listEvents('account', { afterId: 0, limit: 1_000_000 });
  const eventsOf = (kind: string) =>
    events
      .filter((event) => event.kind === kind)
      .map(({ domain }) => domain)
      .sort();
  const having = (holds: (domain: WatchlistDomain) => boolean) =>
    domains
      .filter(holds)
      .map(({ domain }) => domain)
      .sort();
  assert.deepEqual(eventsOf('discovered'), names.toSorted());
  assert.deepEqual(
    eventsOf('escalated'),
    having(({ escalations }) => escalations.length > 0),
  );
  assert.deepEqual(
    eventsOf('changed'),
    having(({ state, changedMs }) => state === 'watched' && changedMs !== undefined),
  );
  assert.deepEqual(
    eventsOf('risk-full'),
    having(({ riskStatus }) => riskStatus === 'full'),
  );
  const blocked = await world.escalations.listBlockedDomains('account', '', 1_000_000);
  assert.deepEqual(
    blocked.map(({ domain }) => domain),
    having(({ state }) => state === 'watched'),
  );
  assert.equal(domains.filter(({ changedMs }) => changedMs !== undefined).length, 40 * place);
}

test('a process killed at random leaves each domain once, with events that agree', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 5; round += 1) {
    const confirmed = await killAfter(directory, 'fill', (round * 17) % 60);
    const stores = openDetectStores(directory);
    await check(new WatchlistFixture(stores, 'account'), confirmed);
    await stores.close();
  }
});

test('a monitor whose deletion was interrupted is gone, and the next process that opens the store removes the rest', async (t) => {
  const directory = temporaryDirectory(t);
  const before = openDetectStores(directory);
  const filling = new WatchlistFixture(before, 'account');
  const [gone, staying] = [await filling.monitor({ term: 'a' }), await filling.monitor({ term: 'b' })];
  const names = Array.from({ length: 4000 }, (_, index) => `n${index}.example`);
  await filling.watchlist.addDiscoveries(
    names.map((name, index) => filling.discovery(name, index % 100 === 0 ? [gone, staying] : [gone])),
  );
  await before.close();
  await killAfter(directory, 'delete', 0);
  const after = openDetectStores(directory);
  t.after(() => after.close());
  const world = new WatchlistFixture(after, 'account');
  assert.deepEqual(
    (await world.listMonitors()).monitors.map(({ term }) => term),
    ['b'],
  );
  while ((await world.list('new', { limit: 1 })).total > 40) await pause(1);
  const { total, domains } = await world.list('new');
  assert.deepEqual([total, domains.every(({ monitorIds }) => monitorIds[0] === staying.id)], [40, true]);
});

test('a decision about many domains that is killed has decided each domain once, and the log has exactly those', async (t) => {
  const directory = temporaryDirectory(t);
  const before = openDetectStores(directory);
  const filling = new WatchlistFixture(before, 'account');
  const monitor = await filling.monitor();
  const names = Array.from({ length: 2000 }, (_, index) => `n${index}.example`);
  await before.watchlist.addDiscoveries(names.map((name) => filling.discovery(name, [monitor])));
  await before.close();
  /** Whatever was under way, log, lists, blocklist and events agree. Returns how many are blocked. */
  const agree = async () => {
    const stores = openDetectStores(directory);
    const blocked = (await stores.escalations.listBlockedDomains('account', '', 1_000_000)).map(
      ({ domain }) => domain,
    );
    const { lists } = await stores.triage.countLists('account', { fromMs: 0, days: 1 });
    assert.deepEqual(
      [lists.watched, lists.blocked, lists.new],
      [blocked.length, blocked.length, 2000 - blocked.length],
    );
    const all = await stores.events.listAllEvents('account', { afterId: 0, limit: 1_000_000 });
    const count = new Map<string, number>();
    for (const event of all) {
      const ids = 'decisionId' in event ? event.domainIds : [];
      const step = event.kind === 'decided' ? 1 : -1;
      for (const id of ids) count.set(id, (count.get(id) ?? 0) + step);
    }
    const decided = [...count].filter(([, times]) => times !== 0);
    assert.deepEqual([decided.length, decided.every(([, times]) => times === 1)], [blocked.length, true]);
    const world = new WatchlistFixture(stores, 'account');
    assert.deepEqual(
      blocked,
      (await allDomains(world))
        .filter(({ state }) => state === 'watched')
        .map(({ domain }) => domain)
        .sort(),
    );
    await stores.close();
    return blocked.length;
  };
  await killAfter(directory, 'decide', 5);
  const decided = await agree();
  assert.ok(decided > 0 && decided < 2000, `${decided} were decided when it was killed`);
  const logged = openDetectStores(directory);
  const [decision] = await logged.decisions.listDecisions('account', { limit: 9 });
  assert.deepEqual([decision?.by, decision?.domains, decision?.canUndo], ['decide', decided, true]);
  await logged.close();
  await killAfter(directory, 'undo', 1);
  await agree();
  const last = openDetectStores(directory);
  const options = { skipConflicts: false, pieceDomains: 250 };
  await last.decisions.undoDecision('account', decision?.id ?? '', options, { username: 'ann', atMs: 2 });
  await last.close();
  assert.equal(await agree(), 0);
});
