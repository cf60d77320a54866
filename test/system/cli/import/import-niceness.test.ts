/** An import into the data of a server that answers meanwhile. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { program } from '../../../harness/server/program.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { until } from '../../supervisor/supervised-server.ts';

test('an import gives way to other processes', async (t) => {
  const args = [program, 'import', 'names', '-', '--data', temporaryDirectory(t)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the import', () => (getPriority(child.pid) === 5 ? true : undefined));
  child.stdin.end('paypa1.example\n');
  assert.deepEqual(await ended, [0, null]);
});
