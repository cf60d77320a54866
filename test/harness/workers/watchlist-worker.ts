/**
 * A process that fills a watchlist round by round, and reports each durable round; restarted, it repeats the
 * interrupted round. With the argument `delete` it removes its monitor and prints how many domains are left
 * meanwhile; with `decide` and `undo` it blocks all new domains in pieces, or undoes that, and prints how many are blocked meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { facts, WatchlistFixture } from '../fixtures/watchlist-fixture.ts';

const [directory = '', task] = process.argv.slice(2);
const stores = openDetectStores(directory);
const world = new WatchlistFixture(stores, 'account');
const by = (round: number) => ({ username: 'worker', atMs: round });
const monitor = (await world.listMonitors()).monitors[0] ?? (await world.monitor());

if (task === 'delete') {
  void stores.monitors.deleteMonitor('account', monitor.id);
  while (await stores.monitors.findMonitor('account', monitor.id)) await pause(1);
  for (;;) process.stdout.write(`${(await world.list('new', { limit: 1 })).total}\n`);
}

if (task === 'decide' || task === 'undo') {
  const [decision] = await stores.decisions.listDecisions('account', { limit: 1 });
  const actor = { username: task, atMs: 1 };
  if (task === 'undo') {
    const options = { skipConflicts: false, pieceDomains: 20 };
    void stores.decisions.undoDecision('account', decision?.id ?? '', options, actor);
  } else {
    const { total: count } = await world.list('new', { limit: 1 });
    const bulk = { target: 'blocked', pieceDomains: 20, count } as const;
    void stores.decisions.decideMatching('account', { list: 'new' }, bulk, actor);
  }
  const blocked = async () => (await stores.escalations.listBlockedDomains('account', '', 1_000_000)).length;
  const before = await blocked();
  for (;;) {
    const now = await blocked();
    if (now !== before) process.stdout.write(`${now}\n`);
    await pause(1);
  }
}

/** A repeated round discovers, publishes and triages the same domains. */
for (let round = Number(await stores.watchlist.recordChangesCheckpoint()) + 1; ; round += 1) {
  const names = Array.from({ length: 40 }, (_, index) => `r${round}n${index}.example`);
  await stores.watchlist.addDiscoveries(
    names.map((name) => world.discovery(name, [monitor], { discoveredMs: round })),
  );
  const [first, second] = await Promise.all([
    world.find(`r${round}n0.example`),
    world.find(`r${round}n1.example`),
  ]);
  await stores.escalations.escalateDomains('account', [first.id, second.id], 'blocked', by(round));
  const changed = { atMs: round, fields: ['mx'] };
  const changes = names.map((domain) => ({
    domain,
    facts: { ...facts, riskStatus: 'full' as const },
    changed,
  }));
  await stores.watchlist.applyRecordChanges(changes, { from: String(round - 1), to: String(round) }, round);
  process.stdout.write(`${round}\n`);
}
