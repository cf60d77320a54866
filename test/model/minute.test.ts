import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  compactMinuteText,
  findCompactMinute,
  minuteOf,
  minuteText,
  parseMinute,
} from '../../src/model/minute.ts';

const last = minuteOf(Date.parse('9999-12-31T23:59:59Z'));
const first = minuteOf(Date.parse('0000-01-01T00:00:00Z'));
const minute = fc.integer({ min: first, max: last });

test('every minute of four-digit years is parsed from both of its forms', () => {
  fc.assert(
    fc.property(minute, (value) => {
      assert.equal(parseMinute(minuteText(value)), value);
      assert.equal(findCompactMinute(compactMinuteText(value)), value);
    }),
  );
});

test('minutes are formatted in UTC', () => {
  const value = minuteOf(Date.parse('2026-01-28T12:05:59.999Z'));
  assert.equal(minuteText(value), '2026-01-28 12:05:00');
  assert.equal(compactMinuteText(value), '20260128.1205');
});

test('seconds are ignored', () => {
  fc.assert(
    fc.property(minute, fc.integer({ min: 0, max: 59 }), (value, second) => {
      const seconds = String(second).padStart(2, '0');
      assert.equal(parseMinute(minuteText(value).replace(/00$/, seconds)), value);
    }),
  );
});

test('a malformed time and one that does not exist are distinguished', () => {
  assert.equal(parseMinute('2026-02-30 00:00:00'), 'invalid');
  assert.equal(parseMinute('2026-02-28 00:00'), 'malformed');
  assert.equal(findCompactMinute('20260230.0000'), undefined);
  assert.equal(findCompactMinute('2026022.80000'), undefined);
});

test('no text makes parsing throw', () => {
  const digits = fc.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  fc.assert(fc.property(fc.oneof(fc.string(), digits), (text) => void parseMinute(text)));
  fc.assert(fc.property(fc.stringMatching(/^\d{8}\.\d{4}$/), (text) => void findCompactMinute(text)));
});
