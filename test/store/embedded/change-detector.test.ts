import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorkerClient } from '../../../src/concurrency/worker-client.ts';
import { changeDetector, openDatabase } from '../../../src/store/embedded/database.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import type { TestCalls } from '../../harness/workers/thread-calls-worker.ts';

test('a commit that a thread reports in the round of the event loop that has already checked is seen', async (t) => {
  const path = join(temporaryDirectory(t), 'changing.db');
  const [reader, writer] = [openDatabase(path, 'usage', 'normal'), openDatabase(path, 'usage', 'normal')];
  const threads = new WorkerClient<TestCalls, 'only'>({
    file: new URL('../../harness/workers/thread-calls-worker.ts', import.meta.url),
    workerData: {},
    owner: 'the store of tests',
    finish: [],
  });
  t.after(async () => {
    await threads.close();
    reader.close();
    writer.close();
  });
  writer.exec('create table change (number integer)');
  const hasChanged = changeDetector(reader);

  await threads.run('only', 'add', 1, 1);
  hasChanged();
  const reply = threads.run('only', 'add', 1, 1);
  writer.exec('insert into change values (1)');
  // The reply is there before this round of the event loop has ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await reply;
  assert.equal(hasChanged(), true);
});
