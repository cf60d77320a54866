/** Workers die, or are cut off, while sources, collectors and scoring run: what they publish is there once, in order. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../../world/world.ts';
import { clusterTests } from '../harness/cluster/cluster-tests.ts';
import { type ClusterUser, newUser } from '../harness/cluster/cluster-users.ts';
import { NameDrop } from '../harness/cluster/name-drop.ts';
import { partitionOf } from '../harness/cluster/partition.ts';
import { smallWorld } from '../harness/cluster/small-world.ts';
import { type Cluster, partitionedAddress } from '../harness/cluster/start-cluster.ts';
import { TailClient } from '../harness/cluster/tail-client.ts';
import { until } from '../harness/server/world-server.ts';

const kills = Number(process.env['CLUSTER_KILLS'] ?? 20);
/** A lease of 40 seconds, and another worker that asks for it every 10; then the work itself, on a busy machine. */
const takeOverMs = 60_000;
const data: { world?: World; drop?: NameDrop; user?: ClusterUser } = {};

const clusterTest = clusterTests(async (scope) => {
  data.drop = new NameDrop(scope);
  data.world = await smallWorld(scope);
  return {
    isPartitionable: true,
    settings: {
      ...data.world.settings,
      ...data.drop.settings,
      'sources.passiveDns': 'false',
      'collect.collectors': 'dns',
      'risk.fullAfterSeconds': '0',
    },
  };
});

interface FeedLine {
  readonly domain: string;
  readonly timestamp: string;
}

async function readFeed(user: ClusterUser, feed: string): Promise<readonly FeedLine[]> {
  const { status, text } = await user.ask(`/v1/feed/${feed}/?after=-86400`);
  assert.equal(status, 200, text);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FeedLine);
}

/** Resolves when all of these were published. */
async function untilPublished(user: ClusterUser, names: readonly string[], withinMs: number): Promise<void> {
  await until(
    `${names.length} names on the feed`,
    async () => {
      const published = new Set((await readFeed(user, 'domaindiscovery')).map(({ domain }) => domain));
      return names.every((name) => published.has(name)) || undefined;
    },
    500,
    withinMs,
  );
}

/** Each name once, in the order of time, and nothing is left that is still to be published. */
async function assertExactlyOnce({ primary }: Cluster, user: ClusterUser, names: readonly string[]) {
  const lines = await readFeed(user, 'domaindiscovery');
  const published = lines.map(({ domain }) => domain);
  assert.equal(new Set(published).size, published.length, 'no line is there twice');
  const known = new Set(published);
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
    'no line is lost',
  );
  const times = lines.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, times.toSorted());
  const [marks] = await primary.run(`select
    (select value from nameglass.producer_mark where producer = 'discoveries')::bigint as mark,
    (select count(*) from nameglass.unpublished_name) as unpublished,
    (select end_line from nameglass.stream where name = 'feed-domaindiscovery') as lines`);
  assert.equal(Number(marks?.['unpublished']), 0);
  return { lines: lines.length, mark: marks?.['mark'] };
}

clusterTest(
  `${kills} times a worker is killed: every line is published once, in order, and no score twice`,
  async (cluster, t) => {
    const [world, drop] = [data.world as World, data.drop as NameDrop];
    const user = (data.user = await newUser(cluster, '--permissions', 'read,manage'));
    const tail = new TailClient(cluster.client, '/v1/feed/domaindiscovery/tail/?after=-86400', user.key);
    t.after(() => tail.close());
    const registered: string[] = [];
    drop.drop(500);
    for (let kill = 0; kill < kills; kill += 1) {
      drop.drop(20);
      const brand = world.brands[kill % world.brands.length] as string;
      if (kill % 2 === 0) registered.push((await world.registerLookalike(brand)).name);
      await pause(200 + Math.random() * 1000);
      const worker = cluster.workers[Math.random() < 0.5 ? 0 : 1];
      await worker.kill();
      await worker.start();
    }
    for (const name of registered.slice(0, 3)) await world.report(name);
    const names = [...drop.dropped, ...registered];
    const beganMs = performance.now();
    await untilPublished(user, names, 2 * takeOverMs);
    const settledMs = Math.round(performance.now() - beganMs);
    const { lines } = await assertExactlyOnce(cluster, user, names);
    await tail.until(lines);
    assert.deepEqual(
      tail.lines.map((line) => (JSON.parse(line) as FeedLine).domain),
      (await readFeed(user, 'domaindiscovery')).map(({ domain }) => domain),
    );
    const risky = await assertScores(user, registered);
    t.diagnostic(`${lines} lines, all there ${settledMs} ms after kill ${kills}; ${risky} lines of scores`);
  },
);

/** Every change of a score is one line. */
async function assertScores(user: ClusterUser, registered: readonly string[]): Promise<number> {
  await until(
    'scores of the lookalikes',
    async () => {
      const scored = new Set((await readFeed(user, 'domainrisk')).map(({ domain }) => domain));
      return registered.some((name) => scored.has(name)) || undefined;
    },
    1000,
  );
  const lines = await readFeed(user, 'domainrisk');
  const last = new Map<string, string>();
  for (const { timestamp: _, ...line } of lines) {
    assert.notEqual(last.get(line.domain), JSON.stringify(line), `${line.domain} has the same line twice`);
    last.set(line.domain, JSON.stringify(line));
  }
  return lines.length;
}

clusterTest(
  'a worker that is cut off loses its leases to another within a minute, and does nothing twice when it is back',
  async (cluster, t) => {
    const drop = data.drop as NameDrop;
    const user = data.user ?? (await newUser(cluster, '--permissions', 'read'));
    const partition = partitionOf(t, partitionedAddress);
    if (!partition) return;
    const [first, second] = cluster.workers;
    await first.kill();
    await untilPublished(user, drop.drop(50), 2 * takeOverMs);
    await first.start();
    partition.cut();
    const cutMs = performance.now();
    const names = drop.drop(200);
    await pause(5000);
    const isReady = await second.isReady();
    await untilPublished(user, names, takeOverMs + 30_000);
    const takenMs = Math.round(performance.now() - cutMs);
    partition.heal();
    const readyMs = await second.untilReady();
    const more = drop.drop(50);
    await untilPublished(user, more, takeOverMs);
    // By now the worker that was cut off has met its lost leases, and tried what it had begun.
    await pause(15_000);
    await untilPublished(user, drop.drop(50), takeOverMs);
    const { lines } = await assertExactlyOnce(cluster, user, drop.dropped);
    t.diagnostic(`taken over ${takenMs} ms after the cut; ready again in ${readyMs} ms; ${lines} lines`);
    assert.equal(isReady, false, 'who cannot reach the database is not ready');
    assert.ok(takenMs < takeOverMs + 15_000, `${takenMs} ms`);
  },
);
