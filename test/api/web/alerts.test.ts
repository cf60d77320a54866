/** Alerts in the web UI: webhooks and digests made, tested, paused and replayed. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { mailSender } from '../../../src/outgoing/send-mail.ts';
import { startDeliveries } from '../../../src/product/detect/deliveries.ts';
import { until } from '../../harness/fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { openReceiver, type Receiver, type ReceiverOptions } from '../../harness/network/http-receiver.ts';
import { openSmtpReceiver, partsOf } from '../../harness/network/smtp-receiver.ts';
import { openSyslogReceiver } from '../../harness/network/syslog-receiver.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const post = await openSmtpReceiver({ after } as TestContext);
const server = await testServer(
  { after },
  {
    settings: {
      'outgoing.allow': '127.0.0.1',
      'mail.host': '127.0.0.1',
      'mail.port': String(post.port),
      'mail.security': 'none',
      'web.pagesPerMinute': '10000',
    },
  },
);
const start = '2026-03-04T10:11:12Z';

async function newAccount() {
  server.clock.set(start);
  const account = (await server.user({ permissions: ['admin'] })).caller.account;
  const me = await webSession(server, { account: account.name, permissions: ['manage'] });
  const monitorId = await watchTerm(server.monitors, account.id, server.clock.now());
  const find = (...domains: readonly string[]) =>
    discover(server.watchlist, { accountId: account.id, monitorId, domains, atMs: server.clock.now() });
  return { me, accountId: account.id, find };
}

type World = Awaited<ReturnType<typeof newAccount>>;

async function withWebhook(t: TestContext, answer?: ReceiverOptions['answer']) {
  const receiver = await openReceiver(t, answer ? { answer } : {});
  const world = await newAccount();
  const made = await world.me.call('POST /subscriptions', { body: { webhook: receiver.url } });
  assert.equal(made.status, 201, made.text);
  return { ...world, receiver, id: made.json.subscription.id as string, secret: made.json.secret as string };
}

/** The loop of the pipeline on the stores of the server. */
function deliver(t: TestContext): void {
  const { settings, clock } = server;
  const deliveries = startDeliveries({
    ...server,
    settings,
    clock,
    dialer: createDialer({ settings }),
    sendMail: mailSender({ settings, timeoutMs: 5000 }),
    onFailure: (error) => assert.fail(error as Error),
    pollMs: 10,
  });
  t.after(() => deliveries.close());
}

const bodiesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body));
const listed = async ({ me }: Pick<World, 'me'>) => (await me.call('GET /subscriptions')).json.subscriptions;
const deliveriesOf = async ({ me }: Pick<World, 'me'>, id: string) =>
  (await me.call(`GET /subscriptions/${id}/deliveries`)).json.deliveries;

test('the secret of a webhook is shown once, and a test is signed with it', async (t) => {
  const world = await withWebhook(t);
  assert.match(world.secret, /^ngw_[0-9a-f]{64}$/);
  const [subscription] = await listed(world);
  assert.deepEqual(
    [subscription.by, subscription.every, subscription.state, subscription.events],
    ['webhook', 'event', 'idle', ['discovered', 'changed', 'escalated', 'risk-full']],
  );
  assert.ok(!JSON.stringify(await listed(world)).includes(world.secret));
  const { status, json } = await world.me.call(`POST /subscriptions/${world.id}/test`);
  assert.deepEqual([status, json.delivery.kind, json.delivery.status], [200, 'test', 'delivered']);
  const [received] = world.receiver.received;
  const { test: isTest, events } = JSON.parse(received?.body ?? '{}');
  assert.deepEqual([isTest, events], [true, []]);
  const [, seconds, mac] =
    /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(received?.headers['x-nameglass-signature'])) ?? [];
  const expected = createHmac('sha256', world.secret).update(`${seconds}.${received?.body}`).digest('hex');
  assert.equal(mac, expected);
});

