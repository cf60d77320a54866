import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { DamagedData } from '../../../../src/store/damage.ts';
import { openRawAnswerStore } from '../../../../src/store/embedded/evidence/raw-answer-store.ts';
import type { RawAnswerStore } from '../../../../src/store/evidence/raw-answer-store.ts';
import { answer, rawAnswerStoreConformance } from '../../../conformance/evidence/raw-answer-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function opener(t: TestContext, directory = temporaryDirectory(t)): () => RawAnswerStore {
  const opened: RawAnswerStore[] = [];
  t.after(async () => {
    for (const store of opened) await store.close();
  });
  return () => {
    const store = openRawAnswerStore(directory);
    opened.push(store);
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
