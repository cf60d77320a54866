/** PostgreSQL and the object store fail under the nodes: nothing that was acknowledged is lost, and the nodes go on by themselves. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { feedStream } from '../../src/model/stream-names.ts';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../src/store/distributed/stream/stream-store.ts';
import { clusterTests } from '../harness/cluster/cluster-tests.ts';
import { type ClusterUser, channelText, newUser } from '../harness/cluster/cluster-users.ts';
import { NameDrop } from '../harness/cluster/name-drop.ts';
import type { Cluster } from '../harness/cluster/start-cluster.ts';
import { until } from '../harness/server/world-server.ts';

const [current, older] = [42, 43];
const [minuteMs, hourMs] = [60_000, 3_600_000];
const awayMs = 20_000;
const readyWithinMs = 15_000;
const data: { drop?: NameDrop; user?: ClusterUser } = {};
const declared = { description: 'Test', mimetype: 'application/x-ndjson' };

const clusterTest = clusterTests((scope) => {
  data.drop = new NameDrop(scope);
  return {
    workers: 'stopped',
    settings: {
      ...data.drop.settings,
      'collect.newDomains': 'false',
      'batch.channels': JSON.stringify({ [current]: declared, [older]: declared }),
    },
  };
});

async function userOf(cluster: Cluster): Promise<ClusterUser> {
  if (data.user) return data.user;
  data.user = await newUser(cluster, '--permissions', 'read,ingest', '--account', 'engines');
  await cluster.run(['account', 'own', 'engines', `${current},${older}`]);
  return data.user;
}

const linesOf = (label: string, count: number) =>
  Array.from({ length: count }, (_, index) => `{"line":"${label}-${index}"}`);

const importAt = (cluster: Cluster, lines: readonly string[], atMs: number) =>
  cluster.run(
    [
      'import',
      'channel',
      String(older),
      '-',
      '--at',
      new Date(atMs).toISOString(),
      '--import-id',
      lines[0] ?? '',
    ],
    `${lines.join('\n')}\n`,
  );

/** A line of two hours ago, as if a worker had published it then. */
async function publishBefore(cluster: Cluster): Promise<void> {
  const environment = cluster.environment();
  const setting = (name: string) => environment[`NAMEGLASS_STORE_${name}`] ?? '';
  const database = new PostgresDatabase({ url: setting('POSTGRES_URL'), schema: 'nameglass', poolMax: 2 });
  const objects = openObjects(database, {
    endpoint: setting('S3_ENDPOINT'),
    bucket: setting('S3_BUCKET'),
    region: 'us-east-1',
    pathStyle: true,
    accessKey: setting('S3_ACCESS_KEY'),
    secretKey: setting('S3_SECRET_KEY'),
    prefix: setting('S3_PREFIX'),
  });
  const streams = openStreamStore(database, objects);
  const atMs = Date.now() - 2 * hourMs;
  const line = `{"timestamp":"${new Date(atMs).toISOString()}","domain":"archived.example"}\n`;
  await streams.append([{ stream: feedStream('nod'), bytes: Buffer.from(line) }], atMs);
  await streams.close();
  await database.close();
}

async function chunksLeft({ primary }: Cluster, stream: string): Promise<number> {
  const [row] = await primary.run(
    `select count(*) as chunks from nameglass.stream_chunk where stream = '${stream}'`,
  );
  return Number(row?.['chunks']);
}

const untilSealed = (cluster: Cluster, stream: string) =>
  until(
    `${stream} in the object store`,
    async () => (await chunksLeft(cluster, stream)) === 0 || undefined,
    500,
    180_000,
  );

async function archiveUrl(user: ClusterUser): Promise<string | undefined> {
  const { text } = await user.ask('/v1/download/nod/');
  const files = (JSON.parse(text).response?.files ?? []) as { name: string; size: string; url: string }[];
  const url = files.find(({ name, size }) => name.endsWith('.gz') && Number(size) > 40)?.url;
  return url && new URL(url).pathname + new URL(url).search;
}

