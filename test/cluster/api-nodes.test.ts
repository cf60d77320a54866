/** Two API nodes behind a balancer answer as one: limits, keys, sessions; and one of them may die. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../harness/cluster/balanced-client.ts';
import type { ClusterNode } from '../harness/cluster/cluster-node.ts';
import { clusterTests } from '../harness/cluster/cluster-tests.ts';
import {
  askNode,
  askWeb,
  type ClusterUser,
  channelText,
  cookieOf,
  countStatuses,
  newUser,
} from '../harness/cluster/cluster-users.ts';
import { NameDrop } from '../harness/cluster/name-drop.ts';
import type { Cluster } from '../harness/cluster/start-cluster.ts';
import { TailClient } from '../harness/cluster/tail-client.ts';
import { oidcProvider } from '../harness/identity/oidc-provider.ts';

const [limit, minuteLimit, more] = [300, 100, 500];
const channel = 42;
const names: { drop?: NameDrop } = {};

const clusterTest = clusterTests((scope) => {
  names.drop = new NameDrop(scope);
  return {
    settings: {
      ...names.drop.settings,
      'collect.newDomains': 'false',
      'outgoing.allow': '127.0.0.1',
      'limits.detect.newDomainsQueriesPerHour': String(limit),
      'limits.feed.queriesPerMinute': String(minuteLimit),
      'batch.channels': JSON.stringify({
        [channel]: { description: 'Test', mimetype: 'application/x-ndjson' },
      }),
    },
  };
});

/** So many of them, and no more, however slow the machine: what is asked for a minute later would count anew. */
async function assertExact(limited: number, ask: (index: number) => Promise<Answered>): Promise<string> {
  const beganMs = performance.now();
  const counts = await countStatuses(limited + more, ask, { withinMs: 50_000 });
  const [granted, refused] = [counts.get(200), counts.get(429) ?? 0];
  const inAll = [...counts.values()].reduce((sum, count) => sum + count);
  assert.deepEqual(
    { granted, refused },
    { granted: limited, refused: inAll - limited },
    JSON.stringify([...counts]),
  );
  return `${inAll} requests in ${Math.round(performance.now() - beganMs)} ms`;
}

clusterTest('LIM-18 a limit for an hour is one for all nodes', async (cluster, t) => {
  const user = await newUser(cluster);
  t.diagnostic(await assertExact(limit, () => user.ask('/v1/intel-detect/domains/new/')));
});

clusterTest('LIM-18 a limit for a minute is one for all nodes', async (cluster, t) => {
  const user = await newUser(cluster);
  t.diagnostic(await assertExact(minuteLimit, () => user.ask('/v1/feed/nod/?after=-60')));
});

clusterTest('LIM-18 a block of passive DNS lookups is one for all nodes', async (cluster) => {
  const user = await newUser(cluster, '--pdns-quota', `block:${limit}:2099-01-01T00:00:00Z`);
  const nodes = cluster.apis;
  const path = '/pdns/v2/lookup/rrset/name/a.example/A';
  await assertExact(limit, (index) => user.askNode(nodes[index % 2 === 0 ? 0 : 1], path));
});

clusterTest(
  'a limit is never exceeded where a node is killed, and loses at most what the node was answering',
  async (cluster, t) => {
    const [, second] = cluster.apis;
    const user = await newUser(cluster);
    let killing: Promise<void> | undefined;
    const requests = limit + 100;
    const counts = await countStatuses(requests, (index) => {
      if (index === limit / 2) killing = second.kill();
      return user.ask('/v1/intel-detect/domains/new/');
    });
    await killing;
    await second.start();
    const answered = counts.get(200) ?? 0;
    t.diagnostic(`${answered} of ${limit} granted, ${JSON.stringify([...counts])}`);
    assert.ok(answered <= limit && answered >= limit - 4, `${answered} granted`);
    assert.equal((counts.get(200) ?? 0) + (counts.get(429) ?? 0), requests, JSON.stringify([...counts]));
    for (const node of cluster.apis)
      assert.equal((await user.askNode(node, '/v1/intel-detect/domains/new/')).status, 429);
  },
);

