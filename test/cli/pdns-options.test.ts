import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import * as fc from 'fast-check';
import { readInstant } from '../../src/cli/argument-readers.ts';
import { readBurst, readOffsetMax, readQuota } from '../../src/cli/pdns-options.ts';

const expiresMs = Date.parse('2027-01-01T00:00:00Z');

const quotas: [text: string, quota: unknown][] = [
  ['unlimited', { type: 'unlimited' }],
  ['none', 'none'],
  ['daily:500', { type: 'time', limit: 500, period: 86_400 }],
  ['hourly:20', { type: 'time', limit: 20, period: 3600 }],
  ['monthly:9', { type: 'time', limit: 9, period: 'month' }],
  ['600s:3', { type: 'time', limit: 3, period: 600 }],
  ['daily:0', { type: 'time', limit: 0, period: 86_400 }],
  ['block:10:2027-01-01', { type: 'block', limit: 10, expiresMs }],
  ['block:10:2027-01-01T00:00:00Z', { type: 'block', limit: 10, expiresMs }],
  ['block:10:2027-01-01T02:00:00+02:00', { type: 'block', limit: 10, expiresMs }],
  [`block:10:${expiresMs / 1000}`, { type: 'block', limit: 10, expiresMs }],
];

for (const [text, quota] of quotas) {
  test(`the quota ${text} is accepted`, () => assert.deepEqual(readQuota(text), quota));
}

const badQuotas = [
  '',
  'lots',
  'daily',
  'daily:',
  'daily:x',
  'daily:-1',
  'daily:1.5',
  'daily:1:2',
  'Daily:1',
  'weekly:5',
  '0s:5',
  's:5',
  '-600s:5',
  'constructor:5',
  '__proto__:5',
  'unlimited:5',
  'none:5',
  'block:10',
  'block:10:',
  'block:x:2027-01-01',
  'block:10:soon',
  'block::2027-01-01',
  ':5',
  'daily:1e3',
  `daily:${'9'.repeat(16)}`,
  `block:1:${'9'.repeat(30)}`,
];

for (const text of badQuotas) {
  test(`the quota "${text}" is rejected with a message about what is expected`, () => {
    assert.throws(
      () => readQuota(text),
      (error: unknown) => error instanceof InvalidArgumentError && error.message.startsWith('Expected '),
    );
  });
}

test('any text is parsed as a quota or rejected as an invalid argument', () => {
  const parts = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('daily', 'block', '600s', '10', '2027-01-01')),
  );
  fc.assert(
    fc.property(parts, (words) => {
      try {
        readQuota(words.join(':'));
      } catch (error) {
        assert.ok(error instanceof InvalidArgumentError);
      }
    }),
  );
});

test('a burst is a size and a window, both at least 1', () => {
  assert.deepEqual(readBurst('10:60'), { size: 10, windowSeconds: 60 });
  for (const text of ['', '10', '10:', ':60', '0:60', '10:0', 'a:b', '10:60:5']) {
    assert.throws(() => readBurst(text), InvalidArgumentError, text);
  }
});

test('the maximum offset is a whole number, or n/a for none', () => {
  assert.equal(readOffsetMax('0'), 0);
  assert.equal(readOffsetMax('500'), 500);
  assert.equal(readOffsetMax('n/a'), 'none');
  for (const text of ['', '-1', 'x', '1.5']) assert.throws(() => readOffsetMax(text), InvalidArgumentError);
});

test('a time outside the range of dates is rejected', () => {
  for (const text of ['99999999999999', '9'.repeat(30)]) {
    assert.throws(() => readInstant(text), InvalidArgumentError, text);
  }
});
