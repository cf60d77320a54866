/** What every event store must do with deliveries: pausing, changing and logging them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryAttempt } from '../../../src/model/detect/delivery.ts';
import type { NewSubscription } from '../../../src/store/event-store.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture, OpenDetectStores } from './describe-detect-store.ts';

const digest: NewSubscription = {
  by: 'email',
  target: 'soc@example.com',
  events: ['discovered', 'escalated'],
  every: 'day',
  seed: '',
  createdBy: 'ann',
  createdMs: 1000,
  nextMs: 1000,
};
const bob = { username: 'bob', atMs: 5000 };
const schedule = { hour: 8, zone: 'Europe/Berlin', weekdays: [1, 5] };

const attempt = (more: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  kind: 'events',
  atMs: 2000,
  events: { firstId: 1, lastId: 2, count: 2 },
  error: undefined,
  ...more,
});

export function deliveries(newFixture: NewFixture, open: OpenDetectStores): void {
  test('a paused subscription is not leased, and its events are when it is resumed', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    const { accountId, events } = fixture;
    const { id, deliveredId } = await events.createSubscription(accountId, digest);
    const paused = await events.updateSubscription(accountId, id, { paused: true }, bob);
    assert.deepEqual(paused?.paused, { by: 'bob', atMs: 5000 });
    const again = { username: 'ann', atMs: 5500 };
    const still = await events.updateSubscription(accountId, id, { paused: true }, again);
    assert.deepEqual(still?.paused, { by: 'bob', atMs: 5000 });
    await fixture.discover('a.example', [await fixture.monitor()]);
    assert.deepEqual(await events.leaseSubscriptions(9, 6000, 7000), []);
    const resumed = await events.updateSubscription(accountId, id, { paused: false }, bob);
    assert.deepEqual([resumed?.paused, resumed?.deliveredId], [undefined, deliveredId]);
    assert.deepEqual(
      (await events.leaseSubscriptions(9, 6000, 7000)).map((one) => [one.id, one.deliveredId]),
      [[id, deliveredId]],
    );
  });

  test('events that are skipped are not due', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    const { accountId, events } = fixture;
    const { id } = await events.createSubscription(accountId, digest);
    await fixture.discover('a.example', [await fixture.monitor()]);
    const count = (afterId: number, limit = 9) =>
      events.countEvents(accountId, { afterId, limit, kinds: digest.events });
    assert.equal(await count(0), 1);
    const skipped = await events.updateSubscription(accountId, id, { skip: true }, bob);
    assert.equal(skipped?.deliveredId, await events.lastEventId(accountId));
    assert.equal(await count(skipped?.deliveredId ?? 0), 0);
    assert.deepEqual(await events.leaseSubscriptions(9, 6000, 7000), []);
  });

  test('waiting events are counted by kind, up to the limit', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.discover(name, [monitor]);
    await fixture.escalate('b.example', 'blocked');
    const { accountId, events } = fixture;
    assert.deepEqual(
      [
        await events.countEvents(accountId, { afterId: 0, limit: 99 }),
        await events.countEvents(accountId, { afterId: 0, limit: 99, kinds: ['escalated'] }),
        await events.countEvents(accountId, { afterId: 0, limit: 2 }),
        await events.countEvents('nobody', { afterId: 0, limit: 2 }),
      ],
      [4, 1, 2, 0],
    );
  });

  test('a change of a subscription keeps what it leaves out, and only its account can make it', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const { accountId, events } = fixture;
    const created = await events.createSubscription(accountId, { ...digest, schedule });
    assert.deepEqual(created.schedule, schedule);
    const { id } = created;
    const changed = await events.updateSubscription(accountId, id, { events: ['changed'] }, bob);
    assert.deepEqual(changed, { ...created, events: ['changed'], nextMs: 5000 });
    const hourly = await events.updateSubscription(accountId, id, { every: 'hour', schedule: null }, bob);
    assert.deepEqual([hourly?.every, hourly?.schedule, hourly?.events], ['hour', undefined, ['changed']]);
    assert.deepEqual(await events.findSubscription(accountId, id), hourly);
    assert.deepEqual(
      [
        await events.findSubscription(other.accountId, id),
        await events.updateSubscription(other.accountId, id, { paused: true }, bob),
        await events.recordDelivery(other.accountId, id, attempt()),
        await events.listDeliveries(other.accountId, id),
      ],
      [undefined, undefined, undefined, []],
    );
  });

  test('attempts to deliver the same events are one delivery', async () => {
    const { accountId, events } = newFixture();
    const { id, deliveredId } = await events.createSubscription(accountId, digest);
    const outcome = { deliveredId, failures: 1, nextMs: 3000 };
    const record = (one: DeliveryAttempt) => events.recordDeliveryOutcome(id, { ...outcome, attempt: one });
    await record(attempt({ atMs: 2000, error: 'refused' }));
    await record(attempt({ atMs: 2500, error: 'no answer', events: { firstId: 1, lastId: 4, count: 3 } }));
    await record(attempt({ atMs: 3000, events: { firstId: 1, lastId: 4, count: 3 } }));
    await record(attempt({ atMs: 3500, events: { firstId: 5, lastId: 5, count: 1 } }));
    await events.recordDeliveryOutcome(id, outcome);
    assert.deepEqual(await events.listDeliveries(accountId, id), [
      {
        number: 2,
        kind: 'events',
        status: 'delivered',
        events: { firstId: 5, lastId: 5, count: 1 },
        attempts: 1,
        firstMs: 3500,
        lastMs: 3500,
        error: undefined,
      },
      {
        number: 1,
        kind: 'events',
        status: 'delivered',
        events: { firstId: 1, lastId: 4, count: 3 },
        attempts: 3,
        firstMs: 2000,
        lastMs: 3000,
        error: undefined,
      },
    ]);
    assert.equal((await events.findSubscription(accountId, id))?.deliveredMs, 3500);
  });

  test('a test and a replay are deliveries of their own, and the log keeps the last fifty', async () => {
    const { accountId, events } = newFixture();
    const { id } = await events.createSubscription(accountId, digest);
    const made = await events.recordDelivery(
      accountId,
      id,
      attempt({ kind: 'test', events: undefined, error: 'x' }),
    );
    assert.deepEqual(
      [made?.number, made?.kind, made?.status, made?.events, made?.error],
      [1, 'test', 'failed', undefined, 'x'],
    );
    assert.equal((await events.findSubscription(accountId, id))?.deliveredMs, undefined);
    for (let at = 0; at < 60; at += 1)
      await events.recordDelivery(accountId, id, attempt({ kind: 'replay' }));
    const kept = await events.listDeliveries(accountId, id);
    assert.deepEqual([kept.length, kept[0]?.number, kept.at(-1)?.number], [50, 61, 12]);
    assert.equal(await events.deleteSubscription(accountId, id), true);
    assert.deepEqual(await events.listDeliveries(accountId, id), []);
  });
}