clusterTest(
  'while the object store is away new lines are appended and read, older ones get 503; then all are stored there',
  async (cluster, t) => {
    const user = await userOf(cluster);
    const before = linesOf('before', 100);
    await importAt(cluster, before, Date.now() - 30 * minuteMs);
    await publishBefore(cluster);
    await Promise.all(cluster.workers.map((worker) => worker.start()));
    await untilSealed(cluster, `ch${older}`);
    const archive = await until('an archive', () => archiveUrl(user), 1000, 180_000);

    await cluster.gateway.kill();
    const beganMs = performance.now();
    const appended = linesOf('away', 20);
    for (const line of appended) {
      const sent = await user.ask(`/v1/channels/${current}/lines/`, { method: 'POST', body: `${line}\n` });
      assert.equal(sent.status, 200, sent.text);
    }
    assert.deepEqual((await channelText(user, current)).text.trimEnd().split('\n'), appended);
    for (const refused of [await channelText(user, older), await cluster.client.ask(archive)]) {
      assert.equal(refused.status, 503, refused.text.slice(0, 300));
      assert.ok(Number(refused.headers['retry-after']) > 0, 'it has Retry-After');
    }
    const health = await user.askNode(cluster.apis[0], '/readyz');
    assert.equal(health.status, 200, health.text);
    assert.match(health.text, /degraded/);
    const during = linesOf('during', 100);
    await importAt(cluster, during, Date.now() - 5 * minuteMs);
    await pause(Math.max(0, awayMs - (performance.now() - beganMs)));
    assert.notEqual(await chunksLeft(cluster, `ch${older}`), 0, 'they wait in the database');

    await cluster.gateway.start();
    const backMs = performance.now();
    await untilSealed(cluster, `ch${older}`);
    t.diagnostic(`sealed ${Math.round(performance.now() - backMs)} ms after the object store was back`);
    const all = await channelText(user, older);
    assert.equal(all.status, 200, all.text);
    assert.deepEqual(all.text.trimEnd().split('\n'), [...before, ...during]);
    assert.deepEqual((await channelText(user, current)).text.trimEnd().split('\n'), appended);
    assert.equal((await cluster.client.ask(archive)).status, 200);
  },
);

clusterTest(
  'PostgreSQL is killed and its replica promoted: nothing acknowledged is lost or doubled, nodes and workers go on',
  async (cluster, t) => {
    const user = await userOf(cluster);
    await Promise.all(cluster.workers.filter(({ child }) => !child).map((worker) => worker.start()));
    const earlier = (await channelText(user, current)).text.split('\n').filter(Boolean);
    const stopping = new AbortController();
    t.after(() => stopping.abort());
    const acknowledged: string[] = [];
    let [next, repeats, greatestGapMs, lastMs] = [0, 0, 0, performance.now()];
    const writer = async () => {
      while (!stopping.signal.aborted) {
        const number = next++;
        const line = `{"line":"failover-${number}"}`;
        for (let status = 0; status !== 200; ) {
          const headers = { 'idempotency-key': `failover-${number}` };
          const sent = user.ask(`/v1/channels/${current}/lines/`, {
            method: 'POST',
            headers,
            body: `${line}\n`,
          });
          status = (await sent.catch(() => undefined))?.status ?? 0;
          assert.ok(status === 200 || status === 0 || status >= 500, `${status}`);
          if (status !== 200) repeats += 1;
        }
        greatestGapMs = Math.max(greatestGapMs, performance.now() - lastMs);
        lastMs = performance.now();
        acknowledged.push(line);
      }
    };
    const writers = Promise.all([1, 2, 3, 4].map(writer));
    const untilAcknowledged = (count: number) =>
      until(`${count} lines`, async () => acknowledged.length >= count || undefined, 20);
    await untilAcknowledged(100);
    await cluster.primary.kill();
    await cluster.replica.run('select pg_promote()');
    const promotedMs = performance.now();
    const nodes = [...cluster.apis, ...cluster.workers];
    await Promise.all(nodes.map((node) => node.untilReady()));
    const readyMs = Math.round(performance.now() - promotedMs);
    await untilAcknowledged(acknowledged.length + 100);
    stopping.abort();
    await writers;
    t.diagnostic(
      `${acknowledged.length} lines acknowledged with ${repeats} repeats, greatest gap ${Math.round(greatestGapMs)} ms; all nodes ready ${readyMs} ms after the promotion`,
    );
    const stored = (await channelText(user, current)).text.trimEnd().split('\n');
    assert.deepEqual(stored.toSorted(), [...earlier, ...acknowledged].sort());
    const names = (data.drop as NameDrop).drop(20);
    await until(
      'new lines of the workers',
      async () => {
        const { text } = await user.ask('/v1/feed/domaindiscovery/?after=-3600');
        return names.every((name) => text.includes(`"${name}"`)) || undefined;
      },
      500,
    );
    assert.ok(readyMs < readyWithinMs, `${readyMs} ms`);
  },
);
