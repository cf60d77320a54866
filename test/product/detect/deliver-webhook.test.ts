import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { logStart } from '../../../src/store/paging/log-position.ts';
import {
  deliveryFixture,
  newUser,
  testWebhookSecret,
  until,
} from '../../harness/fixtures/delivery-fixture.ts';
import { discover, facts, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { openReceiver, type Received } from '../../harness/network/http-receiver.ts';

interface DeliveredEvent {
  readonly id: number;
  readonly event: string;
  readonly domain: string;
}

const eventsOf = ({ body }: Received) => (JSON.parse(body) as { events: DeliveredEvent[] }).events;
const domainsOf = (received: readonly Received[]) =>
  received.flatMap((one) => eventsOf(one).map(({ domain }) => domain));
const by = (atMs: number) => ({ username: 'alice', atMs });

test('events are posted to a webhook with a signature and a delivery id', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const subscription = await world.subscribe(`${receiver.url}hook?a=b`);
  const ids = await world.discover('xn--cme-5cd.example');
  world.start();
  await receiver.until(1);
  const [request] = receiver.received as [Received];
  assert.deepEqual([request.method, request.path], ['POST', '/hook?a=b']);
  assert.equal(request.headers['content-type'], 'application/json');
  const [event] = eventsOf(request) as [DeliveredEvent];
  const delivery = `${subscription.id}.${event.id}-${event.id}`;
  assert.equal(request.headers['x-nameglass-delivery'], delivery);
  assert.deepEqual(JSON.parse(request.body), {
    subscription_id: subscription.id,
    delivery_id: delivery,
    events: [
      {
        id: event.id,
        event: 'discovered',
        date: '2026-03-04T10:11:12.000Z',
        domain: 'аcme.example',
        punycode: 'xn--cme-5cd.example',
        watchlist_domain_id: ids.get('xn--cme-5cd.example'),
        monitor_ids: [world.monitorId],
      },
    ],
  });
  const seconds = world.clock.now() / 1000;
  const mac = createHmac('sha256', testWebhookSecret).update(`${seconds}.${request.body}`).digest('hex');
  assert.equal(request.headers['x-nameglass-signature'], `t=${seconds},v1=${mac}`);
});

test('each kind of event carries its own details', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  await world.subscribe(receiver.url);
  const ids = [...(await world.discover('acme.top')).values()];
  const { watchlist, escalations, accountId, clock } = world;
  await escalations.escalateDomains(accountId, ids, 'blocked', by(clock.now()));
  const change = {
    domain: 'acme.top',
    facts: { ...facts, riskScore: 80, riskStatus: 'full' },
    changed: { atMs: clock.now(), fields: ['ip', 'name_server'] },
  } as const;
  await watchlist.applyRecordChanges([change], { from: logStart, to: '1' }, clock.now());
  world.start();
  await receiver.until(1);
  const events = eventsOf(receiver.received[0] as Received) as (DeliveredEvent & Record<string, unknown>)[];
  assert.deepEqual(
    events.map(({ event, changed_fields, escalation_type, risk_score }) => [
      event,
      changed_fields ?? escalation_type ?? risk_score,
    ]),
    [
      ['discovered', undefined],
      ['escalated', 'blocked'],
      ['changed', ['ip', 'name_server']],
      ['risk-full', 80],
    ],
  );
});

test('a webhook gets only the kinds subscribed to, of its own account, from the subscription on', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const ids = [...(await world.discover('before.example')).values()];
  await world.subscribe(receiver.url, { events: ['escalated'] });
  const other = await newUser(world.accounts, world.clock, 'bob');
  const { monitors, watchlist, escalations, clock, accountId } = world;
  const monitorId = await watchTerm(monitors, other.account.id, clock.now());
  const theirs = await discover(watchlist, {
    accountId: other.account.id,
    monitorId,
    domains: ['theirs.example'],
    atMs: clock.now(),
  });
  await escalations.escalateDomains(other.account.id, [...theirs.values()], 'blocked', by(clock.now()));
  await world.discover('acme.top');
  await escalations.escalateDomains(accountId, ids, 'blocked', by(clock.now()));
  world.start();
  await receiver.until(1);
  const [request] = receiver.received as [Received];
  assert.deepEqual(
    eventsOf(request).map(({ event, domain }) => [event, domain]),
    [['escalated', 'before.example']],
  );
});

test('a webhook is not notified of an escalation that was undone before it was sent', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const { decisions, accountId, clock } = world;
  const ids = [...(await world.discover('acme.top')).values()];
  await world.subscribe(receiver.url);
  const decision = { target: 'blocked', pieceDomains: 9 } as const;
  const { decisionId } = await decisions.decideDomains(accountId, ids, decision, by(clock.now()));
  const options = { skipConflicts: false, pieceDomains: 9 };
  await decisions.undoDecision(accountId, decisionId ?? '', options, by(clock.now()));
  await world.discover('acme.net');
  world.start();
  await receiver.until(1);
  assert.deepEqual(
    eventsOf(receiver.received[0] as Received).map(({ event, domain }) => [event, domain]),
    [['discovered', 'acme.net']],
  );
});

