/** A data directory that vanishes under a server: what is open still takes writes, which nobody would find again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, serve, supervisedProcesses } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { until } from './supervised-server.ts';

const waysToGo: Readonly<Record<string, (data: string) => void>> = {
  // The server may be writing a file there.
  removed: (data) => rmSync(data, { recursive: true, maxRetries: 10 }),
  moved: (data) => renameSync(data, `${data}-elsewhere`),
  'hidden by another, as by a mount': (data) => {
    renameSync(data, `${data}-elsewhere`);
    mkdirSync(data);
  },
};

for (const role of ['all', 'api'])
  for (const [what, go] of Object.entries(waysToGo))
    test(`a server with role ${role} whose data directory is ${what} ends and says why`, async (t) => {
      const data = join(temporaryDirectory(t), 'data');
      const served = await serve(t, ['--data', data, '--role', role]);
      const others = supervisedProcesses(served.child);
      const closed = once(served.child, 'close');
      go(data);
      assert.deepEqual(await closed, [1, null]);
      assert.match(
        served.output().err,
        /the data directory \S+ was removed or replaced while the server ran/,
      );
      await until('the end of its processes', () =>
        others.some(({ pid }) => isRunning(pid)) ? undefined : true,
      );
    });

const harmless: Readonly<Record<string, (data: string) => void>> = {
  'gets another file': (data) => writeFileSync(join(data, 'notes.txt'), 'of an operator'),
  'has another number, but the same files': (data) => {
    mkdirSync(`${data}-new`);
    for (const name of readdirSync(data)) renameSync(join(data, name), join(`${data}-new`, name));
    rmdirSync(data);
    renameSync(`${data}-new`, data);
  },
};

for (const [what, change] of Object.entries(harmless))
  test(`a server goes on whose data directory ${what}`, async (t) => {
    const data = join(temporaryDirectory(t), 'data');
    const served = await serve(t, ['--data', data]);
    change(data);
    const alive = pause(3000).then(() => 'alive');
    const closed = once(served.child, 'close').then(() => 'ended');
    assert.equal(await Promise.race([alive, closed]), 'alive');
    assert.equal(await served.stop(), 0);
  });
