import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { KeyedMutex } from '../../../src/concurrency/keyed-mutex.ts';
import { leaseSession } from '../../../src/product/feed/session.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const session = { feed: 'nod', accountId: 'a', id: 'one' } as const;
const renewalMs = 5000;

test('a poll that lost its session while the clock was ahead does not move it back, although it renews its lease', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const streams = openStreamStore(temporaryDirectory(t));
  t.after(() => streams.close());
  const clock = new TestClock();
  // Two processes do not share their mutex.
  const process = () => ({ streams, clock, mutex: new KeyedMutex() });
  const { signal } = new AbortController();
  const slow = await leaseSession(session, process(), signal);
  clock.advanceSeconds(86_400);
  const quick = await leaseSession(session, process(), signal);
  assert.equal(await quick.commit(100), true);
  await quick.release();
  clock.advanceSeconds(-86_400);
  t.mock.timers.tick(renewalMs);
  while (!(await isLeased(streams, clock))) await yieldToEventLoop();
  assert.equal(await slow.commit(50), false);
  await slow.release();
  assert.equal((await streams.findOffset({ stream: 'feed-nod', name: 'session:a:one' }))?.offset, 100);
});

async function isLeased(streams: ReturnType<typeof openStreamStore>, clock: TestClock): Promise<boolean> {
  const consumer = { stream: 'feed-nod', name: 'session:a:one' } as const;
  const leased = await streams.leaseOffset(consumer, 'test', clock.now(), clock.now() + 1);
  if (leased) await streams.releaseOffset(consumer, 'test');
  return leased === undefined;
}
