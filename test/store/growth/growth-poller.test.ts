import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { GrowthPoller } from '../../../src/store/growth/growth-poller.ts';

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

test('a signal wakes who waits for it, also one that comes while the store is being asked', async () => {
  let end = 0;
  let listener: (name: string) => void = () => undefined;
  const signals = {
    listen: (given: (name: string) => void) => {
      listener = given;
      return () => undefined;
    },
    isConnected: () => true,
  };
  const asked: (() => void)[] = [];
  const findEnd = async () => {
    const found = end;
    await new Promise<void>((resolve) => asked.push(resolve));
    return found;
  };
  const growth = new GrowthPoller(findEnd, 3_600_000, { growth: signals });
  const waiting = growth.wait(name, 0, 3_600_000, new AbortController().signal);
  end = 5;
  listener('feed-other');
  listener(name);
  asked[0]?.();
  while (asked.length < 2) await pause(1);
  asked[1]?.();
  assert.equal(await waiting, 5);
});

test('while signals do not arrive it polls as often as without them', async () => {
  let polls = 0;
  const findEnd = async () => {
    polls += 1;
    return polls >= 5 ? 10 : 0;
  };
  const lost = { listen: () => () => undefined, isConnected: () => false };
  const growth = new GrowthPoller(findEnd, 1, { growth: lost });
  assert.equal(await growth.wait(name, 0, 3_600_000, new AbortController().signal), 10);
});