test('TRI-06 a webhook gets no events of an ignored domain', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const { watchlist, accountId, clock } = world;
  const ignored = [...(await world.discover('ignored.example')).values()];
  await watchlist.triageDomains(accountId, ignored, 'ignored', by(clock.now()));
  await world.subscribe(receiver.url);
  const full = { ...facts, riskScore: 99, riskStatus: 'full' } as const;
  const changed = { atMs: clock.now(), fields: ['ip'] };
  await watchlist.applyRecordChanges(
    [{ domain: 'ignored.example', facts: full, changed }],
    { from: logStart, to: '1' },
    clock.now(),
  );
  await world.discover('acme.top');
  world.start();
  await receiver.until(1);
  assert.deepEqual(domainsOf(receiver.received), ['acme.top']);
});

test('DOM-50 without a subscription nothing is sent', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const gone = await world.subscribe(receiver.url);
  await world.events.deleteSubscription(world.accountId, gone.id);
  await world.discover('acme.top');
  const deliveries = world.start();
  const kept = await world.subscribe(receiver.url);
  await world.discover('acme.shop');
  await receiver.until(1);
  await until(() => deliveries.statistics().webhooks === 1);
  assert.equal(JSON.parse(receiver.received[0]?.body ?? '').subscription_id, kept.id);
  assert.deepEqual(domainsOf(receiver.received), ['acme.shop']);
});

test('many events are delivered in order, in batches of a hundred, each once', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  await world.subscribe(receiver.url);
  const names = Array.from({ length: 250 }, (_, number) => `acme${number}.example`);
  await world.discover(...names);
  world.start();
  await receiver.until(3);
  assert.deepEqual(
    receiver.received.map((request) => eventsOf(request).length),
    [100, 100, 50],
  );
  assert.deepEqual(domainsOf(receiver.received), names);
});

test('a failing receiver gets the same events again with exponential backoff, without loss or reordering', async (t) => {
  const world = await deliveryFixture(t);
  const statuses = [500, 404, 301];
  const receiver = await openReceiver(t, {
    answer: (_, response) => void response.writeHead(statuses.shift() ?? 204).end(),
  });
  const { id } = await world.subscribe(receiver.url);
  await world.discover('a.example', 'b.example');
  world.start();
  const failed = (failures: number) => async () => (await world.findSubscription(id))?.failures === failures;
  await until(failed(1));
  assert.equal((await world.findSubscription(id))?.error, 'the receiver answered 500');
  await world.discover('c.example');
  world.clock.advanceSeconds(30);
  await until(failed(2));
  world.clock.advanceSeconds(60);
  await until(failed(3));
  assert.equal(receiver.received.length, 3);
  world.clock.advanceSeconds(120);
  await until(failed(0));
  assert.equal((await world.findSubscription(id))?.error, undefined);
  assert.deepEqual(
    receiver.received.map(eventsOf).map((events) => events.map(({ domain }) => domain)),
    [
      ['a.example', 'b.example'],
      ['a.example', 'b.example', 'c.example'],
      ['a.example', 'b.example', 'c.example'],
      ['a.example', 'b.example', 'c.example'],
    ],
  );
  const deliveries = receiver.received.map(({ headers }) => headers['x-nameglass-delivery']);
  assert.equal(new Set(deliveries).size, 2);
});

test('receivers that hang, respond endlessly or disconnect do not delay others', async (t) => {
  const world = await deliveryFixture(t, { 'detect.deliveryTimeoutSeconds': '1' });
  const hanging = await openReceiver(t, { answer: () => undefined });
  const endless = await openReceiver(t, {
    answer: async (_, response) => {
      const chunk = Buffer.alloc(65_536);
      while (response.writable) await new Promise((resolve) => response.write(chunk, resolve));
    },
  });
  const disconnecting = await openReceiver(t, { answer: (_, response) => void response.destroy() });
  const good = await openReceiver(t);
  const subscriptions = await Promise.all(
    [hanging, endless, disconnecting].map(({ url }) => world.subscribe(url)),
  );
  await world.subscribe(good.url);
  await world.discover('acme.top');
  world.start();
  await good.until(1);
  await until(async () => {
    const found = await Promise.all(subscriptions.map(({ id }) => world.findSubscription(id)));
    return found[0]?.failures === 1 && found[1]?.deliveredId !== 0 && found[2]?.failures === 1;
  });
  assert.match((await world.findSubscription(subscriptions[0]?.id ?? ''))?.error ?? '', /no response within/);
  assert.deepEqual(world.failures, []);
});

test('a deactivated account gets nothing until it is active again, and then everything', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const author = { actor: 'operator', atMs: 0 };
  await world.accounts.setAccountActive('alice', false, author);
  const { id } = await world.subscribe(receiver.url);
  await world.discover('acme.top');
  world.start();
  await until(async () => (await world.findSubscription(id))?.error === 'the account is not active');
  await world.accounts.setAccountActive('alice', true, author);
  world.clock.advanceSeconds(3600);
  await receiver.until(1);
  assert.deepEqual(domainsOf(receiver.received), ['acme.top']);
});

test('an account without the product of the events gets nothing until it is provisioned again', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  const author = { actor: 'operator', atMs: 0 };
  await world.accounts.withdraw('alice', ['intel-detect-watched-domains'], author);
  const { id } = await world.subscribe(receiver.url);
  await world.discover('acme.top');
  world.start();
  const reason = 'the account is not provisioned for intel-detect-watched-domains';
  await until(async () => (await world.findSubscription(id))?.error === reason);
  await world.accounts.provision('alice', [{ product: 'intel-detect-watched-domains' }], author);
  world.clock.advanceSeconds(3600);
  await receiver.until(1);
  assert.deepEqual(domainsOf(receiver.received), ['acme.top']);
});