clusterTest('a key that was reset through one node is refused by both at once', async (cluster) => {
  const owner = await newUser(cluster, '--permissions', 'admin');
  const keyOf = (text: string) => JSON.parse(text).response.api_key as string;
  const headers = { 'content-type': 'application/json' };
  const made = await owner.ask('/v1/account/keys/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: `${owner.name}-second`, permissions: ['read'] }),
  });
  let key = keyOf(made.text);
  for (let round = 0; round < 10; round += 1) {
    const through = cluster.apis[round % 2 === 0 ? 0 : 1];
    const old = key;
    for (const node of cluster.apis)
      assert.equal(
        (await owner.askNode(node, '/v1/account/', { headers: { 'x-api-key': old } })).status,
        200,
      );
    const reset = await owner.askNode(through, '/v1/account/keys/reset/', {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: `${owner.name}-second` }),
    });
    key = keyOf(reset.text);
    const answers = await Promise.all(
      cluster.apis.map((node) => owner.askNode(node, '/v1/account/', { headers: { 'x-api-key': old } })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403],
    );
  }
});

async function signInByLink(cluster: Cluster, { name }: ClusterUser, node: ClusterNode) {
  const { url } = JSON.parse(await cluster.run(['signin', name, '--json'])) as { url: string };
  const token = /[\w-]{20,}$/.exec(url)?.[0];
  const answer = await askWeb(node, 'POST /session/link', { body: { token } });
  assert.equal(answer.status, 200, answer.text);
  const cookie = cookieOf(answer);
  // Who has neither password nor passkey must choose one first.
  const chosen = await askWeb(node, 'PUT /me/password', { cookie, body: { password: randomUUID() } });
  assert.ok(chosen.status < 300, chosen.text);
  return { token, cookie: chosen.headers['set-cookie'] ? cookieOf(chosen) : cookie };
}

clusterTest(
  'a session of the web UI holds on all nodes, whichever made it, and ends on all of them at once',
  async (cluster) => {
    const user = await newUser(cluster, '--permissions', 'read,admin');
    const [first, second] = cluster.apis;
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { token, cookie } = await signInByLink(cluster, user, one);
      assert.equal((await askWeb(other, 'POST /session/link', { body: { token } })).status, 401, 'once');
      const name = `Seen by ${one.name}`;
      for (const node of [other, one, other]) {
        const me = await askWeb(node, 'GET /me', { cookie });
        assert.equal(me.status, 200, me.text);
        const list = await askWeb(node, 'GET /detect/domains?list=new', { cookie });
        assert.equal(list.status, 200, list.text);
      }
      const noted = await askWeb(one, 'POST /investigations', { cookie, body: { name } });
      assert.equal(noted.status, 200, noted.text);
      assert.match((await askWeb(other, 'GET /investigations', { cookie })).text, new RegExp(name));
      assert.equal((await askWeb(other, 'DELETE /session', { cookie })).status, 204);
      for (const node of cluster.apis)
        assert.equal((await askWeb(node, 'GET /me', { cookie })).status, 401, node.name);
    }
  },
);

clusterTest('a single sign-on that begins at one node ends at the other', async (cluster, t) => {
  const [first, second] = cluster.apis;
  const provider = await oidcProvider(t, { ann: { preferred_username: 'ann', groups: ['analysts'] } });
  const admin = await newUser(cluster, '--permissions', 'read,admin');
  const { cookie } = await signInByLink(cluster, admin, first);
  const rules = [{ claim: 'groups', value: 'analysts', permissions: ['read'] }];
  const mapping = { rules, otherwise: null, creates_people: true, name_claim: '', email_domains: [] };
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const body = { name: 'Corp', oidc: { issuer, client_id, client_secret }, enabled: true, mapping };
  const made = await askWeb(second, 'POST /identity-providers', { cookie, body });
  assert.equal(made.status, 201, made.text);
  const { id, urls } = JSON.parse(made.text) as { id: string; urls: { callback: string } };
  provider.allow(urls.callback);
  const headers = { 'sec-fetch-site': 'cross-site' };
  const begun = await askNode(first, `/ui/auth/oidc/${id}/start`, { headers });
  const back = new URL(await provider.signIn(String(begun.headers['location']), 'ann'));
  const ended = await askNode(second, back.pathname + back.search, {
    headers: { ...headers, cookie: cookieOf(begun) },
  });
  const session = /__Host-ng=[^;]+/.exec(String(ended.headers['set-cookie']))?.[0] ?? '';
  const me = await askWeb(first, 'GET /me', { cookie: session });
  assert.equal(me.status, 200, `${ended.status} ${ended.text} ${me.text}`);
});

