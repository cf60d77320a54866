import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findDayNumber, findInstantMs } from '../../src/model/instant.ts';

const nowMs = Date.parse('2026-03-04T10:11:12Z');
const iso = (text: string) => {
  const ms = findInstantMs(text, nowMs);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

test('a time with a zone is parsed', () => {
  assert.equal(iso('2026-03-04T10:00:00Z'), '2026-03-04T10:00:00.000Z');
  assert.equal(iso('2026-03-04t10:00z'), '2026-03-04T10:00:00.000Z');
  assert.equal(iso('2026-03-04T10:00:00.123456+02:00'), '2026-03-04T08:00:00.123Z');
  assert.equal(iso('2026-03-04 10:00:00-0830'), '2026-03-04T18:30:00.000Z');
  assert.equal(iso('2026-03-04T10:00:00+02'), '2026-03-04T08:00:00.000Z');
});

test('a plus sign that became a space is read as a plus sign', () => {
  assert.equal(iso('2026-03-04T10:00:00 02:00'), '2026-03-04T08:00:00.000Z');
});

test('a time without a zone is Pacific time, in winter and in summer', () => {
  assert.equal(iso('2026-01-15T12:00:00'), '2026-01-15T20:00:00.000Z');
  assert.equal(iso('2026-07-15T12:00:00'), '2026-07-15T19:00:00.000Z');
  assert.equal(iso('2026-07-15'), '2026-07-15T07:00:00.000Z');
});

test('around daylight saving changes every Pacific hour has one meaning', () => {
  assert.equal(iso('2026-03-08T01:59:59'), '2026-03-08T09:59:59.000Z');
  assert.equal(iso('2026-03-08T03:00:00'), '2026-03-08T10:00:00.000Z');
  assert.equal(iso('2026-03-08T02:30:00'), '2026-03-08T10:30:00.000Z');
  assert.equal(iso('2026-11-01T00:59:59'), '2026-11-01T07:59:59.000Z');
  assert.equal(iso('2026-11-01T01:30:00'), '2026-11-01T08:30:00.000Z');
  assert.equal(iso('2026-11-01T02:00:00'), '2026-11-01T10:00:00.000Z');
});

test('a negative number is that many seconds ago', () => {
  assert.equal(iso('-72'), '2026-03-04T10:10:00.000Z');
});

test('other texts are not times', () => {
  for (const text of [
    '',
    '72',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-03-04T24:00:00Z',
    '2026-03-04T10:60:00Z',
    '2026-03-04T10:00:00+19:00',
    '2026-03-04T10:00:00ZZ',
    '2026-03-04T',
    '--5',
  ])
    assert.equal(iso(text), undefined, text);
});

test('times with a zone are parsed like Date.parse does', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      (date) => findInstantMs(date.toISOString(), nowMs) === date.getTime(),
    ),
  );
});

test('a day is a number of days since 1970', () => {
  assert.deepEqual(['1970-01-02', '1969-12-31', '2026-03-04'].map(findDayNumber), [1, -1, 20_516]);
  assert.equal(findDayNumber('2026-2-3'), undefined);
});
