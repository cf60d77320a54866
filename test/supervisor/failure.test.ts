/** An error keeps what the command line shows of it on its way to another process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../src/model/problem.ts';
import { errorOf, failureOf } from '../../src/supervisor/failure.ts';

function sentOver(error: unknown): Error & { code?: string } {
  return errorOf(JSON.parse(JSON.stringify(failureOf(error))) as ReturnType<typeof failureOf>);
}

test('a problem keeps its code and its sentence', () => {
  const arrived = sentOver(new Problem('unavailable', 'port 1 is taken'));
  assert.ok(arrived instanceof Problem);
  assert.deepEqual([arrived.code, arrived.message], ['unavailable', 'port 1 is taken']);
});

test('an error of the system, or one that such an error has caused, explains itself', () => {
  const cause = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  assert.equal(sentOver(cause).code, 'ENOENT');
  assert.equal(sentOver(new Error('cannot open', { cause })).code, 'ENOENT');
});

test('any other error keeps its stack, and what is no error becomes text', () => {
  const error = new TypeError('a bug');
  assert.deepEqual([sentOver(error).stack, sentOver(error).code], [error.stack, undefined]);
  assert.equal(sentOver('thrown text').message, 'thrown text');
});
