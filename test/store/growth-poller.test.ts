import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowthPoller } from '../../src/store/growth-poller.ts';

const name = 'feed-nod';

test('any number of waiters share one poll', async () => {
  let polls = 0;
  const findEnd = async () => {
    polls += 1;
    return polls >= 5 ? 10 : 0;
  };
  const growth = new GrowthPoller(findEnd, 1);
  const { signal } = new AbortController();
  const ends = await Promise.all(Array.from({ length: 100 }, () => growth.wait(name, 0, 10_000, signal)));
  assert.ok(ends.every((end) => end === 10));
  assert.equal(polls, 5);
});

test('a wait that times out or is aborted gives the end that it began with', async () => {
  const growth = new GrowthPoller(async () => 0, 1);
  const ending = new AbortController();
  assert.equal(await growth.wait(name, 7, 5, ending.signal), 7);
  const waiting = growth.wait(name, 8, 60_000, ending.signal);
  ending.abort();
  assert.equal(await waiting, 8);
  assert.equal(await growth.wait(name, 9, 60_000, ending.signal), 9);
});

test('a failing store rejects all waiters', async () => {
  const growth = new GrowthPoller(() => Promise.reject(new Error('disk')), 1);
  await assert.rejects(growth.wait(name, 0, 60_000, new AbortController().signal), /disk/);
});
