/** Limits in the usage store against a simple model, and calendar windows. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import {
  burst,
  type CountedLimit,
  calendarWindow,
  type LimitWindow,
  perDay,
  perHour,
  perMinute,
  perMonth,
} from '../../../src/model/account/limit.ts';
import { openUsageStore } from '../../../src/store/embedded/usage-store.ts';
import type { ChargeOutcome, UsageStore } from '../../../src/store/usage-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const epoch = Date.parse('2024-01-01T00:00:00Z');

function open(t: TestContext): UsageStore {
  const store = openUsageStore(temporaryDirectory(t));
  t.after(() => store.close());
  return store;
}

/** The simple model: a list of all grants. */
class Reference {
  readonly #window: LimitWindow;
  readonly #grants: number[] = [];

  constructor(window: LimitWindow) {
    this.#window = window;
  }

  draw(limit: CountedLimit, nowMs: number): ChargeOutcome {
    const inside = this.#inside(nowMs);
    if (inside.length < limit.size) {
      this.#grants.push(nowMs);
      return { granted: true };
    }
    const refused = { granted: false, refusedBy: limit } as const;
    const endMs = this.#endOf(inside[inside.length - limit.size] ?? 0, nowMs);
    return endMs === undefined ? refused : { ...refused, retryAfterMs: endMs - nowMs };
  }

  remaining(size: number, nowMs: number): number {
    return Math.max(0, size - this.#inside(nowMs).length);
  }

  #inside(nowMs: number): number[] {
    return this.#grants.filter((atMs) => (this.#endOf(atMs, atMs) ?? Number.POSITIVE_INFINITY) > nowMs);
  }

  /** When a grant at `atMs` stops counting. */
  #endOf(atMs: number, nowMs: number): number | undefined {
    if (this.#window.kind === 'sliding') return atMs + this.#window.seconds * 1000;
    return this.#window.kind === 'calendar' ? calendarWindow(this.#window.period, nowMs).endMs : undefined;
  }
}

const day = 86_400_000;
const windows: Readonly<Record<string, readonly [LimitWindow, stepMs: number]>> = {
  sliding: [{ kind: 'sliding', seconds: 3 }, 2000],
  'calendar of 7 seconds': [{ kind: 'calendar', period: 7 }, 4000],
  'calendar of a day': [{ kind: 'calendar', period: 86_400 }, day],
  'calendar of a month': [{ kind: 'calendar', period: 'month' }, 20 * day],
  block: [{ kind: 'block' }, day],
};

const actions = (stepMs: number) =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.record({ advanceMs: fc.integer({ min: 0, max: stepMs }) }) },
      { weight: 5, arbitrary: fc.constant({ draw: true as const }) },
      { weight: 1, arbitrary: fc.record({ size: fc.integer({ min: 1, max: 6 }) }) },
    ),
    { maxLength: 50 },
  );

for (const [name, [window, stepMs]] of Object.entries(windows)) {
  test(`${name}: grants, remaining counts and waiting times agree with the model, also when the size changes`, async (t) => {
    const store = open(t);
    let counters = 0;
    await fc.assert(
      fc.asyncProperty(actions(stepMs), async (sequence) => {
        counters += 1;
        const [reference, subject] = [new Reference(window), `counter ${counters}`];
        let [nowMs, size] = [epoch, 3];
        for (const action of sequence) {
          if ('advanceMs' in action) nowMs += action.advanceMs;
          if ('size' in action) ({ size } = action);
          const limit = { name: 'x', size, window, subject };
          if ('draw' in action) {
            assert.deepEqual(await store.charge({ limits: [limit] }, nowMs), reference.draw(limit, nowMs));
          }
          assert.deepEqual(await store.remainingOf([limit], nowMs), [reference.remaining(size, nowMs)]);
        }
      }),
    );
  });

  if (window.kind === 'block') continue;
  test(`${name}: a charge at the announced time is granted, and one a millisecond earlier is not`, async (t) => {
    const store = open(t);
    let [counters, refusals] = [0, 0];
    const pauses = fc.array(fc.integer({ min: 0, max: stepMs >> 2 }), { minLength: 5, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), pauses, async (size, steps) => {
        counters += 1;
        const draw = (atMs: number) =>
          store.charge({ limits: [{ name: 'x', size, window, subject: `counter ${counters}` }] }, atMs);
        let nowMs = epoch;
        for (const step of steps) {
          nowMs += step;
          const outcome = await draw(nowMs);
          if (outcome.granted) continue;
          refusals += 1;
          const { retryAfterMs = 0 } = outcome;
          assert.ok(retryAfterMs > 0);
          assert.equal((await draw(nowMs + retryAfterMs - 1)).granted, false);
          nowMs += retryAfterMs;
          assert.deepEqual(await draw(nowMs), { granted: true });
        }
      }),
    );
    assert.ok(refusals > 0);
  });
}

