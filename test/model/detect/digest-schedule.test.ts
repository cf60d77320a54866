import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nextScheduledMs } from '../../../src/model/detect/digest-schedule.ts';
import { dayMs, hourMs } from '../../../src/model/durations.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const next = (hour: number, zone: string, after: string, weekdays: readonly number[] = everyDay) =>
  new Date(nextScheduledMs({ hour, zone, weekdays }, Date.parse(after))).toISOString();

test('a digest comes at its hour of the next chosen day', () => {
  assert.equal(next(8, 'UTC', '2026-03-04T07:59:59Z'), '2026-03-04T08:00:00.000Z');
  assert.equal(next(8, 'UTC', '2026-03-04T08:00:00Z'), '2026-03-05T08:00:00.000Z');
  assert.equal(next(8, 'UTC', '2026-03-06T09:00:00Z', [1]), '2026-03-09T08:00:00.000Z');
  assert.equal(next(8, 'UTC', '2026-03-09T08:00:00Z', [1]), '2026-03-16T08:00:00.000Z');
});

test('the hour and the day of the week are those of the zone', () => {
  assert.equal(next(7, 'Asia/Tokyo', '2026-03-04T21:00:00Z'), '2026-03-04T22:00:00.000Z');
  assert.equal(next(7, 'Asia/Tokyo', '2026-03-06T12:00:00Z', [1]), '2026-03-08T22:00:00.000Z');
});

test('the hour stays the same for people when clocks change', () => {
  assert.equal(next(8, 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T06:00:00.000Z');
  assert.equal(next(8, 'Europe/Berlin', '2026-10-24T12:00:00Z'), '2026-10-25T07:00:00.000Z');
});

test('on the day on which clocks skip the hour the digest comes as much later, and once', () => {
  assert.equal(next(2, 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(next(2, 'Europe/Berlin', '2026-03-29T01:00:00Z'), '2026-03-30T00:00:00.000Z');
});

test('on the day on which the hour occurs twice the digest comes once', () => {
  assert.equal(next(2, 'Europe/Berlin', '2026-10-24T12:00:00Z'), '2026-10-25T00:00:00.000Z');
  assert.equal(next(2, 'Europe/Berlin', '2026-10-25T00:00:00Z'), '2026-10-26T01:00:00.000Z');
});

test('whatever the zone and the days, the next time is later and at most eight days away', () => {
  const schedule = fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Apia', 'Australia/Lord_Howe'),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  });
  const instant = fc.integer({ min: Date.parse('2011-12-01'), max: Date.parse('2030-01-01') });
  fc.assert(
    fc.property(schedule, instant, (given, afterMs) => {
      const atMs = nextScheduledMs(given, afterMs);
      // Apia left out a day in 2011.
      assert.ok(atMs > afterMs && atMs <= afterMs + 8 * dayMs + 2 * hourMs);
      assert.ok(nextScheduledMs(given, atMs) > atMs);
    }),
  );
});
