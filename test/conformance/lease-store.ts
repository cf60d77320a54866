/** What every lease store promises. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { dayMs } from '../../src/model/durations.ts';
import type { LeaseStore } from '../../src/store/lease/lease-store.ts';

/** Two handles stand for two workers. */
export type OpenLeaseStores = (t: TestContext) => () => LeaseStore;

const nowMs = Date.parse('2026-03-04T10:00:00Z');
const untilMs = nowMs + 30_000;

export function leaseStoreConformance(title: string, open: OpenLeaseStores): void {
  describe(`${title} as a lease store`, () => {
    test('one holder has a lease, and may renew it', async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      const held = await one.acquireLease('source', 'a', nowMs, untilMs);
      assert.equal(held?.lease, 'source');
      assert.equal(await other.acquireLease('source', 'b', nowMs + 1, untilMs), undefined);
      assert.deepEqual(await one.acquireLease('source', 'a', nowMs + 2, untilMs + 5), held);
      assert.equal(await other.acquireLease('source', 'b', untilMs, untilMs + 30_000), undefined);
      assert.ok(await other.acquireLease('another', 'b', nowMs, untilMs));
    });

    test('a lease that was not renewed in time is taken over, and its former holder does not get it back', async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      await one.acquireLease('source', 'a', nowMs, untilMs);
      assert.ok(await other.acquireLease('source', 'b', untilMs, untilMs + 30_000));
      assert.equal(await one.acquireLease('source', 'a', untilMs + 1, untilMs + 30_001), undefined);
    });

    test('a lease that was released is free, and only its holder can release it', async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      await one.acquireLease('source', 'a', nowMs, untilMs);
      await other.releaseLease('source', 'b');
      assert.equal(await other.acquireLease('source', 'b', nowMs, untilMs), undefined);
      await one.releaseLease('source', 'a');
      assert.ok(await other.acquireLease('source', 'b', nowMs, untilMs));
    });

    test('the epoch of a lease is greater with every change of its holder, also after it was released or the clock was set back', async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      const epochs: number[] = [];
      for (const [store, holder, atMs] of [
        [one, 'a', nowMs],
        [other, 'b', nowMs],
        [one, 'a', nowMs - dayMs],
        [other, 'b', nowMs + dayMs],
      ] as const) {
        const held = (await store.acquireLease('source', holder, atMs, atMs + 1000)) ?? assert.fail();
        epochs.push(held.epoch);
        await store.releaseLease('source', holder);
      }
      assert.deepEqual(
        epochs,
        [...new Set(epochs)].sort((a, b) => a - b),
      );
    });

    test('a lease that was given while the clock was a day ahead locks nobody out', async (t) => {
      const handle = open(t);
      const [one, other] = [handle(), handle()];
      await one.acquireLease('source', 'a', nowMs + dayMs, untilMs + dayMs);
      assert.ok(await other.acquireLease('source', 'b', nowMs, untilMs));
    });

    test('of many that want a lease at once, one gets it', async (t) => {
      const handle = open(t);
      const stores = [handle(), handle()];
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          (stores[number % 2] as LeaseStore).acquireLease('source', `holder ${number}`, nowMs, untilMs),
        ),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
    });
  });
}