test('no sliding window has more grants than its size, even if the clocks of processes differ by less than its length', async (t) => {
  const store = open(t);
  let counters = 0;
  const times = fc.array(fc.integer({ min: 0, max: 1999 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), times, async (size, offsets) => {
      counters += 1;
      const limit = { ...burst(size, 2), subject: `counter ${counters}` };
      const granted: number[] = [];
      for (const [index, offset] of offsets.entries()) {
        const atMs = epoch + index * 50 + offset;
        if ((await store.charge({ limits: [limit] }, atMs)).granted) granted.push(atMs);
      }
      granted.sort((a, b) => a - b);
      for (let first = 0; first + size < granted.length; first += 1) {
        assert.ok((granted[first + size] ?? 0) - (granted[first] ?? 0) >= 2000);
      }
    }),
  );
});

test('a sliding window of 30 a minute never allows 60 around the start of a minute', async (t) => {
  const store = open(t);
  const limit = { ...perMinute(30), subject: 'account:a/x' };
  const turn = Date.parse('2026-03-04T10:12:00Z');
  const grantedOf = async (atMs: number) => {
    const draws = Array.from({ length: 60 }, () => store.charge({ limits: [limit] }, atMs));
    return (await Promise.all(draws)).filter(({ granted }) => granted).length;
  };
  assert.equal(await grantedOf(turn - 1), 30);
  assert.equal(await grantedOf(turn + 1), 0);
  assert.equal(await grantedOf(turn + 59_998), 0);
  assert.equal(await grantedOf(turn + 59_999), 30);
});

const months: readonly (readonly [now: string, start: string, end: string])[] = [
  ['2026-01-01T00:00:00.000Z', '2026-01-01', '2026-02-01'],
  ['2026-01-31T23:59:59.999Z', '2026-01-01', '2026-02-01'],
  ['2026-02-28T23:59:59.999Z', '2026-02-01', '2026-03-01'],
  ['2024-02-29T12:00:00.000Z', '2024-02-01', '2024-03-01'],
  ['2100-02-28T23:59:59.999Z', '2100-02-01', '2100-03-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
];
for (const [now, start, end] of months) {
  test(`the month of ${now} is from ${start} to ${end}, 00:00 UTC`, () => {
    const found = calendarWindow('month', Date.parse(now));
    assert.deepEqual(found, { startMs: Date.parse(start), endMs: Date.parse(end) });
  });
}

const days: readonly (readonly [now: string, start: string, end: string])[] = [
  ['2026-03-04T00:00:00.000Z', '2026-03-04', '2026-03-05'],
  ['2026-03-04T23:59:59.999Z', '2026-03-04', '2026-03-05'],
  ['2024-02-28T23:59:59.999Z', '2024-02-28', '2024-02-29'],
  ['2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
];
for (const [now, start, end] of days) {
  test(`the day of ${now} is from ${start} to ${end}, 00:00 UTC`, () => {
    const found = calendarWindow(86_400, Date.parse(now));
    assert.deepEqual(found, { startMs: Date.parse(start), endMs: Date.parse(end) });
  });
}

test('calendar windows do not depend on the time zone of the machine', (t) => {
  const zone = process.env['TZ'];
  t.after(() => (zone === undefined ? delete process.env['TZ'] : (process.env['TZ'] = zone)));
  process.env['TZ'] = 'Pacific/Kiritimati';
  assert.equal(new Date(epoch).getHours(), 14);
  const found = calendarWindow('month', Date.parse('2026-01-31T23:00:00Z'));
  assert.deepEqual(found, { startMs: Date.parse('2026-01-01'), endMs: Date.parse('2026-02-01') });
});

test('a calendar window contains its time, and the next one starts where it ends', () => {
  const period = fc.oneof(fc.constant('month' as const), fc.integer({ min: 1, max: 10_000_000 }));
  const instant = fc.integer({ min: 0, max: Date.parse('2200-01-01') });
  fc.assert(
    fc.property(period, instant, (length, nowMs) => {
      const { startMs, endMs } = calendarWindow(length, nowMs);
      assert.ok(startMs <= nowMs && nowMs < endMs);
      assert.equal(calendarWindow(length, endMs).startMs, endMs);
      assert.equal(calendarWindow(length, endMs - 1).startMs, startMs);
    }),
  );
});

test('limits are named after their window', () => {
  assert.deepEqual(perMinute(1), { name: 'minute', size: 1, window: { kind: 'sliding', seconds: 60 } });
  assert.deepEqual(perHour(2), { name: 'hour', size: 2, window: { kind: 'sliding', seconds: 3600 } });
  assert.deepEqual(perDay(3), { name: 'day', size: 3, window: { kind: 'calendar', period: 86_400 } });
  assert.deepEqual(perMonth(4), { name: 'month', size: 4, window: { kind: 'calendar', period: 'month' } });
});
