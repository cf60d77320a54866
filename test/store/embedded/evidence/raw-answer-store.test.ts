import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { DamagedData } from '../../../../src/store/damage.ts';
import { openRawAnswerStore } from '../../../../src/store/embedded/evidence/raw-answer-store.ts';
import { jobThreads } from '../../../../src/store/embedded/job/job-threads.ts';
import type { RawAnswerStore } from '../../../../src/store/evidence/raw-answer-store.ts';
import { answer, rawAnswerStoreConformance } from '../../../conformance/evidence/raw-answer-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function opener(t: TestContext, directory = temporaryDirectory(t)): () => RawAnswerStore {
  const opened: { close(): Promise<void> }[] = [];
  t.after(async () => {
    for (const one of opened) await one.close();
  });
  return () => {
    const threads = jobThreads(directory);
    const store = openRawAnswerStore(directory, threads);
    opened.push(threads, store);
    return store;
  };
}

rawAnswerStoreConformance('the embedded adapter', (t) => opener(t));

test('bytes that were changed in the database are not given out', async (t) => {
  const directory = temporaryDirectory(t);
  const store = opener(t, directory)();
  await store.saveAnswers([answer('a.example', 1, 'x')], { domainBytesMax: 1e6, totalBytesMax: 1e6 });
  const database = new Sqlite(join(directory, 'images.db'));
  database.prepare("update raw_body set body = x'00'").run();
  database.close();
  await assert.rejects(store.findBytes(hash('sha256', 'x')), DamagedData);
});

test('answers of any sizes arrive in the thread as they were given, and the buffers of the caller stay as they are', async (t) => {
  const store = opener(t)();
  const whole = Buffer.from('abcdefgh'.repeat(100_000));
  const bytes = [
    whole.subarray(3, 3),
    whole.subarray(0, 8),
    whole.subarray(5, 700_000),
    whole.subarray(1, 2),
  ];
  const answers = bytes.map((some, index) =>
    answer('a.example', index, '', { bytes: some, asked: String(index) }),
  );
  await store.saveAnswers(answers, { domainBytesMax: 1e7, totalBytesMax: 1e7 });
  assert.equal(whole.length, 800_000);
  const kept = await store.listAnswers('a.example', 10);
  assert.equal(kept.length, bytes.length);
  for (const { asked, hash: name } of kept)
    assert.deepEqual(await store.findBytes(name), Buffer.from(bytes[Number(asked)] as Buffer));
});

test('what cannot be saved is an error of the caller, and the next answers are saved', async (t) => {
  const store = opener(t)();
  const limits = { domainBytesMax: 1e6, totalBytesMax: 1e6 };
  const broken = answer('a.example', 1, 'x', { request: null as unknown as string });
  await assert.rejects(store.saveAnswers([broken], limits));
  await store.saveAnswers([answer('a.example', 2, 'y')], limits);
  assert.equal((await store.listAnswers('a.example', 10)).length, 1);
});
