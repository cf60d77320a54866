import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Problem } from '../../../src/model/problem.ts';
import { ThreadJobs } from '../../../src/store/embedded/thread-jobs.ts';
import type { TestJobs } from '../../harness/thread-jobs-worker.ts';

function start(t: TestContext): ThreadJobs<TestJobs, 'first' | 'second'> {
  const threads = new ThreadJobs<TestJobs, 'first' | 'second'>({
    file: new URL('../../harness/thread-jobs-worker.ts', import.meta.url),
    workerData: { given: 1 },
    store: 'the store of tests',
    finish: ['first'],
  });
  t.after(() => threads.close());
  return threads;
}

test('a job has arguments and a result, and a function may stand for it', async (t) => {
  const threads = start(t);
  const add = threads.on('first', 'add');
  assert.deepEqual([await threads.run('first', 'add', 1, 2), await add(3, 4)], [3, 7]);
});

test('each lane is a thread of its own, and stays it', async (t) => {
  const threads = start(t);
  const tell = async (lane: 'first' | 'second') => (await threads.run(lane, 'tell'))[0];
  const [one, again, other] = [await tell('first'), await tell('first'), await tell('second')];
  assert.deepEqual([one === again, one === other], [true, false]);
  assert.deepEqual((await threads.run('first', 'tell'))[1], { given: 1 });
});

test('a problem of a job is a problem here', async (t) => {
  await assert.rejects(
    start(t).run('first', 'refuse', 'nothing there'),
    (error) => error instanceof Problem && error.code === 'not-found' && error.message === 'nothing there',
  );
});

test('any other failure tells whose it was', async (t) => {
  await assert.rejects(start(t).run('first', 'fail', 'disk full'), /the store of tests failed: .*disk full/s);
});

test('a thread that dies fails its own jobs alone, and the next job has a new one', async (t) => {
  const threads = start(t);
  const elsewhere = threads.run('second', 'wait', 50);
  const jobs = [threads.run('first', 'wait', 10_000), threads.run('first', 'die')];
  for (const outcome of await Promise.allSettled(jobs)) {
    assert.match(String((outcome as PromiseRejectedResult).reason), /ended with 3/);
  }
  assert.deepEqual([await threads.run('first', 'add', 1, 1), await elsewhere], [2, 'waited']);
});

test('a job that waits lets the next begin', async (t) => {
  const threads = start(t);
  const order: string[] = [];
  const noting = async (what: string, job: Promise<unknown>) => {
    await job;
    order.push(what);
  };
  await Promise.all([
    noting('waiting', threads.run('first', 'wait', 50)),
    noting('quick', threads.run('first', 'add', 1, 1)),
  ]);
  assert.deepEqual(order, ['quick', 'waiting']);
});

test('closing finishes the lanes that are to be finished, and gives up the others', async (t) => {
  const threads = start(t);
  const finished = threads.run('first', 'wait', 100);
  const givenUp = assert.rejects(threads.run('second', 'wait', 60_000), /the store of tests is closed/);
  await threads.close();
  assert.equal(await finished, 'waited');
  await givenUp;
  await assert.rejects(threads.run('first', 'add', 1, 1), /the store of tests is closed/);
});
