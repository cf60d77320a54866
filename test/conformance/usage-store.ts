/** What every usage store must do. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  absolute,
  bucket,
  type CountedLimit,
  type Limit,
  perDay,
  perMinute,
  perMonth,
  perUtcHour,
} from '../../src/model/account/limit.ts';
import { dayMs, hourMs } from '../../src/model/durations.ts';
import type { ChargeOutcome, UsageStore } from '../../src/store/usage-store.ts';
import { keyUsesConformance } from './account/key-uses.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenUsageStore = (t: TestContext) => () => UsageStore;

const start = Date.parse('2026-03-04T10:11:12.345Z');
const dayEnd = Date.parse('2026-03-05T00:00:00Z');
const monthEnd = Date.parse('2026-04-01T00:00:00Z');

const counted = (limit: Limit, subject = 'account:a/x'): CountedLimit => ({ ...limit, subject });
const granted = { granted: true };

async function chargeTimes(store: UsageStore, times: number, limit: CountedLimit): Promise<ChargeOutcome[]> {
  return Promise.all(Array.from({ length: times }, () => store.charge({ limits: [limit] }, start)));
}

const kinds: Readonly<Record<string, (size: number) => Limit>> = {
  sliding: perMinute,
  calendar: perDay,
  block: absolute,
  bucket: (size) => bucket(size, 1),
};

export function usageStoreConformance(name: string, open: OpenUsageStore): void {
  describe(`${name} as a usage store`, () => {
    for (const [kind, limitOf] of Object.entries(kinds)) everyKind(kind, limitOf, open);
    remainders(open);
    waiting(open);
    severalLimits(open);
    tallies(open);
    keyUsesConformance(open);
    savedTexts(open);
    amounts(open);
    claims(open);
    lifeCycle(open);
  });
}

function everyKind(kind: string, limitOf: (size: number) => Limit, open: OpenUsageStore): void {
  test(`LIM-18 a ${kind} limit of 10 grants exactly 10 of 25 concurrent charges from two processes`, async (t) => {
    const handle = open(t);
    const [one, other, limit] = [handle(), handle(), counted(limitOf(10))];
    const outcomes = (await Promise.all([chargeTimes(one, 12, limit), chargeTimes(other, 13, limit)])).flat();
    assert.equal(outcomes.filter((outcome) => outcome.granted).length, 10);
  });

  test(`a ${kind} limit of 3 counts down from 3 to 0 as it is charged`, async (t) => {
    const [store, limit] = [open(t)(), counted(limitOf(3))];
    const seen = [];
    for (let charges = 0; charges < 4; charges += 1) {
      seen.push(...(await store.remainingOf([limit], start)));
      await store.charge({ limits: [limit] }, start);
    }
    assert.deepEqual(seen, [3, 2, 1, 0]);
    assert.deepEqual(await store.remainingOf([limit], start), [0]);
  });

  test(`reading what a ${kind} limit has left costs nothing, and another process reads the same`, async (t) => {
    const handle = open(t);
    const [one, other, limit] = [handle(), handle(), counted(limitOf(5))];
    await chargeTimes(one, 2, limit);
    for (const store of [one, other, one, other]) {
      assert.deepEqual(await store.remainingOf([limit], start), [3]);
    }
  });

  test(`a refused charge of a ${kind} limit counts nothing: a raised limit has room for all of the raise`, async (t) => {
    const store = open(t)();
    await chargeTimes(store, 7, counted(limitOf(2)));
    assert.deepEqual(await store.remainingOf([counted(limitOf(5))], start), [3]);
    const more = await chargeTimes(store, 4, counted(limitOf(5)));
    assert.deepEqual(
      more.map((outcome) => outcome.granted),
      [true, true, true, false],
    );
  });

  test(`a ${kind} limit lowered below its usage has 0 left, not less`, async (t) => {
    const store = open(t)();
    await chargeTimes(store, 5, counted(limitOf(5)));
    assert.deepEqual(await store.remainingOf([counted(limitOf(2))], start), [0]);
    assert.equal((await store.charge({ limits: [counted(limitOf(2))] }, start)).granted, false);
  });

  test(`${kind} limits are counted separately by subject and by name`, async (t) => {
    const [store, limit] = [open(t)(), counted(limitOf(1))];
    const apart = [counted(limitOf(1), 'account:b/x'), { ...limit, name: 'other' }];
    await chargeTimes(store, 1, limit);
    assert.deepEqual(await store.remainingOf([limit, ...apart], start), [0, 1, 1]);
  });

  test(`a ${kind} limit of 0 grants nothing and gives no time to retry, since waiting does not help`, async (t) => {
    const [store, limit] = [open(t)(), counted(limitOf(0))];
    assert.deepEqual(await store.charge({ limits: [limit] }, start), { granted: false, refusedBy: limit });
  });
}

function remainders(open: OpenUsageStore): void {
  for (const [kind, limitOf] of Object.entries(kinds)) {
    test(`concurrent charges of a ${kind} limit each return a different remainder, across processes`, async (t) => {
      const handle = open(t);
      const [one, other, limit] = [handle(), handle(), counted(limitOf(10))];
      const charges = Array.from({ length: 14 }, (_, index) =>
        (index % 2 === 0 ? one : other).charge({ limits: [limit], remainingOf: limit }, start),
      );
      const left = (await Promise.all(charges)).flatMap((outcome) =>
        outcome.granted ? [outcome.remaining] : [],
      );
      assert.deepEqual(
        left.sort((a = 0, b = 0) => a - b),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
    });
  }

  test('a charge without `remainingOf` returns no remainder', async (t) => {
    const [outcome] = await chargeTimes(open(t)(), 1, counted(perDay(5)));
    assert.deepEqual(outcome, granted);
  });
}

function waiting(open: OpenUsageStore): void {
  test('a sliding limit refuses until its oldest grant is exactly one window old', async (t) => {
    const [store, limit] = [open(t)(), counted(perMinute(2))];
    const chargeAt = (atMs: number) => store.charge({ limits: [limit] }, atMs);
    await chargeAt(start);
    await chargeAt(start + 20_000);
    const refused = { granted: false, refusedBy: limit };
    assert.deepEqual(await chargeAt(start + 30_000), { ...refused, retryAfterMs: 30_000 });
    assert.deepEqual(await chargeAt(start + 59_999), { ...refused, retryAfterMs: 1 });
    assert.deepEqual(await chargeAt(start + 60_000), granted);
    assert.deepEqual(await chargeAt(start + 60_000), { ...refused, retryAfterMs: 20_000 });
  });

  test('a bucket grants its size at once, and then one for each time that a token takes to come back', async (t) => {
    const [store, limit] = [open(t)(), counted(bucket(3, 10))];
    const chargeAt = (atMs: number) => store.charge({ limits: [limit] }, atMs);
    for (let charges = 0; charges < 3; charges += 1) assert.deepEqual(await chargeAt(start), granted);
    const refused = { granted: false, refusedBy: limit };
    assert.deepEqual(await chargeAt(start), { ...refused, retryAfterMs: 100 });
    assert.deepEqual(await chargeAt(start + 99), { ...refused, retryAfterMs: 1 });
    assert.deepEqual(await chargeAt(start + 100), granted);
    assert.deepEqual(await chargeAt(start + 100), { ...refused, retryAfterMs: 100 });
    assert.deepEqual(await store.remainingOf([limit], start + 399), [2]);
    assert.deepEqual(await store.remainingOf([limit], start + 400), [3]);
  });

  for (const [period, limitOf, endMs] of [
    ['day', perDay, dayEnd],
    ['month', perMonth, monthEnd],
  ] as const) {
    test(`a limit per ${period} refuses until 00:00 UTC of the next and is then full again`, async (t) => {
      const [store, limit] = [open(t)(), counted(limitOf(1))];
      await chargeTimes(store, 1, limit);
      const refused = { granted: false, refusedBy: limit, retryAfterMs: 1 };
      assert.deepEqual(await store.charge({ limits: [limit] }, endMs - 1), refused);
      assert.deepEqual(await store.remainingOf([limit], endMs), [1]);
      assert.deepEqual(await store.charge({ limits: [limit] }, endMs), granted);
    });
  }

  test('an exhausted block is refused without a time to retry, and never refills', async (t) => {
    const [store, limit] = [open(t)(), counted(absolute(1))];
    await chargeTimes(store, 1, limit);
    for (const atMs of [start, monthEnd, start + 10 * 365 * dayMs]) {
      assert.deepEqual(await store.charge({ limits: [limit] }, atMs), { granted: false, refusedBy: limit });
      assert.deepEqual(await store.remainingOf([limit], atMs), [0]);
    }
  });

  test('a charge with a time just before midnight that comes after one of the new day loses no grant', async (t) => {
    const [store, limit] = [open(t)(), counted(perDay(1))];
    assert.deepEqual(await store.charge({ limits: [limit] }, dayEnd + 1), granted);
    await store.charge({ limits: [limit] }, dayEnd - 1);
    assert.deepEqual(await store.remainingOf([limit], dayEnd + 2), [0]);
    assert.equal((await store.charge({ limits: [limit] }, dayEnd + 2)).granted, false);
  });
}

function severalLimits(open: OpenUsageStore): void {
  const limits = [counted(perMinute(5)), counted(perDay(2)), counted(absolute(4))];

  test('a granted charge is counted once in each of its limits', async (t) => {
    const store = open(t)();
    assert.deepEqual(await store.charge({ limits }, start), granted);
    assert.deepEqual(await store.remainingOf(limits, start), [4, 1, 3]);
  });

  test('a charge that one of its limits refuses is counted in none, nor in the tally', async (t) => {
    const store = open(t)();
    const request = { limits, tally: { owner: 'account:a', item: 'x' } };
    await store.charge(request, start);
    await store.charge(request, start);
    const outcome = await store.charge(request, start);
    assert.deepEqual(outcome, { granted: false, refusedBy: limits[1], retryAfterMs: dayEnd - start });
    assert.deepEqual(await store.remainingOf(limits, start), [3, 0, 2]);
    assert.deepEqual((await store.talliesOf('account:a', start)).get('x'), { today: 2, month: 2 });
  });

  test('of several exhausted limits the one with the longest wait refuses, regardless of their order', async (t) => {
    const store = open(t)();
    const [minute, day, block] = [counted(perMinute(1)), counted(perDay(1)), counted(absolute(1))];
    await store.charge({ limits: [minute, day, block] }, start);
    for (const pair of [
      [minute, day],
      [day, minute],
    ]) {
      const outcome = await store.charge({ limits: pair }, start);
      assert.deepEqual(outcome, { granted: false, refusedBy: day, retryAfterMs: dayEnd - start });
    }
    const outcome = await store.charge({ limits: [minute, block, day] }, start);
    assert.deepEqual(outcome, { granted: false, refusedBy: block });
    assert.deepEqual(await store.charge({ limits: [minute, day] }, dayEnd), granted);
  });

  test('a charge without limits is granted and tallied', async (t) => {
    const store = open(t)();
    assert.deepEqual(
      await store.charge({ limits: [], tally: { owner: 'account:a', item: 'x' } }, start),
      granted,
    );
    assert.deepEqual((await store.talliesOf('account:a', start)).get('x'), { today: 1, month: 1 });
  });

  test('what several limits have left is returned in their order', async (t) => {
    const store = open(t)();
    assert.deepEqual(await store.remainingOf(limits.toReversed(), start), [4, 2, 5]);
    assert.deepEqual(await store.remainingOf([], start), []);
  });
}

function tallies(open: OpenUsageStore): void {
  const count = (store: UsageStore, item: string, atMs: number, owner = 'account:a') =>
    store.charge({ limits: [], tally: { owner, item } }, atMs);
  const read = async (store: UsageStore, atMs: number, owner = 'account:a') =>
    Object.fromEntries(await store.talliesOf(owner, atMs));

  test('requests are tallied by item, day and month, and start again with the next', async (t) => {
    const store = open(t)();
    await count(store, 'x', start);
    await count(store, 'x', dayEnd - 1);
    await count(store, 'y', dayEnd - 1);
    assert.deepEqual(await read(store, dayEnd - 1), { x: { today: 2, month: 2 }, y: { today: 1, month: 1 } });
    await count(store, 'x', dayEnd);
    assert.deepEqual(await read(store, dayEnd), { x: { today: 1, month: 3 }, y: { today: 0, month: 1 } });
    await count(store, 'x', monthEnd);
    assert.deepEqual((await store.talliesOf('account:a', monthEnd)).get('x'), { today: 1, month: 1 });
  });

  test('an owner has only its own requests, and none before the first', async (t) => {
    const store = open(t)();
    await count(store, 'x', start);
    assert.deepEqual(await read(store, start, 'account:b'), {});
    await count(store, 'z', start, 'account:b');
    assert.deepEqual(await read(store, start), { x: { today: 1, month: 1 } });
  });

  test('an item without any request in the current month is absent', async (t) => {
    const store = open(t)();
    await count(store, 'x', start);
    assert.deepEqual(await read(store, monthEnd - 1), { x: { today: 0, month: 1 } });
    assert.deepEqual(await read(store, monthEnd), {});
  });

  test('a request with a time just before midnight that comes after one of the new day loses none', async (t) => {
    const store = open(t)();
    await count(store, 'x', dayEnd + 1);
    await count(store, 'x', dayEnd - 1);
    await count(store, 'x', dayEnd + 2);
    const tally = (await store.talliesOf('account:a', dayEnd + 2)).get('x');
    assert.equal(tally?.month, 3);
    assert.ok(tally.today >= 2, `${tally.today} of the two requests of the new day are left`);
  });

  test('reading costs nothing and returns the same map as long as nothing has changed', async (t) => {
    const store = open(t)();
    await count(store, 'x', start);
    const first = await store.talliesOf('account:a', start);
    await yieldToEventLoop();
    assert.equal(await store.talliesOf('account:a', start + 1), first);
    await count(store, 'x', start);
    assert.notEqual(await store.talliesOf('account:a', start), first);
    assert.deepEqual(await read(store, start), { x: { today: 2, month: 2 } });
  });

  test('the requests of another process are in the tallies read next', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await count(one, 'x', start);
    assert.deepEqual(await read(other, start), { x: { today: 1, month: 1 } });
    await count(one, 'x', start);
    await yieldToEventLoop();
    assert.deepEqual(await read(other, start), { x: { today: 2, month: 2 } });
  });
}

function savedTexts(open: OpenUsageStore): void {
  const limit = counted(perMinute(2));
  const charge = (store: UsageStore, text: string, name = 'one') =>
    store.charge({ limits: [limit], savedText: { name, text } }, start);

  test('a granted charge replaces the saved text, and another process reads it', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    assert.equal(await one.findSavedText('one'), undefined);
    await charge(one, 'first');
    await charge(one, 'second');
    assert.deepEqual(
      [await one.findSavedText('one'), await other.findSavedText('one')],
      ['second', 'second'],
    );
    assert.equal(await other.findSavedText('two'), undefined);
  });

  test('neither a refused charge nor one without a text changes the saved text', async (t) => {
    const store = open(t)();
    await charge(store, 'first');
    await store.charge({ limits: [limit] }, start);
    assert.equal((await charge(store, 'refused')).granted, false);
    assert.equal((await charge(store, 'refused', 'two')).granted, false);
    assert.deepEqual(
      [await store.findSavedText('one'), await store.findSavedText('two')],
      ['first', undefined],
    );
  });

  test('a saved text survives restart and pruning', async (t) => {
    const handle = open(t);
    const first = handle();
    await charge(first, 'kept');
    await first.pruneUsage(start + 10 * 365 * dayMs);
    await first.close();
    assert.equal(await handle().findSavedText('one'), 'kept');
  });
}

function amounts(open: OpenUsageStore): void {
  const bytes = (size: number, amount: number) => ({ ...counted(perUtcHour('bytes', size)), amount });

  test('a charge of an amount is granted as long as the amount fits, and a smaller one may fit where a larger did not', async (t) => {
    const store = open(t)();
    const charge = async (amount: number, atMs = start) =>
      (await store.charge({ limits: [bytes(100, amount)] }, atMs)).granted;
    assert.deepEqual(
      [await charge(60), await charge(41), await charge(40), await charge(1)],
      [true, false, true, false],
    );
    assert.deepEqual(await store.remainingOf([bytes(100, 1)], start), [0]);
    assert.equal(await charge(100, start + hourMs), true);
  });

  test('an amount larger than the limit is refused without a time to wait', async (t) => {
    const store = open(t)();
    const limit = bytes(100, 101);
    assert.deepEqual(await store.charge({ limits: [limit] }, start), { granted: false, refusedBy: limit });
    assert.deepEqual(await store.remainingOf([limit], start), [100]);
  });
}

function claims(open: OpenUsageStore): void {
  const [id, otherId] = [Buffer.from('one signed request'), Buffer.from('another')];

  test('an id is claimed once across processes, and does not affect another id', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    assert.equal(await one.claim([{ id, usesMax: 1 }], start + 10, start), true);
    assert.equal(await one.claim([{ id, usesMax: 1 }], start + 10, start), false);
    assert.equal(await other.claim([{ id, usesMax: 1 }], start + 10, start), false);
    assert.equal(await other.claim([{ id: otherId, usesMax: 1 }], start + 10, start), true);
  });

  test('of 50 concurrent claims from two processes exactly one is true', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? one : other).claim([{ id, usesMax: 1 }], start + 10, start),
      ),
    );
    assert.equal(results.filter(Boolean).length, 1);
  });

  test('a claim holds until it expires, and a refused one does not extend it', async (t) => {
    const store = open(t)();
    await store.claim([{ id, usesMax: 1 }], start + 10, start);
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 99, start + 9), false);
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 20, start + 10), true);
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 30, start + 19), false);
  });

  test('an id can be used as often as its claims allow, and every claim has its own maximum', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const claim = (store: UsageStore, usesMax: number) => store.claim([{ id, usesMax }], start + 10, start);
    assert.deepEqual([await claim(one, 3), await claim(other, 3), await claim(one, 1)], [true, true, false]);
    assert.deepEqual([await claim(one, 3), await claim(other, 3)], [true, false]);
    assert.equal(await claim(other, Number.POSITIVE_INFINITY), true);
  });

  test('several ids are claimed together or not at all', async (t) => {
    const store = open(t)();
    const claim = (...ids: Buffer[]) =>
      store.claim(
        ids.map((one) => ({ id: one, usesMax: 1 })),
        start + 10,
        start,
      );
    assert.equal(await claim(id), true);
    assert.equal(await claim(otherId, id), false);
    assert.equal(await claim(otherId), true);
  });

  test('a released use can be claimed again, and other uses of the id stay counted', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const claim = (store: UsageStore) => store.claim([{ id, usesMax: 2 }], start + 10, start);
    assert.deepEqual([await claim(one), await claim(other), await claim(one)], [true, true, false]);
    await other.releaseClaims([id]);
    assert.deepEqual([await claim(one), await claim(one)], [true, false]);
  });

  test('releasing an id that is not claimed changes nothing', async (t) => {
    const store = open(t)();
    await store.releaseClaims([id]);
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 10, start), true);
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 10, start), false);
  });
}

function lifeCycle(open: OpenUsageStore): void {
  test('pruning deletes nothing that a window still covers', async (t) => {
    const store = open(t)();
    const limits = [counted(perMinute(3)), counted(perDay(3)), counted(absolute(3))];
    const id = Buffer.from('one signed request');
    await store.charge({ limits, tally: { owner: 'account:a', item: 'x' } }, start);
    await store.claim([{ id, usesMax: 1 }], start + 60_000, start);
    await store.pruneUsage(start + 59_999);
    assert.deepEqual(await store.remainingOf(limits, start + 59_999), [2, 2, 2]);
    assert.deepEqual((await store.talliesOf('account:a', start)).get('x'), { today: 1, month: 1 });
    assert.equal(await store.claim([{ id, usesMax: 1 }], start + 60_000, start + 59_999), false);
    await store.pruneUsage(start + 10 * 365 * dayMs);
    assert.deepEqual(await store.remainingOf(limits.slice(2), start), [2]);
  });

  test('charges and claims survive a restart, even if the store is closed immediately', async (t) => {
    const handle = open(t);
    const [first, limit, id] = [handle(), counted(absolute(3)), Buffer.from('one signed request')];
    const [outcome, claimed] = [
      first.charge({ limits: [limit] }, start),
      first.claim([{ id, usesMax: 1 }], start + 10, start),
    ];
    await first.close();
    assert.deepEqual([await outcome, await claimed], [granted, true]);
    const second = handle();
    assert.deepEqual(await second.remainingOf([limit], start), [2]);
    assert.equal(await second.claim([{ id, usesMax: 1 }], start + 10, start), false);
  });
}
