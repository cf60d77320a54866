/** The timeline of a campaign: rows, columns, dots and the moves between them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { foreign, plain } from '../../web/src/data/foreign.ts';
import { nextDot } from '../../web/src/pages/campaigns/timeline/dot-moves.ts';
import { timeAxis } from '../../web/src/pages/campaigns/timeline/time-axis.ts';
import { rowsOf, type TimelineData } from '../../web/src/pages/campaigns/timeline/timeline-rows.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, 1) + day * 86_400e3).toISOString();
const ip = { by: 'ip' as const, value: foreign('192.0.2.1') };

function dataOf(days: readonly number[]): TimelineData {
  return {
    events: days.map((day, index) => ({
      date: at(day),
      kind: 'joined',
      domain: foreign(`d${index}.example`),
    })),
    links: [{ ...ip, first_seen_date: at(0), last_seen_date: at(40) }],
    members: days.map((day, index) => ({
      domain: foreign(`d${index}.example`),
      first_seen_date: at(day),
      links: [ip],
    })),
  };
}

test('every domain is in one dot of its row, whatever the times and the width', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -4000, max: 4000, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 4, max: 60 }),
      (days, columns) => {
        const rows = rowsOf(dataOf(days), columns);
        assert.ok(rows);
        for (const { dots } of [...rows.events, ...rows.values]) {
          const names = dots.flatMap(({ domains }) => domains.map(plain));
          assert.deepEqual(names.toSorted(), days.map((_, index) => `d${index}.example`).toSorted());
          assert.equal(new Set(dots.map(({ column }) => column)).size, dots.length);
          assert.ok(
            dots.every(({ column, within }) => column >= 0 && column < columns && within >= 0 && within <= 1),
          );
        }
        for (const { left, width } of rows.values)
          assert.ok(left >= 0 && width >= 0 && left + width <= 100.001);
      },
    ),
  );
});

test('five hundred domains have at most one dot for each column of a row', () => {
  const rows = rowsOf(dataOf(Array.from({ length: 500 }, (_, index) => index / 10)), 24);
  assert.ok((rows?.events[0]?.dots.length ?? 0) <= 24);
});

test('a registration of years ago does not push everything else into a corner', () => {
  const core = [100, 110].map((day) => Date.parse(at(day)));
  const axis = timeAxis(core, [Date.parse(at(-3000))], 20);
  assert.ok(axis.hasEarlier);
  assert.equal(axis.startMs, Date.parse(at(90)));
  assert.equal(axis.endMs, Date.parse(at(110)));
});

test('a campaign in which nothing happened has no timeline', () => {
  assert.equal(rowsOf({ events: [], links: [], members: [] }, 20), undefined);
});

test('arrows lead to the neighbours of a row and to the nearest dot of the next one', () => {
  const rows = [
    [
      { key: 'a0', column: 0 },
      { key: 'a9', column: 9 },
    ],
    [],
    [
      { key: 'b1', column: 1 },
      { key: 'b8', column: 8 },
    ],
  ];
  assert.equal(nextDot(rows, 'a0', 'ArrowRight'), 'a9');
  assert.equal(nextDot(rows, 'a9', 'ArrowRight'), undefined);
  assert.equal(nextDot(rows, 'a9', 'ArrowDown'), 'b8');
  assert.equal(nextDot(rows, 'b1', 'ArrowUp'), 'a0');
  assert.equal(nextDot(rows, 'b1', 'End'), 'b8');
  assert.equal(nextDot(rows, 'b1', 'x'), undefined);
});
