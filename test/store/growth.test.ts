import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Growth } from '../../src/store/growth.ts';

const name = 'feed-nod';

test('however many wait for a thing, it is asked for by one', async () => {
  let asked = 0;
  const findEnd = async () => {
    asked += 1;
    return asked >= 5 ? 10 : 0;
  };
  const growth = new Growth(findEnd, 1);
  const { signal } = new AbortController();
  const ends = await Promise.all(Array.from({ length: 100 }, () => growth.wait(name, 0, 10_000, signal)));
  assert.ok(ends.every((end) => end === 10));
  assert.equal(asked, 5);
});

test('a wait ends with its time, and with its signal, and gives the place that it began with', async () => {
  const growth = new Growth(async () => 0, 1);
  const ending = new AbortController();
  assert.equal(await growth.wait(name, 7, 5, ending.signal), 7);
  const waiting = growth.wait(name, 8, 60_000, ending.signal);
  ending.abort();
  assert.equal(await waiting, 8);
  assert.equal(await growth.wait(name, 9, 60_000, ending.signal), 9);
});

test('a store that fails tells those who wait', async () => {
  const growth = new Growth(() => Promise.reject(new Error('disk')), 1);
  await assert.rejects(growth.wait(name, 0, 60_000, new AbortController().signal), /disk/);
});
