/**
 * What every usage store must do when the clock is set. Each sequence has real time, which only passes, and a clock that is ahead of it
 * or behind it; the promises of docs/decisions/0040-clock-steps.md are checked in real time.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  absolute,
  bucket,
  type CountedLimit,
  calendar,
  calendarWindow,
  type Limit,
  perDay,
  perMinute,
  perMonth,
} from '../../src/model/account/limit.ts';
import { dayMs, hourMs, minuteMs } from '../../src/model/durations.ts';
import type { UsageStore } from '../../src/store/usage-store.ts';
import type { OpenUsageStore } from './usage-store.ts';

const start = Date.parse('2026-03-04T10:11:12.345Z');
const size = 3;
/** Requests of other processes may be this much out of order, and time then stops for that long. */
const reorderingMs = 10_000;

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'set'; readonly byMs: number }
  | { readonly kind: 'charge' };

const waiting = fc.integer({ min: 0, max: 90_000 }).map((ms): Step => ({ kind: 'wait', ms }));
const charging = fc.constant<Step>({ kind: 'charge' });
const setting = (min: number, max: number) =>
  fc.integer({ min, max }).map((byMs): Step => ({ kind: 'set', byMs }));
const sequences = (...steps: fc.Arbitrary<Step>[]) =>
  fc.array(fc.oneof(waiting, charging, charging, charging, ...steps), { maxLength: 60 });

const counted = (limit: Limit, subject = 'account:a/x'): CountedLimit => ({ ...limit, subject });

interface Replay {
  /** In real time. */
  readonly grantsMs: readonly number[];
  readonly forwardStepsMs: readonly number[];
  readonly realMs: number;
  readonly clockMs: number;
}

async function replay(store: UsageStore, limit: CountedLimit, steps: readonly Step[]): Promise<Replay> {
  const [grantsMs, forwardStepsMs]: [number[], number[]] = [[], []];
  let [realMs, aheadMs] = [start, 0];
  for (const step of steps) {
    if (step.kind === 'wait') realMs += step.ms;
    else if (step.kind === 'set') {
      aheadMs += step.byMs;
      if (step.byMs > 0) forwardStepsMs.push(realMs);
    } else if ((await store.charge({ limits: [limit] }, realMs + aheadMs)).granted) grantsMs.push(realMs);
  }
  return { grantsMs, forwardStepsMs, realMs, clockMs: realMs + aheadMs };
}

const within = (times: readonly number[], fromMs: number, lengthMs: number) =>
  times.filter((atMs) => atMs >= fromMs && atMs < fromMs + lengthMs).length;

export function usageClockSteps(name: string, open: OpenUsageStore): void {
  describe(`${name} as a usage store whose clock is set`, () => {
    slidingWindows(open);
    buckets(open);
    calendarWindows(open);
    tallies(open);
  });
}

function buckets(open: OpenUsageStore): void {
  test('a bucket used up while the clock was a day ahead fills from the time that the clock was set to', async (t) => {
    const [store, limit] = [open(t)(), counted(bucket(5, 10))];
    const chargeAt = (atMs: number) => store.charge({ limits: [limit] }, atMs);
    for (let charges = 0; charges < 5; charges += 1) await chargeAt(start + dayMs);
    assert.deepEqual(await chargeAt(start), { granted: false, refusedBy: limit, retryAfterMs: 100 });
    assert.equal((await chargeAt(start + 100)).granted, true);
    assert.deepEqual(await store.remainingOf([limit], start + 600), [5]);
  });
}

