/** An import into the data of a server that answers meanwhile. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { type TestContext, test } from 'node:test';
import { program } from '../../../harness/server/program.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { until } from '../../supervisor/supervised-server.ts';

async function importWith(t: TestContext, niceness: number, command: readonly string[]): Promise<void> {
  const args = [
    ...command,
    process.execPath,
    program,
    'import',
    'names',
    '-',
    '--data',
    temporaryDirectory(t),
  ];
  const child = spawn('env', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the import', () => (getPriority(child.pid) === niceness ? true : undefined));
  child.stdin.end('paypa1.example\n');
  assert.deepEqual(await ended, [0, null]);
}

test('an import gives way to other processes', (t) => importWith(t, Math.max(getPriority(), 5), []));

test('an import that was started with a greater niceness keeps it', async (t) => {
  await importWith(t, Math.min(getPriority() + 7, 19), ['nice', '-n', '7']);
});
