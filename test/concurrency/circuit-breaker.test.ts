import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker } from '../../src/concurrency/circuit-breaker.ts';

function failed(times: number, nowMs = 0): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < times; time++) breaker.recordFailure(nowMs);
  return breaker;
}

test('a breaker is closed until the third consecutive failure', () => {
  assert.deepEqual(
    [failed(0).state(0), failed(2).state(0), failed(3).state(0)],
    ['closed', 'closed', 'open'],
  );
});

test('a success between failures starts the count again', () => {
  const breaker = failed(2);
  breaker.recordSuccess();
  breaker.recordFailure(0);
  breaker.recordFailure(0);
  assert.equal(breaker.state(0), 'closed');
});

test('an open breaker is half-open after its pause; a success closes it', () => {
  const breaker = failed(3, 1000);
  assert.deepEqual([breaker.state(5999), breaker.state(6000)], ['open', 'half-open']);
  breaker.recordSuccess();
  assert.equal(breaker.state(6000), 'closed');
});

test('each failed trial opens it for twice as long, up to five minutes', () => {
  const breaker = failed(3);
  const pausesMs: number[] = [];
  for (let nowMs = 5000; pausesMs.length < 8; ) {
    breaker.recordFailure(nowMs);
    let pauseMs = 0;
    while (breaker.state(nowMs + pauseMs) === 'open') pauseMs += 1000;
    pausesMs.push(pauseMs);
    nowMs += pauseMs;
  }
  assert.deepEqual(pausesMs, [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
});

test('a breaker without failures, or long after its last pause, can be forgotten', () => {
  assert.equal(failed(0).isForgettable(0), true);
  const breaker = failed(3);
  assert.deepEqual([breaker.isForgettable(605_000), breaker.isForgettable(605_001)], [false, true]);
});