function slidingWindows(open: OpenUsageStore): void {
  test('a limit used up while the clock was a day ahead has room one window after it was set back', async (t) => {
    const [store, limit] = [open(t)(), counted(perMinute(5))];
    const chargeAt = (atMs: number) => store.charge({ limits: [limit] }, atMs);
    for (let charges = 0; charges < 5; charges += 1) await chargeAt(start + dayMs);
    assert.deepEqual(await chargeAt(start), { granted: false, refusedBy: limit, retryAfterMs: minuteMs });
    assert.deepEqual(await store.remainingOf([limit], start), [0]);
    assert.deepEqual(await chargeAt(start + minuteMs - 1), {
      granted: false,
      refusedBy: limit,
      retryAfterMs: 1,
    });
    assert.deepEqual(await store.remainingOf([limit], start + minuteMs), [5]);
    assert.equal((await chargeAt(start + minuteMs)).granted, true);
  });

  test('setting the clock back never gives a sliding limit more than its size within one window', async (t) => {
    const store = open(t)();
    let runs = 0;
    const property = async (steps: readonly Step[]) => {
      const limit = counted(perMinute(size), `account:${++runs}/x`);
      const { grantsMs } = await replay(store, limit, steps);
      for (const fromMs of grantsMs) assert.ok(within(grantsMs, fromMs, minuteMs) <= size);
    };
    await fc.assert(fc.asyncProperty(sequences(setting(-2 * dayMs, 0), setting(-90_000, 0)), property));
  });

  test('setting the clock forward gives a sliding limit at most its size for each time', async (t) => {
    const store = open(t)();
    let runs = 0;
    const property = async (steps: readonly Step[]) => {
      const limit = counted(perMinute(size), `account:${++runs}/x`);
      const { grantsMs, forwardStepsMs } = await replay(store, limit, steps);
      for (const fromMs of grantsMs) {
        const allowed = size * (1 + within(forwardStepsMs, fromMs, minuteMs));
        assert.ok(within(grantsMs, fromMs, minuteMs) <= allowed);
      }
    };
    const steps = sequences(setting(-2 * dayMs, 2 * dayMs), setting(-90_000, 90_000));
    await fc.assert(fc.asyncProperty(steps, property));
  });

  test('a sliding limit has room one window after the first request that the set clock refused', async (t) => {
    const store = open(t)();
    let runs = 0;
    const property = async (steps: readonly Step[]) => {
      const limit = counted(perMinute(size), `account:${++runs}/x`);
      const { clockMs } = await replay(store, limit, steps);
      const outcome = await store.charge({ limits: [limit] }, clockMs);
      if (!outcome.granted) assert.ok((outcome.retryAfterMs ?? 0) <= minuteMs + reorderingMs);
      const retryMs = outcome.granted ? 0 : (outcome.retryAfterMs ?? 0);
      assert.equal(
        (await store.charge({ limits: [limit] }, clockMs + retryMs)).granted || retryMs === 0,
        true,
      );
    };
    const steps = sequences(setting(-400 * dayMs, 400 * dayMs), setting(-90_000, 90_000));
    await fc.assert(fc.asyncProperty(steps, property));
  });
}

function calendarWindows(open: OpenUsageStore): void {
  test('a month that is used up stays used up when the clock was in the next month and is back', async (t) => {
    const [store, limit] = [open(t)(), counted(perMonth(10))];
    const chargeAt = (atMs: number) => store.charge({ limits: [limit] }, atMs);
    const next = Date.parse('2026-04-02T00:00:00Z');
    for (let charges = 0; charges < 10; charges += 1) await chargeAt(start);
    assert.equal((await chargeAt(next)).granted, true);
    const { endMs } = calendarWindow('month', start);
    assert.deepEqual(await chargeAt(start), {
      granted: false,
      refusedBy: limit,
      retryAfterMs: endMs - start,
    });
    assert.deepEqual(await store.remainingOf([limit], start), [0]);
    assert.deepEqual(await store.remainingOf([limit], next), [9]);
  });

  test('a block that is used up stays used up whatever the clock says', async (t) => {
    const [store, limit] = [open(t)(), counted(absolute(1))];
    await store.charge({ limits: [limit] }, start + 400 * dayMs);
    for (const atMs of [start, start - 400 * dayMs, start + 800 * dayMs])
      assert.equal((await store.charge({ limits: [limit] }, atMs)).granted, false);
  });

  for (const [period, limitOf, stepMs] of [
    ['hour', (many: number) => calendar('quota', many, 3600), hourMs],
    ['day', perDay, dayMs],
    ['month', perMonth, 31 * dayMs],
  ] as const) {
    test(`every ${period} grants its size exactly once, however often the clock returns to it`, async (t) => {
      const store = open(t)();
      let runs = 0;
      const property = async (visits: readonly number[]) => {
        const limit = counted(limitOf(size), `account:${++runs}/x`);
        assert.ok(limit.window.kind === 'calendar');
        const granted = new Map<number, number>();
        for (const visit of visits) {
          const atMs = start + visit * stepMs;
          const { startMs, endMs } = calendarWindow(limit.window.period, atMs);
          const used = granted.get(startMs) ?? 0;
          const outcome = await store.charge({ limits: [limit] }, atMs);
          assert.equal(outcome.granted, used < size);
          if (outcome.granted) granted.set(startMs, used + 1);
          else assert.equal(outcome.retryAfterMs, endMs - atMs);
          assert.deepEqual(await store.remainingOf([limit], atMs), [size - (granted.get(startMs) ?? 0)]);
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: -4, max: 3 }), { maxLength: 40 }), property),
      );
    });
  }
}

function tallies(open: OpenUsageStore): void {
  test('the requests of a day and a month are still counted when the clock was elsewhere and is back', async (t) => {
    const store = open(t)();
    const count = (atMs: number) =>
      store.charge({ limits: [], tally: { owner: 'account:a', item: 'x' } }, atMs);
    for (const atMs of [start, start, start + 40 * dayMs, start - 40 * dayMs, start + dayMs])
      await count(atMs);
    assert.deepEqual((await store.talliesOf('account:a', start)).get('x'), { today: 2, month: 3 });
  });
}
