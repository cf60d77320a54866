import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { minuteMs } from '../../../src/model/durations.ts';
import { minutesKept } from '../../../src/model/health/part-report.ts';
import { PartHealth } from '../../../src/pipeline/health/part-health.ts';

const startMs = 1_800_000_000_000;
const described = { kind: 'source', name: 'ct:log', unit: 'names' } as const;

function partAt(ms = startMs) {
  const time = { ms };
  return { time, part: new PartHealth(described, { now: () => time.ms }) };
}

test('counts are kept by minute for an hour, the newest last', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 1000 })), {
        maxLength: 60,
      }),
      (steps) => {
        const { time, part } = partAt();
        const counted: { minute: number; count: number }[] = [];
        for (const [minutes, count] of steps) {
          time.ms += minutes * minuteMs;
          part.succeed(count);
          counted.push({ minute: Math.floor(time.ms / minuteMs), count });
        }
        const newest = Math.floor(time.ms / minuteMs);
        const expected = Array.from({ length: minutesKept }, (_, index) => {
          const minute = newest - minutesKept + 1 + index;
          return counted.filter((each) => each.minute === minute).reduce((sum, { count }) => sum + count, 0);
        });
        const { perMinute, total } = part.report();
        assert.deepEqual(perMinute, expected);
        assert.equal(
          total,
          counted.reduce((sum, { count }) => sum + count, 0),
        );
      },
    ),
  );
});

test('a clock that was set back loses no count', () => {
  const { time, part } = partAt();
  part.succeed(3);
  time.ms -= 10 * minuteMs;
  part.succeed(4);
  assert.equal(part.report().perMinute.at(-1), 7);
});

test('failures in a row end with a success, and the last error stays', () => {
  const { part } = partAt();
  part.fail(new Error('first'));
  part.fail(new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 192.0.2.1:443') }));
  assert.equal(part.report().failuresInRow, 2);
  part.succeed();
  const { failuresInRow, lastError } = part.report();
  assert.deepEqual([failuresInRow, lastError], [0, 'fetch failed: connect ECONNREFUSED 192.0.2.1:443']);
});

test('a long error of a third party is cut', () => {
  const { part } = partAt();
  part.fail(new Error('x'.repeat(100_000)));
  assert.equal(part.report().lastError?.length, 500);
});

test('a part that counts by itself has succeeded when its total has grown since the last report', () => {
  const { part } = partAt();
  let total = 5;
  part.countBy(() => total);
  assert.equal(part.report().lastSuccessMs, undefined);
  total = 12;
  const { lastSuccessMs, perMinute } = part.report();
  assert.deepEqual([lastSuccessMs, perMinute.at(-1)], [startMs, 7]);
});
