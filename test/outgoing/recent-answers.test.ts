import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentAnswers } from '../../src/outgoing/recent-answers.ts';

test('an answer counts for as long as its records live, and at most five seconds', () => {
  let nowMs = 0;
  const recent = new RecentAnswers(() => nowMs);
  assert.equal(recent.find('a.example'), undefined);
  assert.deepEqual(
    recent.add('a.example', [
      { address: '192.0.2.1', ttl: 300 },
      { address: '192.0.2.2', ttl: 2 },
    ]),
    ['192.0.2.1', '192.0.2.2'],
  );
  recent.add('b.example', [{ address: '192.0.2.3', ttl: 300 }]);
  recent.add('c.example', [{ address: '192.0.2.4', ttl: 0 }]);
  assert.equal(recent.find('c.example'), undefined);
  nowMs = 1999;
  assert.deepEqual(recent.find('a.example'), ['192.0.2.1', '192.0.2.2']);
  nowMs = 2000;
  assert.equal(recent.find('a.example'), undefined);
  nowMs = 4999;
  assert.deepEqual(recent.find('b.example'), ['192.0.2.3']);
  nowMs = 5000;
  assert.equal(recent.find('b.example'), undefined);
});

test('the number of answers is bounded', () => {
  const recent = new RecentAnswers(() => 0);
  for (let host = 0; host < 10_000; host += 1)
    recent.add(`${host}.example`, [{ address: '192.0.2.1', ttl: 9 }]);
  const kept = Array.from({ length: 10_000 }, (_, host) => recent.find(`${host}.example`)).filter(Boolean);
  assert.ok(kept.length <= 4000 && kept.length > 0);
});
