/** What every event store must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../src/model/durations.ts';
import type { NewSubscription } from '../../src/store/event-store.ts';
import type { DetectStores } from '../../src/stores.ts';
import { WatchlistFixture } from '../harness/fixtures/watchlist-fixture.ts';
import { deliveries } from './detect/deliveries.ts';
import {
  describeDetectStore,
  type NewFixture,
  type OpenDetectStores,
} from './detect/describe-detect-store.ts';

const webhook: NewSubscription = {
  by: 'webhook',
  target: 'https://hooks.example/1',
  events: ['discovered', 'escalated'],
  every: 'event',
  seed: 'shared',
  createdBy: 'ann',
  createdMs: 1000,
  nextMs: 1000,
};

export function eventStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as an event store`, open, (newFixture) => {
    listing(newFixture);
    subscribing(newFixture);
    leasing(open);
    deliveries(newFixture, open);
  });
}

function listing(newFixture: NewFixture): void {
  test('event ids increase, and events are listed after an id and by kind', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const monitor = await fixture.monitor();
    await other.discover('x.example', [await other.monitor()]);
    for (const name of ['a.example', 'b.example', 'c.example']) await fixture.discover(name, [monitor]);
    await fixture.escalate('b.example', 'blocked');
    const list = (page: { afterId: number; limit: number; kinds?: ['escalated'] }) =>
      fixture.events.listEvents(fixture.accountId, page);
    const all = await list({ afterId: 0, limit: 99 });
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      [
        all.map(({ domain }) => domain[0]).join(''),
        await list({ afterId: ids[0] as number, limit: 2 }),
        await list({ afterId: 0, limit: 99, kinds: ['escalated'] }),
        (await fixture.events.listAllEvents(fixture.accountId, { afterId: 0, limit: 99 })).at(-1)?.id,
        await fixture.events.lastEventId('nobody'),
      ],
      ['abcb', all.slice(1, 3), all.slice(3), await fixture.events.lastEventId(fixture.accountId), 0],
    );
  });

  test('an event has the domain, its id and the monitors it names', async () => {
    const fixture = newFixture();
    const [one, hiding] = [await fixture.monitor(), await fixture.monitor({ textExclusions: ['a'] })];
    await fixture.discover('a.example', [one, hiding], { discoveredMs: 77 });
    const [{ id: _, ...event } = {}] = await fixture.events.listEvents(fixture.accountId, {
      afterId: 0,
      limit: 1,
    });
    assert.deepEqual(event, {
      kind: 'discovered',
      atMs: 77,
      domainId: (await fixture.find('a.example')).id,
      domain: 'a.example',
      monitorIds: [one.id],
      detail: {},
    });
  });

  test('events before a time are pruned, and ids are not reused', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.discover('a.example', [monitor], { discoveredMs: 1 });
    const before = await fixture.events.lastEventId(fixture.accountId);
    await fixture.events.pruneEvents(2);
    assert.deepEqual(await fixture.listEvents(), []);
    await fixture.discover('b.example', [monitor], { discoveredMs: 2 });
    await fixture.events.pruneEvents(2);
    assert.deepEqual(await fixture.listEvents(), ['discovered b.example']);
    assert.ok((await fixture.events.lastEventId(fixture.accountId)) > before);
  });
}

function subscribing(newFixture: NewFixture): void {
  test('a subscription starts with events that happen after its creation', async () => {
    const fixture = newFixture();
    await fixture.discover('a.example', [await fixture.monitor()]);
    const { id, ...subscription } = await fixture.events.createSubscription(fixture.accountId, webhook);
    assert.match(id, /^[A-Za-z0-9]{10}$/);
    assert.deepEqual(subscription, {
      ...webhook,
      accountId: fixture.accountId,
      deliveredId: await fixture.events.lastEventId(fixture.accountId),
      failures: 0,
      error: undefined,
      schedule: undefined,
      paused: undefined,
      deliveredMs: undefined,
      format: 'nameglass',
      options: {},
    });
    assert.deepEqual(await fixture.events.listSubscriptions(fixture.accountId), [{ id, ...subscription }]);
  });

  test('a subscription keeps the format and the options of its receiver', async () => {
    const fixture = newFixture();
    const syslog = {
      ...webhook,
      by: 'syslog',
      target: 'tls://siem.example:6514',
      format: 'ecs',
      options: { ca: 'a certificate', index: 'main' },
    } as const;
    const { id } = await fixture.events.createSubscription(fixture.accountId, syslog);
    const found = await fixture.events.findSubscription(fixture.accountId, id);
    assert.deepEqual([found?.by, found?.format, found?.options], ['syslog', 'ecs', syslog.options]);
  });

  test('only its own account can delete a subscription', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    const { id } = await fixture.events.createSubscription(fixture.accountId, webhook);
    const remove = (one: WatchlistFixture) => one.events.deleteSubscription(one.accountId, id);
    assert.deepEqual(
      [await remove(other), await remove(fixture), await remove(fixture)],
      [false, true, false],
    );
  });
}

function leasing(open: OpenDetectStores): void {
  test('a subscription that is due and has undelivered events is leased to one process', async (t) => {
    const handle = open(t);
    const [stores, other] = [handle(), handle()];
    const fixture = new WatchlistFixture(stores);
    const { id } = await stores.events.createSubscription(fixture.accountId, webhook);
    await stores.events.createSubscription(fixture.accountId, { ...webhook, events: ['changed'] });
    await stores.events.createSubscription(fixture.accountId, { ...webhook, nextMs: 5000 });
    const lease = (each: DetectStores, nowMs: number) =>
      each.events.leaseSubscriptions(9, nowMs, nowMs + 100);
    const quiet = await lease(stores, 2000);
    await fixture.discover('a.example', [await fixture.monitor()]);
    const leased = (await Promise.all([lease(stores, 2000), lease(other, 2000)])).flat();
    const held = await lease(other, 2099);
    const expired = await lease(other, 2100);
    assert.deepEqual(
      [quiet, leased.map((one) => one.id), held, expired.map((one) => one.id)],
      [[], [id], [], [id]],
    );
  });

  test('a subscription leased and delayed by a clock that was a year ahead is due when the clock is set back', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    const { id, deliveredId } = await stores.events.createSubscription(fixture.accountId, webhook);
    await fixture.discover('a.example', [await fixture.monitor()]);
    const lease = async (nowMs: number) =>
      (await stores.events.leaseSubscriptions(9, nowMs, nowMs + 1000)).map((one) => one.id);
    const yearMs = 365 * dayMs;
    const leases = [await lease(yearMs), await lease(2000), await lease(2999)];
    await stores.events.recordDeliveryOutcome(id, { deliveredId, failures: 1, nextMs: yearMs + 30_000 });
    assert.deepEqual([...leases, await lease(3000)], [[id], [id], [], [id]]);
  });

  test('delivered events are not due again, and a failed delivery waits for its next time', async (t) => {
    const stores = open(t)();
    const fixture = new WatchlistFixture(stores);
    const monitor = await fixture.monitor();
    const { id, deliveredId } = await stores.events.createSubscription(fixture.accountId, webhook);
    await fixture.discover('a.example', [monitor]);
    const lease = (nowMs: number) => stores.events.leaseSubscriptions(9, nowMs, nowMs + 1000);
    await lease(2000);
    await stores.events.recordDeliveryOutcome(id, {
      deliveredId,
      failures: 1,
      error: 'refused',
      nextMs: 3000,
    });
    const [failed] = await stores.events.listSubscriptions(fixture.accountId);
    const early = await lease(2999);
    const [again] = await lease(3000);
    const lastId = await stores.events.lastEventId(fixture.accountId);
    await stores.events.recordDeliveryOutcome(id, { deliveredId: lastId, failures: 0, nextMs: 3000 });
    const none = await lease(9000);
    await fixture.discover('b.example', [monitor]);
    const [next] = await lease(9000);
    assert.deepEqual(
      [failed?.failures, failed?.error, early, again?.deliveredId, none, next?.deliveredId, next?.error],
      [1, 'refused', [], deliveredId, [], lastId, undefined],
    );
  });
}
