import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { embeddedBackups } from '../../../src/store/embedded/backup/embedded-backups.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { verifyDatabases } from '../../../src/store/embedded/verify/verify-databases.ts';
import { filledAtMs, fillStores } from '../../harness/fixtures/filled-stores.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const program = join(import.meta.dirname, '../../harness/workers/backup/restore-worker.ts');
const prepared = temporaryDirectory({ after });
const backup = join(prepared, 'backup');
const clock = { now: () => filledAtMs };

before(async () => {
  const data = join(prepared, 'data');
  await fillStores(data);
  await embeddedBackups.make({ data, to: backup, without: [], version: '9.9.9', clock });
});

/** Whether it was killed before the call. */
async function isKilledBefore(data: string, call: string): Promise<boolean> {
  const child = spawn(process.execPath, [program, backup, data, ...call.split(' ')], { stdio: 'inherit' });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code}`);
  return signal !== null;
}

const unfinished = /a restore into \S+ was not finished; repeat it: nameglass restore FROM --data /;

/** Nothing takes what is there for data, and nothing is created in it. */
async function assertRefused(data: string, call: string): Promise<void> {
  const names = () => (existsSync(data) ? readdirSync(data).sort() : []);
  const found = names();
  for (const create of [true, false])
    assert.throws(() => openEmbeddedStores({ data, clock, create }), unfinished, call);
  await assert.rejects(verifyDatabases(data, { how: 'pages' }), unfinished, call);
  assert.deepEqual(names(), found, call);
}

async function assertWhole(data: string, call: string): Promise<void> {
  assert.deepEqual((await verifyDatabases(data, { how: 'pages' })).damages, [], call);
  await openEmbeddedStores({ data, clock, create: false }).close();
}

/** Killed before some of its calls, repeated after each, and whole in the end. */
async function assertRepeatable(data: string, calls: AsyncIterable<string>): Promise<void> {
  for await (const call of calls) {
    if (existsSync(join(data, 'accounts.db'))) await assertWhole(data, call);
    else await assertRefused(data, call);
  }
}

/** Calls of a kind until there is none to be killed before. */
async function* killedBefore(data: string, kinds: Readonly<Record<string, number>>): AsyncGenerator<string> {
  for (const [kind, stride] of Object.entries(kinds))
    for (let number = 1; ; number += stride) {
      const call = `${kind} ${number}`;
      if (existsSync(join(data, 'accounts.db')))
        for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true });
      if (!(await isKilledBefore(data, call))) break;
      yield call;
    }
}

test('a restore into a directory that is there, killed at any step, is refused by name and can be repeated', async (t) => {
  const data = join(temporaryDirectory(t), 'volume');
  mkdirSync(data);
  await assertRepeatable(data, killedBefore(data, { copy: 9, write: 1, rename: 3, remove: 1 }));
  await assertWhole(data, 'at the end');
});

test('a restore into a new directory, killed at any step, is refused by name and can be repeated', async (t) => {
  const data = newDirectory(t);
  await assertRepeatable(data, killedBefore(data, { copy: 12, rename: 1 }));
  await assertWhole(data, 'at the end');
  assert.deepEqual(readdirSync(join(data, '..')), ['data']);
});

const newDirectory = (t: TestContext) => join(temporaryDirectory(t), 'data');

test('serve, verify and account create say that a restore was not finished, and what to do', async (t) => {
  const data = newDirectory(t);
  assert.equal(await isKilledBefore(data, 'copy 5'), true);
  for (const command of [
    ['serve', '--port', '0'],
    ['verify', 'all'],
    ['account', 'create', '--username', 'ann'],
  ]) {
    const { code, out, err } = await nameglass([...command, '--data', data]);
    assert.deepEqual([code, out], [1, ''], command.join(' '));
    assert.match(err, unfinished);
    assert.match(err, /remove \S+\/data\.restoring-\d+-\d+\n$/);
  }
  assert.equal(existsSync(data), false);
  const repeated = await nameglass(['restore', backup, '--data', data]);
  assert.equal(repeated.code, 0, repeated.err);
});
