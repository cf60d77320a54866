/**
 * A process that fills a watchlist round by round, and tells of each round when it is durable; started again, it repeats the round
 * in which it died. Told to delete, it removes its monitor and tells how many domains are left meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openWatchlistStore } from '../../src/store/embedded/watchlist-store.ts';
import { facts, WatchlistWorld } from './watchlist-world.ts';

const [directory = '', task] = process.argv.slice(2);
const store = openWatchlistStore(directory);
const world = new WatchlistWorld(store, 'account');
const by = (round: number) => ({ username: 'worker', atMs: round });
const monitor = (await world.monitors()).monitors[0] ?? (await world.monitor());

if (task === 'delete') {
  void store.deleteMonitor('account', monitor.id);
  while (await store.findMonitor('account', monitor.id)) await pause(1);
  for (;;) process.stdout.write(`${(await world.list('new', { limit: 1 })).total}\n`);
}

/** Found, told and decided in the same way whenever a round is repeated. */
for (let round = (await store.newsPlace()) + 1; ; round += 1) {
  const names = Array.from({ length: 40 }, (_, index) => `r${round}n${index}.example`);
  await store.discover(names.map((name) => world.discovery(name, [monitor], { discoveredMs: round })));
  const [first, second] = await Promise.all([
    world.find(`r${round}n0.example`),
    world.find(`r${round}n1.example`),
  ]);
  await store.escalate('account', [first.id, second.id], 'blocked', by(round));
  const changed = { atMs: round, fields: ['mx'] };
  const news = names.map((domain) => ({ domain, facts: { ...facts, riskStatus: 'full' as const }, changed }));
  await store.takeNews(news, { from: round - 1, to: round }, round);
  process.stdout.write(`${round}\n`);
}
