import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarliestNow } from '../../src/concurrency/earliest-now.ts';
import { dayMs, hourMs, minuteMs } from '../../src/model/durations.ts';

const start = Date.parse('2026-03-04T10:11:12Z');

function fixture() {
  const monotonic = { ms: 5000 };
  const earliest = new EarliestNow(() => monotonic.ms);
  /** Reads a clock that is ahead by some time, after real time has passed. */
  const readAfter = (passedMs: number, aheadMs: number) => {
    monotonic.ms += passedMs;
    return earliest.read(start + monotonic.ms + aheadMs) - start - monotonic.ms;
  };
  return { earliest, readAfter };
}

test('the earliest time is that of the clock while nobody sets it', () => {
  const { readAfter } = fixture();
  assert.deepEqual(
    [0, 10, minuteMs, hourMs, 2 * dayMs].map((passedMs) => readAfter(passedMs, 0)),
    [0, 0, 0, 0, 0],
  );
});

test('a clock that was set forward counts after an hour', () => {
  const { readAfter } = fixture();
  readAfter(0, 0);
  readAfter(2 * minuteMs, 0);
  assert.equal(readAfter(2 * minuteMs, dayMs), 0);
  assert.equal(readAfter(50 * minuteMs, dayMs), 0);
  assert.equal(readAfter(11 * minuteMs, dayMs), dayMs);
});

test('a clock that was set back counts at once, and for an hour after it was set right', () => {
  const { readAfter } = fixture();
  readAfter(0, 0);
  assert.equal(readAfter(2 * minuteMs, -dayMs), -dayMs);
  assert.equal(readAfter(2 * minuteMs, 0), -dayMs);
  assert.equal(readAfter(hourMs, 0), 0);
});

test('readings cover an hour once the first is that old', () => {
  const { earliest, readAfter } = fixture();
  assert.equal(earliest.covers(), false);
  readAfter(0, 0);
  assert.equal(earliest.covers(), false);
  readAfter(hourMs, 0);
  assert.equal(earliest.covers(), true);
});