clusterTest(
  'an API node that is killed under load costs no read; lines are appended once, and tails go on without a gap',
  async (cluster, t) => {
    const drop = names.drop as NameDrop;
    const user = await newUser(cluster, '--permissions', 'read,ingest', '--account', 'load');
    await cluster.run(['account', 'own', 'load', String(channel)]);
    const tails = [1, 2, 3].map(
      () => new TailClient(cluster.client, '/v1/feed/domaindiscovery/tail/?after=-3600', user.key),
    );
    t.after(() => Promise.all(tails.map((tail) => tail.close())));
    const stopping = new AbortController();
    t.after(() => stopping.abort());
    const reads = { ok: 0, failed: [] as string[] };
    const reader = async () => {
      while (!stopping.signal.aborted) {
        const answer = await user.ask('/v1/account/').catch((error: Error) => error);
        if ('status' in answer && answer.status === 200) reads.ok += 1;
        else reads.failed.push('status' in answer ? `${answer.status}` : answer.message);
        await pause(5);
      }
    };
    const sent: number[] = [];
    let [repeats, next] = [0, 0];
    const writer = async () => {
      while (!stopping.signal.aborted) {
        const number = next++;
        const append = () =>
          user.ask(`/v1/channels/${channel}/lines/`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': `line-${number}` },
            body: `{"number":${number}}\n`,
          });
        for (;;) {
          const answer = await append().catch(() => undefined);
          if (answer?.status === 200) break;
          assert.ok(answer === undefined || answer.status >= 500, answer?.text);
          repeats += 1;
          await pause(50);
        }
        sent.push(number);
      }
    };
    const dropper = async () => {
      while (!stopping.signal.aborted) {
        drop.drop(5);
        await pause(500);
      }
    };
    const load = Promise.all([...[1, 2, 3, 4].map(reader), writer(), writer(), dropper()]);
    await Promise.all(tails.map((tail) => tail.until(5)));
    for (const node of cluster.apis) {
      await untilShared(cluster.apis);
      await node.kill();
      await pause(500);
      await node.start();
    }
    await untilShared(cluster.apis);
    stopping.abort();
    await load;
    await Promise.all(tails.map((tail) => tail.until(drop.dropped.length)));
    t.diagnostic(
      `${reads.ok} reads, ${reads.failed.length} failed; ${sent.length} lines sent with ${repeats} repeats; ${drop.dropped.length} lines of the feed over ${tails.map((tail) => tail.connections).join(', ')} connections`,
    );
    assert.deepEqual(reads.failed, []);
    const stored = (await user.ask('/v1/feed/domaindiscovery/?after=-3600')).text.trimEnd().split('\n');
    for (const tail of tails) {
      assert.deepEqual(tail.lines, stored);
      assert.ok(tail.connections > 1, 'it was cut off');
    }
    const published = stored.map((line) => JSON.parse(line).domain as string);
    assert.deepEqual(published.toSorted(), drop.dropped.toSorted());
    const { text } = await channelText(user, channel);
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).number as number);
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      sent.sort((a, b) => a - b),
    );
  },
);

/** nginx leaves out a node for some seconds longer than it was away. */
async function untilShared(nodes: readonly ClusterNode[]): Promise<void> {
  const answered = (node: ClusterNode) => node.log().split('"url":"/v1/account/"').length;
  const before = nodes.map(answered);
  while (!nodes.every((node, index) => answered(node) >= (before[index] ?? 0) + 5)) await pause(50);
}