test('a test that fails is logged with its error', async (t) => {
  const world = await withWebhook(t, (_, response) => void response.writeHead(500).end());
  await world.me.call(`POST /subscriptions/${world.id}/test`);
  const [delivery] = await deliveriesOf(world, world.id);
  assert.deepEqual(
    [delivery.kind, delivery.status, delivery.error, delivery.attempts, delivery.can_replay],
    ['test', 'failed', 'the receiver answered 500', 1, false],
  );
});

test('deliveries are logged, and their events are sent again under the same delivery id', async (t) => {
  const world = await withWebhook(t);
  await world.find('acme-a.example', 'acme-b.example');
  deliver(t);
  await until(async () => (await deliveriesOf(world, world.id)).length === 1);
  const [delivery] = await deliveriesOf(world, world.id);
  assert.deepEqual(
    [delivery.kind, delivery.status, delivery.events, delivery.attempts, delivery.can_replay],
    ['events', 'delivered', 2, 1, true],
  );
  const { status, json } = await world.me.call(
    `POST /subscriptions/${world.id}/deliveries/${delivery.n}/replay`,
  );
  assert.deepEqual([status, json.delivery.kind, json.delivery.events], [200, 'replay', 2]);
  const [first, second] = bodiesOf(world.receiver);
  assert.deepEqual(second, first);
  assert.deepEqual((await listed(world))[0].state, 'idle');
});

test('a failed delivery counts its attempts, and a replay that succeeds delivers its events', async (t) => {
  let isDown = true;
  const world = await withWebhook(t, (_, response) => void response.writeHead(isDown ? 503 : 204).end());
  await world.find('acme-a.example');
  deliver(t);
  await until(async () => (await deliveriesOf(world, world.id))[0]?.attempts === 1);
  server.clock.advanceSeconds(3600);
  await until(async () => (await deliveriesOf(world, world.id))[0]?.attempts === 2);
  const [failing] = await listed(world);
  assert.deepEqual(
    [failing.state, failing.error, failing.failures, failing.waiting.events],
    ['failing', 'the receiver answered 503', 2, 1],
  );
  isDown = false;
  const { json } = await world.me.call(`POST /subscriptions/${world.id}/deliveries/1/replay`);
  assert.equal(json.delivery.status, 'delivered');
  const [healed] = await listed(world);
  assert.deepEqual([healed.state, healed.error, healed.waiting.events], ['idle', null, 0]);
});

test('nothing is lost while an alert is paused, and what waits can be skipped', async (t) => {
  const world = await withWebhook(t);
  const change = (body: object) => world.me.call(`PATCH /subscriptions/${world.id}`, { body });
  const paused = await change({ paused: true });
  assert.deepEqual([paused.json.state, paused.json.paused.by], ['paused', world.me.person.name]);
  await world.find('acme-a.example');
  deliver(t);
  const [waiting] = await listed(world);
  assert.deepEqual([waiting.waiting, waiting.next_at], [{ events: 1, more: false }, null]);
  assert.equal(world.receiver.received.length, 0);
  await change({ paused: false });
  await world.receiver.until(1);
  assert.deepEqual(
    bodiesOf(world.receiver)[0].events.map(({ domain }: { domain: string }) => domain),
    ['acme-a.example'],
  );
  await until(async () => (await listed(world))[0].state === 'idle');
  await change({ paused: true });
  await world.find('acme-b.example');
  const skipped = await change({ paused: false, skip: true });
  assert.deepEqual([skipped.json.state, skipped.json.waiting.events], ['idle', 0]);
});

