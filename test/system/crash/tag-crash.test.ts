/** Crash test: a merge of tags is whole after its process is killed at any moment, and what was left over is swept by the next. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const worker = join(import.meta.dirname, '../../harness/workers/domain/tag-merge-worker.ts');
const count = 1500;
const names = Array.from({ length: count }, (_, index) => `d${index}.example`);
const reader = { accountId: 'acme', userId: 'ann', nowMs: 1 };
const author = { accountId: 'acme', userId: 'ann', username: 'ann', scope: 'team', atMs: 1 } as const;

async function killWhileMerging(directory: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(String(said), 'changed\n');
  await pause(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
}

test('a merge whose process is killed is whole, and its sweep is completed by the next process', async (t) => {
  const directory = temporaryDirectory(t);
  const first = openDomainStore(directory, new TestClock());
  await first.upsert(names.map((domain) => ({ record: { domain }, source: 'test', seenMs: 1 })));
  await first.changeTags(names.slice(0, count / 2), { add: ['into'], remove: [] }, author);
  await first.close();
  for (const afterMs of [0, 4, 15, 40]) {
    const before = openDomainStore(directory, new TestClock());
    await before.changeTags(names, { add: ['from'], remove: [] }, author);
    await before.close();
    await killWhileMerging(directory, afterMs);
    const store = openDomainStore(directory, new TestClock());
    for (const isSwept of [false, true]) {
      if (isSwept) await store.sweepTags(1);
      const tags = await store.listTags(reader, 10);
      assert.deepEqual(
        tags.map(({ label, domains }) => [label, domains]),
        [['into', count]],
      );
      const found = await store.countMatches({ kind: 'tagged', with: 'any', labels: ['into'], ...reader });
      assert.equal(found, count);
      const ofSome = await store.tagsOf([names[0] ?? '', names.at(-1) ?? ''], reader);
      assert.deepEqual(
        ofSome.map((of) => of.map(({ label }) => label)),
        [['into'], ['into']],
      );
    }
    await store.close();
  }
});
