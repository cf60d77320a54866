import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type Bucket,
  bucketBytesMax,
  downsample,
  readBuckets,
  startOf,
  unitOf,
  units,
  writeBuckets,
} from '../../../../src/store/rrset/segment/time-buckets.ts';

const now = Date.parse('2026-03-04T10:11:12Z') / 1000;
const seconds = fc.integer({ min: 0, max: 0xffff_ffff });
const recent = fc.integer({ min: now - 100_000_000, max: now });
const sighting = fc
  .tuple(recent, recent, fc.integer({ min: 1, max: 2 ** 43 }))
  .map(([one, other, count]) => bucketOf(Math.min(one, other), Math.max(one, other), count));

function bucketOf(firstSeconds: number, lastSeconds: number, count: number): Bucket {
  const unit = unitOf(firstSeconds, lastSeconds);
  return { unit, startSeconds: startOf(unit, firstSeconds), firstSeconds, lastSeconds, count };
}

function unitName(first: string, last: string): string | undefined {
  return units[unitOf(Date.parse(first) / 1000, Date.parse(last) / 1000)];
}

test('a sighting goes into the smallest unit that contains it', () => {
  assert.equal(unitName('2026-03-04T10:11:00Z', '2026-03-04T10:11:59Z'), 'minute');
  assert.equal(unitName('2026-03-04T10:11:59Z', '2026-03-04T10:12:00Z'), 'hour');
  assert.equal(unitName('2026-03-04T00:00:00Z', '2026-03-04T23:59:59Z'), 'day');
  assert.equal(unitName('2024-02-01T00:00:00Z', '2024-02-29T23:59:59Z'), 'month');
  assert.equal(unitName('2024-02-29T23:59:59Z', '2024-03-01T00:00:00Z'), 'year');
  assert.equal(unitName('2024-12-31T23:59:59Z', '2025-01-01T00:00:00Z'), 'era');
});

test('calendar units begin at calendar boundaries', () => {
  fc.assert(
    fc.property(seconds, (at) => {
      const date = new Date(at * 1000);
      assert.equal(startOf(3, at), Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000);
      assert.equal(startOf(4, at), Date.UTC(date.getUTCFullYear(), 0) / 1000);
    }),
  );
});

test('encoded buckets decode to the same', () => {
  fc.assert(
    fc.property(fc.array(sighting, { minLength: 1, maxLength: 20 }), (buckets) => {
      const bytes = new Uint8Array(buckets.length * bucketBytesMax);
      writeBuckets(bytes, 0, buckets);
      const read: Bucket[] = [];
      readBuckets(bytes, 0, read);
      assert.deepEqual(read, buckets);
    }),
  );
});

test('downsampling and merging commute', () => {
  fc.assert(
    fc.property(
      fc.array(sighting, { maxLength: 30 }),
      fc.nat(30),
      fc.nat(10_000_000),
      (buckets, cut, earlierBy) => {
        const direct = downsample(buckets, now);
        const first = downsample(buckets.slice(0, cut), now - earlierBy);
        assert.deepEqual(downsample([...buckets.slice(cut), ...first], now), direct);
      },
    ),
  );
});

test('counts saturate at the largest safe integer, and can be encoded', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const merged = downsample(
    [bucketOf(now, now, most), bucketOf(now, now, most), bucketOf(now, now, most)],
    now,
  );
  assert.equal(merged[0]?.count, most);
  const bytes = new Uint8Array(bucketBytesMax);
  writeBuckets(bytes, 0, merged);
  const read: Bucket[] = [];
  readBuckets(bytes, 0, read);
  assert.deepEqual(read, merged);
});

test('buckets are downsampled with age: minute, hour, day, month, year', () => {
  const agesToUnits = [
    [60, 'minute'],
    [86_400, 'hour'],
    [10 * 86_400, 'day'],
    [200 * 86_400, 'month'],
    [1000 * 86_400, 'year'],
  ] as const;
  for (const [age, unit] of agesToUnits) {
    const [downsampled] = downsample([bucketOf(now - age, now - age, 1)], now);
    assert.equal(units[downsampled?.unit ?? 9], unit, `after ${age} seconds`);
  }
});
