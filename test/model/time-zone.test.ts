import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isTimeZone, TimeZone } from '../../src/model/time-zone.ts';

const local = (text: string) => Date.parse(`${text}Z`);

test('a local time is the instant at which clocks show it', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/Los_Angeles',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  );
  const instants = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2030-01-01') });
  fc.assert(
    fc.property(zones, instants, (name, ms) => {
      const zone = new TimeZone(name);
      const shownMs = ms + zone.offsetMs(ms);
      const found = zone.instantMs(shownMs);
      assert.equal(found + zone.offsetMs(found), shownMs);
      assert.ok(found <= ms, 'of two instants that show the same time, the first');
    }),
  );
});

test('a local time that clocks skip counts as later by what they skip', () => {
  const berlin = new TimeZone('Europe/Berlin');
  assert.equal(berlin.instantMs(local('2026-03-29T02:30')), Date.parse('2026-03-29T01:30Z'));
  const lordHowe = new TimeZone('Australia/Lord_Howe');
  assert.equal(lordHowe.instantMs(local('2026-10-04T02:15')), Date.parse('2026-10-03T15:45Z'));
});

test('of a local time that occurs twice the first counts', () => {
  const berlin = new TimeZone('Europe/Berlin');
  assert.equal(berlin.instantMs(local('2026-10-25T02:30')), Date.parse('2026-10-25T00:30Z'));
});

test('a name is a time zone if the platform knows it', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Atlantis/Deep', '', '../etc'].map(isTimeZone), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
