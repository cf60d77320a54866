import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkerClient } from '../../src/concurrency/worker-client.ts';
import { Problem } from '../../src/model/problem.ts';
import type { TestCalls } from '../harness/workers/thread-calls-worker.ts';

function start(
  t: TestContext,
  { idleMs }: { idleMs?: number } = {},
): WorkerClient<TestCalls, 'first' | 'second'> {
  const threads = new WorkerClient<TestCalls, 'first' | 'second'>({
    ...(idleMs === undefined ? {} : { idleMs }),
    file: new URL('../harness/workers/thread-calls-worker.ts', import.meta.url),
    workerData: { given: 1 },
    owner: 'the store of tests',
    finish: ['first'],
  });
  t.after(() => threads.close());
  return threads;
}

test('a call has arguments and a result, and can be bound to a function', async (t) => {
  const threads = start(t);
  const add = threads.on('first', 'add');
  assert.deepEqual([await threads.run('first', 'add', 1, 2), await add(3, 4)], [3, 7]);
});

test('each named thread is a worker of its own, and stays the same one', async (t) => {
  const threads = start(t);
  const idOf = async (thread: 'first' | 'second') => (await threads.run(thread, 'identify'))[0];
  const [one, again, other] = [await idOf('first'), await idOf('first'), await idOf('second')];
  assert.deepEqual([one === again, one === other], [true, false]);
  assert.deepEqual((await threads.run('first', 'identify'))[1], { given: 1 });
});

test('a Problem thrown in the thread is a Problem for the caller', async (t) => {
  await assert.rejects(
    start(t).run('first', 'refuse', 'nothing there'),
    (error) => error instanceof Problem && error.code === 'not-found' && error.message === 'nothing there',
  );
});

test('any other error names the owner of the thread', async (t) => {
  await assert.rejects(start(t).run('first', 'fail', 'disk full'), /the store of tests failed: .*disk full/s);
});

test('a thread that dies rejects its own calls alone, and the next call starts a new one', async (t) => {
  const threads = start(t);
  const elsewhere = threads.run('second', 'wait', 50);
  const calls = [threads.run('first', 'wait', 10_000), threads.run('first', 'die')];
  for (const outcome of await Promise.allSettled(calls)) {
    assert.match(String((outcome as PromiseRejectedResult).reason), /ended with 3/);
  }
  assert.deepEqual([await threads.run('first', 'add', 1, 1), await elsewhere], [2, 'waited']);
});

test('a call that awaits lets the next begin', async (t) => {
  const threads = start(t);
  const order: string[] = [];
  const noting = async (what: string, call: Promise<unknown>) => {
    await call;
    order.push(what);
  };
  await Promise.all([
    noting('waiting', threads.run('first', 'wait', 50)),
    noting('quick', threads.run('first', 'add', 1, 1)),
  ]);
  assert.deepEqual(order, ['quick', 'waiting']);
});

test('closing completes the calls of threads that are to be finished, and rejects those of the others', async (t) => {
  const threads = start(t);
  const finished = threads.run('first', 'wait', 100);
  const rejected = assert.rejects(threads.run('second', 'wait', 60_000), /the store of tests is closed/);
  await threads.close();
  assert.equal(await finished, 'waited');
  await rejected;
  await assert.rejects(threads.run('first', 'add', 1, 1), /the store of tests is closed/);
});

test('a thread is not terminated while it loads its modules', async () => {
  const cell = new SharedArrayBuffer(4);
  const threads = new WorkerClient<TestCalls, 'first'>({
    file: new URL('../harness/workers/thread-calls-worker.ts', import.meta.url),
    workerData: { loading: cell },
    owner: 'the store of tests',
    finish: [],
  });
  const call = assert.rejects(threads.run('first', 'wait', 10_000), /closed/);
  await threads.close();
  await call;
  assert.equal(new Int32Array(cell)[0], 1);
});

test('what onStart calls is the first call of every thread that is started', async (t) => {
  const order: string[] = [];
  const call = async (what: string) => {
    await threads.run('only', 'add', 1, 1);
    order.push(what);
  };
  const threads = new WorkerClient<TestCalls, 'only'>({
    file: new URL('../harness/workers/thread-calls-worker.ts', import.meta.url),
    workerData: undefined,
    owner: 'the store of tests',
    finish: ['only'],
    onStart: () => void call('start'),
  });
  t.after(() => threads.close());
  await call('first');
  await assert.rejects(threads.run('only', 'die'));
  await call('second');
  assert.deepEqual(order, ['start', 'first', 'start', 'second']);
});

test('buffers of arguments and of results can be moved instead of copied', async (t) => {
  const threads = start(t);
  assert.deepEqual(await threads.run('first', 'bytes', 3), new Uint8Array(3));
  assert.equal(await threads.run('first', 'lastLength'), 0);
  const sent = new Uint8Array(5);
  assert.equal(await threads.runTransferring([sent.buffer], 'first', 'lengthOf', sent), 5);
  assert.equal(sent.length, 0);
});

test('a thread runs from its first call until it dies', async (t) => {
  const threads = start(t);
  assert.equal(threads.isRunning('first'), false);
  await threads.run('first', 'add', 1, 1);
  assert.deepEqual([threads.isRunning('first'), threads.isRunning('second')], [true, false]);
  await assert.rejects(threads.run('first', 'die'));
  assert.equal(threads.isRunning('first'), false);
});

/** Ends when the thread does. */
async function untilEnded(threads: WorkerClient<TestCalls, 'first' | 'second'>): Promise<void> {
  while (threads.isRunning('first')) await pause(5);
}

test('a thread that nobody calls is ended, and the next call starts another', async (t) => {
  const threads = start(t, { idleMs: 20 });
  const [before] = await threads.run('first', 'identify');
  await untilEnded(threads);
  const [after] = await threads.run('first', 'identify');
  assert.notEqual(after, before);
});

test('a thread that is ended runs its handlers of exit', async (t) => {
  const threads = start(t, { idleMs: 20 });
  const noted = new SharedArrayBuffer(4);
  await threads.run('first', 'setOnExit', noted);
  await untilEnded(threads);
  const cell = new Int32Array(noted);
  const { value } = Atomics.waitAsync(cell, 0, 0);
  await value;
  assert.equal(cell[0], 1);
});

test('a thread is not ended during a call, however long it takes', async (t) => {
  const threads = start(t, { idleMs: 20 });
  assert.equal(await threads.run('first', 'wait', 200), 'waited');
});

test('a thread that is held is not ended until it is released', async (t) => {
  const threads = start(t, { idleMs: 20 });
  const [before] = await threads.run('first', 'identify');
  const release = threads.hold('first');
  await pause(100);
  assert.equal((await threads.run('first', 'identify'))[0], before);
  release();
  await untilEnded(threads);
});

test('a call whose arguments cannot be copied is rejected, and the thread is idle as before', async (t) => {
  const threads = start(t, { idleMs: 20 });
  await assert.rejects(threads.run('first', 'lengthOf', (() => 0) as never), /could not be cloned/);
  await untilEnded(threads);
});
