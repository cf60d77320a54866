import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../../src/model/dns/name.ts';
import { Calendar } from '../../../../src/product/pdns/question/calendar.ts';
import type { Row } from '../../../../src/store/rrset-store.ts';

const daySeconds = 86_400;

/** A bucket of a record: first and last day, with sightings at noon. */
function bucket(record: number, first: number, last = first, count = 1): Row {
  return {
    origin: 'sensor',
    owner: parseName(`r${record}.example`) as Uint8Array,
    type: 1,
    bailiwick: undefined,
    rdata: [new Uint8Array([192, 0, 2, record])],
    position: new Uint8Array(),
    firstSeconds: first * daySeconds + daySeconds / 2,
    lastSeconds: last * daySeconds + daySeconds / 2,
    count,
  };
}

function daysOf(rows: readonly Row[], from = 0, to = 30) {
  const calendar = new Calendar(from, to);
  for (const row of rows) calendar.add(row);
  return calendar.days();
}

test('a day counts each record that was seen on it once, and its sightings', () => {
  const rows = [bucket(1, 5, 5, 3), bucket(1, 5, 5, 4), bucket(2, 5, 5, 10), bucket(2, 7)];
  assert.deepEqual(daysOf(rows), [
    { day: 5, seen: 2, count: 17, possible: 0, first: 2 },
    { day: 7, seen: 1, count: 1, possible: 0, first: 0 },
  ]);
});

test('of a longer period only its first and last day are certain, and no count is claimed', () => {
  assert.deepEqual(daysOf([bucket(1, 3, 6, 90)]), [
    { day: 3, seen: 1, count: 0, possible: 0, first: 1 },
    { day: 4, seen: 0, count: 0, possible: 1, first: 0 },
    { day: 5, seen: 0, count: 0, possible: 1, first: 0 },
    { day: 6, seen: 1, count: 0, possible: 0, first: 0 },
  ]);
});

test('days outside of the calendar are left out, and a record that began before it is not new', () => {
  assert.deepEqual(daysOf([bucket(1, 3), bucket(1, 10), bucket(1, 20)], 9, 12), [
    { day: 10, seen: 1, count: 1, possible: 0, first: 0 },
  ]);
});

test('for any buckets the calendar has what a check of each single day finds', () => {
  const span = fc.tuple(
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: 1, max: 9 }),
  );
  const records = fc.array(fc.array(span, { minLength: 1, maxLength: 5 }), { maxLength: 4 });
  const property = fc.property(records, fc.integer({ min: 0, max: 8 }), (given, from) => {
    const buckets = given.map((spans, record) =>
      spans
        .map(([first, length, count]) => bucket(record + 1, first, first + length, count))
        .sort((one, other) => one.firstSeconds - other.firstSeconds),
    );
    const dayOf = (seconds: number) => Math.floor(seconds / daySeconds);
    const expected = [];
    for (let day = from; day <= from + 9; day += 1) {
      const isSeen = (row: Row) => dayOf(row.firstSeconds) === day || dayOf(row.lastSeconds) === day;
      const spans = (row: Row) => dayOf(row.firstSeconds) < day && dayOf(row.lastSeconds) > day;
      const seen = buckets.filter((rows) => rows.some(isSeen)).length;
      const possible = buckets.filter((rows) => !rows.some(isSeen) && rows.some(spans)).length;
      const whole = buckets
        .flat()
        .filter((row) => isSeen(row) && dayOf(row.firstSeconds) === dayOf(row.lastSeconds));
      const count = whole.reduce((sum, row) => sum + row.count, 0);
      const first = buckets.filter(([row]) => row && dayOf(row.firstSeconds) === day).length;
      if (seen + possible > 0) expected.push({ day, seen, count, possible, first });
    }
    assert.deepEqual(daysOf(buckets.flat(), from, from + 9), expected);
  });
  fc.assert(property, { numRuns: 300 });
});