test('a daily digest has an hour, a zone and days of the week, and is tested by mail', async () => {
  const world = await newAccount();
  const schedule = { hour: 8, zone: 'Europe/Berlin', weekdays: [5, 1, 1] };
  const made = await world.me.call('POST /subscriptions', {
    body: { email: 'soc@example.com', events: ['discovered'], schedule },
  });
  assert.equal(made.status, 201, made.text);
  const { subscription, secret } = made.json;
  assert.deepEqual(
    [secret, subscription.every, subscription.schedule],
    [null, 'day', { ...schedule, weekdays: [1, 5] }],
  );
  await world.find('acme-a.example');
  // A Wednesday: the next digest is on Friday, at seven in UTC.
  assert.equal((await listed(world))[0].next_at, '2026-03-06T07:00:00.000Z');
  const { json } = await world.me.call(`POST /subscriptions/${subscription.id}/test`);
  assert.equal(json.delivery.status, 'delivered', json.delivery.error);
  const letter = post.letters.at(-1) ?? assert.fail();
  assert.match(letter.source, /^Subject: Nameglass: test\r$/m);
  assert.match(partsOf(letter).get('text/plain') ?? '', /test of an alert/);
  const hourly = await world.me.call(`PATCH /subscriptions/${subscription.id}`, { body: { every: 'hour' } });
  assert.deepEqual([hourly.json.every, hourly.json.schedule], ['hour', null]);
});

test('what is wrong with an alert is said at its field', async () => {
  const { me } = await newAccount();
  const schedule = { hour: 8, zone: 'Europe/Berlin', weekdays: [1] };
  const email = 'soc@example.com';
  const wrong: readonly (readonly [body: object, field: string])[] = [
    [{}, 'webhook'],
    [{ webhook: 'https://10.0.0.1/' }, 'webhook'],
    [{ webhook: 'https://127.0.0.1:22/' }, 'webhook'],
    [{ webhook: 'ftp://192.0.2.1/' }, 'webhook'],
    [{ webhook: 'http://127.0.0.1:8080/', every: 'hour' }, 'every'],
    [{ webhook: 'http://127.0.0.1:8080/', schedule }, 'schedule'],
    [{ email: 'a@b.example, c@d.example' }, 'email'],
    [{ email, every: 'hour', schedule }, 'schedule'],
    [{ email, schedule: { ...schedule, zone: 'Atlantis/Deep' } }, 'schedule.zone'],
    [{ email, schedule: { ...schedule, weekdays: [] } }, 'schedule.weekdays'],
    [{ email, schedule: { ...schedule, hour: 24 } }, 'schedule'],
    [{ email, events: ['never'] }, 'events'],
  ];
  for (const [body, field] of wrong) {
    const { status, json } = await me.call('POST /subscriptions', { body });
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(json.error.fields), [field], JSON.stringify(json));
  }
  assert.deepEqual(await listed({ me }), []);
});

test('alerts need the permission to manage, and belong to one account', async (t) => {
  const world = await withWebhook(t);
  const reader = await webSession(server, { account: world.me.account, permissions: ['escalate'] });
  assert.equal((await reader.call('GET /subscriptions')).status, 403);
  const { me: other } = await newAccount();
  const routes = [
    `PATCH /subscriptions/${world.id}`,
    `DELETE /subscriptions/${world.id}`,
    `POST /subscriptions/${world.id}/test`,
    `GET /subscriptions/${world.id}/deliveries`,
    `POST /subscriptions/${world.id}/deliveries/1/replay`,
  ];
  for (const route of routes) {
    const answer = await other.call(route, route.startsWith('PATCH') ? { body: { paused: true } } : {});
    assert.equal(answer.status, 404, route);
  }
  assert.equal((await world.me.call(`DELETE /subscriptions/${world.id}`)).status, 204);
  assert.deepEqual(await listed(world), []);
});

test('tests and replays are limited, because each sends something to somebody', async (t) => {
  const world = await withWebhook(t);
  for (let at = 0; at < 10; at += 1) await world.me.call(`POST /subscriptions/${world.id}/test`);
  const { status, json } = await world.me.call(`POST /subscriptions/${world.id}/test`);
  assert.deepEqual([status, json.error.code], [429, 'limit-exceeded']);
  assert.equal(world.receiver.received.length, 10);
});

