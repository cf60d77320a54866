import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostIn, refanged } from '../../../src/cli/remote/given-names.ts';
import { readDuration, readPastTime } from '../../../src/cli/remote/past-time.ts';

const hosts: readonly (readonly [given: string, host: string])[] = [
  ['Evil.Example.', 'evil.example'],
  ['evil[.]example', 'evil.example'],
  ['evil(dot)example', 'evil.example'],
  ['hxxps://login[.]evil[.]example/a?b#c', 'login.evil.example'],
  ['hXXp[:]//evil.example:8080/', 'evil.example'],
  ['https://user:pass@evil.example/', 'evil.example'],
  ['someone[@]evil.example', 'evil.example'],
  ['evil.example/path', 'evil.example'],
  ['http://[2001:db8::1]/', '2001:db8::1'],
];

for (const [given, host] of hosts) {
  test(`${given} is about ${host}`, () => {
    assert.equal(hostIn(given), host);
  });
}

test('a plain name is not changed by refanging', () => {
  for (const name of ['example.com', 'a-b.example', 'xn--bcher-kva.example'])
    assert.equal(refanged(name), name);
});

test('durations are weeks, days, hours, minutes and seconds, also together', () => {
  assert.equal(readDuration('30d'), 2_592_000);
  assert.equal(readDuration('1w2d'), 777_600);
  assert.equal(readDuration('1h30m5s'), 5405);
});

test('past times are dates, epoch seconds, or so long ago', () => {
  assert.equal(readPastTime('2026-01-31'), 1_769_817_600);
  assert.equal(readPastTime('2026-01-31 12:00:00'), 1_769_860_800);
  assert.equal(readPastTime('2026-01-31T12:00:00Z'), 1_769_860_800);
  assert.equal(readPastTime('1769817600'), 1_769_817_600);
  assert.equal(readPastTime('30d'), -2_592_000);
  assert.equal(readPastTime('-3600'), -3600);
});

test('what is no time is refused with examples', () => {
  for (const text of ['', 'yesterday', '30', '2026-13-01', '5x', '1e9'])
    assert.throws(() => readPastTime(text), /2026-01-31/, text);
  assert.throws(() => readDuration('2026-01-31'), /30d/);
});
