/** A copy between the kinds of stores dies at some moment, and is repeated. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDistributedStores } from '../../src/store/distributed/open-stores.ts';
import { usualCacheSizes } from '../../src/store/embedded/cache-sizes.ts';
import { openLocalStores } from '../../src/store/embedded/open-local-stores.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import { storeCopier } from '../../src/store-copy/store-copier.ts';
import { backOf, type PlannedCopy, plannedCopies } from '../harness/fixtures/planned-copies.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { fileScope } from '../harness/test-scope.ts';

const planned = await plannedCopies(fileScope());
const clock = { now: () => Date.now() };
const copier = storeCopier(clock);
const main = join(import.meta.dirname, '../../src/main.ts');

test('a copy that was killed goes on, in both directions, and nobody uses its target before', async (t) => {
  const request = await planned(t);
  if (!request) return;
  await killAt(start(t, request), async () => (await request.countParts()) >= 5);
  const before = await request.countParts();
  const data = temporaryDirectory(t);
  const settings = { ...request.settings, data, caches: usualCacheSizes };
  const local = openLocalStores({ data, clock, hasRrsets: true });
  await assert.rejects(openDistributedStores({ settings, clock, local }), /was not finished; repeat/);
  await copier.copy(request);
  assert.deepEqual((await copier.verify(request)).differences, []);
  assert.ok(before < (await request.countParts()), `${before} parts were copied before`);

  const back = backOf(t, request);
  const state = join(back.directory, 'store-copy.json');
  await killAt(
    start(t, back),
    async () => existsSync(state) && /"watchlist"/.test(readFileSync(state, 'utf8')),
  );
  assert.throws(() => openEmbeddedStores({ data: back.directory, clock }), /was not finished; repeat/);
  await copier.copy(back);
  assert.deepEqual((await copier.verify(back)).differences, []);
});

/** As an operator does it. */
function start(t: TestContext, { direction, directory, settings }: PlannedCopy): ChildProcess {
  const file = join(temporaryDirectory(t), 'nodes.json');
  writeFileSync(file, JSON.stringify(settings));
  const sides = [`embedded:${directory}`, 'distributed'];
  const [from = '', to = ''] = direction === 'to-distributed' ? sides : sides.toReversed();
  const args = ['store', 'copy', '--from', from, '--to', to, '--config', file];
  return spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
}

async function killAt(child: ChildProcess, isReached: () => Promise<boolean>): Promise<void> {
  const closed = once(child, 'close');
  while (!(await isReached())) {
    assert.equal(child.exitCode, null, 'it has not ended by itself');
    await pause(1);
  }
  child.kill('SIGKILL');
  assert.deepEqual(await closed, [null, 'SIGKILL']);
}