test('a webhook in the format of Slack gets its bodies, and has no secret to show', async (t) => {
  const receiver = await openReceiver(t);
  const world = await newAccount();
  const body = { webhook: receiver.url, format: 'slack' };
  const made = await world.me.call('POST /subscriptions', { body });
  assert.deepEqual([made.status, made.json.secret, made.json.subscription.format], [201, null, 'slack']);
  await world.find(...Array.from({ length: 45 }, (_, number) => `acme${number}.example`));
  deliver(t);
  await until(() => receiver.received.length === 2);
  const [first, second] = bodiesOf(receiver);
  assert.deepEqual([first.text, second.text], ['Nameglass: 40 events', 'Nameglass: 5 events']);
  assert.match(first.blocks[1].text.text, /`acme0\[\.\]example`/);
  const { json } = await world.me.call(`POST /subscriptions/${made.json.subscription.id}/test`);
  assert.equal(json.delivery.status, 'delivered');
  assert.equal(bodiesOf(receiver)[2].text, 'This is a test of an alert of Nameglass.');
});

test('Splunk gets its token, which no answer shows', async (t) => {
  const receiver = await openReceiver(t);
  const world = await newAccount();
  const token = '6f1a2b3c-token-of-splunk';
  const body = { webhook: receiver.url, format: 'splunk', token, index: 'threats' };
  const made = await world.me.call('POST /subscriptions', { body });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.json.subscription.options, {
    index: 'threats',
    sourcetype: null,
    token: true,
    ca: false,
  });
  await world.find('acme-a.example', 'acme-b.example');
  deliver(t);
  await until(() => receiver.received.length === 1);
  const [received] = receiver.received;
  assert.equal(received?.headers['authorization'], `Splunk ${token}`);
  const events = (received?.body ?? '').split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ index, sourcetype, event }) => [index, sourcetype, event.domain]),
    ['acme-a.example', 'acme-b.example'].map((name) => ['threats', 'nameglass:detect', name]),
  );
  const shown = await world.me.call('GET /subscriptions');
  assert.ok(!`${made.text}${shown.text}`.includes('6f1a2b3c'));
});

test('syslog is made, tested and logged like a webhook, on ports that no other service has', async (t) => {
  const receiver = await openSyslogReceiver(t);
  const world = await newAccount();
  const add = (syslog: string, more: object = {}) =>
    world.me.call('POST /subscriptions', { body: { syslog, ...more } });
  const refused = await add('tcp://127.0.0.1:25');
  assert.deepEqual([refused.status, Object.keys(refused.json.error.fields)], [422, ['syslog']]);
  const made = await add(`tcp://127.0.0.1:${receiver.port}`);
  assert.deepEqual(
    [made.status, made.json.subscription.by, made.json.subscription.format],
    [201, 'syslog', 'cef'],
  );
  const { id } = made.json.subscription;
  const { json } = await world.me.call(`POST /subscriptions/${id}/test`);
  assert.deepEqual([json.delivery.kind, json.delivery.status], ['test', 'delivered']);
  assert.match(
    receiver.messages[0] ?? '',
    / test \[nameglass@32473 .*CEF:0\|Nameglass\|Nameglass\|1\|test\|/,
  );
  await world.find('acme-a.example');
  deliver(t);
  await until(() => receiver.messages.length === 2);
  assert.match(receiver.messages[1] ?? '', /dhost=acme-a\.example /);
});

test('a message is previewed in each format before anything is made', async () => {
  const { me } = await newAccount();
  const preview = async (query: string) => (await me.call(`GET /subscriptions/preview?${query}`)).json.text;
  assert.equal(JSON.parse(await preview('format=nameglass')).events.length, 2);
  assert.match(await preview('format=slack'), /"text": "Nameglass: 2 events"/);
  assert.match(await preview('format=teams'), /AdaptiveCard/);
  assert.match(await preview('format=mattermost'), /Lookalike found/);
  assert.match(await preview('format=splunk&index=threats'), /"index": "threats"/);
  assert.match(await preview('format=cef'), /CEF:0\|Nameglass/);
  assert.match(await preview('format=ecs'), /"threat":\{"indicator"/);
  assert.equal((await me.call('GET /subscriptions/preview?format=xml')).status, 422);
});
