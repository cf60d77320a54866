import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressOnce } from '../../../../src/http/compression.ts';
import { AnswerCache } from '../../../../src/http/platform/records/answer-cache.ts';

const [before, after] = [{}, {}];

function answerOf(body: string, validUntilMs = Number.POSITIVE_INFINITY) {
  return { contentType: 'application/json', body: Buffer.from(body), validUntilMs };
}

test('an answer is found while the store is the same and until it changes by itself', () => {
  const cache = new AnswerCache(1000);
  const answer = answerOf('body', 5);
  assert.equal(cache.set(['key', 'other key'], before, answer), answer);
  assert.equal(cache.find('key', before, 4), answer);
  assert.equal(cache.find('other key', before, 4), answer);
  assert.equal(cache.find('key', before, 5), undefined);
  assert.equal(cache.find('key', after, 4), undefined);
  assert.equal(cache.find('third key', before, 4), undefined);
});

test('an answer that is the same after a change elsewhere is not compressed again', () => {
  const cache = new AnswerCache(10_000);
  const compressed = compressOnce(cache.set(['key'], before, answerOf('body '.repeat(300))));
  const again = cache.set(['key'], after, answerOf('body '.repeat(300), 7));
  assert.equal(compressOnce(again), compressed);
  assert.equal(again.validUntilMs, 7);
  assert.notEqual(compressOnce(cache.set(['key'], after, answerOf('other '.repeat(300)))), compressed);
});

test('one answer may take a fourth of the cache, and reaching the limit empties it', () => {
  const cache = new AnswerCache(100);
  cache.set(['long'], before, answerOf('-'.repeat(26)));
  assert.equal(cache.find('long', before, 0), undefined);
  for (const key of ['a', 'b', 'c']) cache.set([key], before, answerOf('-'.repeat(25)));
  for (let time = 0; time < 10; time += 1) cache.set(['c'], before, answerOf('+'.repeat(25)));
  assert.ok(cache.find('a', before, 0));
  cache.set(['d'], before, answerOf('-'.repeat(25)));
  assert.equal(cache.find('a', before, 0), undefined);
});
