import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { cpuSecondsOf, memoryBytesOf, processTree } from '../../../bench/harness/process-tree.ts';
import { runCommand } from '../../../bench/serving/run-command.ts';
import type { TestScope } from '../../harness/test-scope.ts';

const busy = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);';

async function nodeProcess(scope: TestScope, script: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  scope.after(() => child.kill('SIGKILL'));
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

const pidOf = ({ pid }: ChildProcess) => pid ?? 0;

test('the CPU time of a server includes its children, those that have ended among them', async (t) => {
  const script = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}]); console.log(); process.stdin.resume();`;
  const parent = await nodeProcess(t, script);
  assert.ok(cpuSecondsOf(pidOf(parent)) >= 0.3);
});

test('the memory of a server is that of its whole tree', async (t) => {
  const child = `const held = Buffer.alloc(60e6, 1); console.log(held.length); process.stdin.resume();`;
  const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['pipe', 'pipe', 'inherit'] }); child.stdout.pipe(process.stdout);`;
  const parent = await nodeProcess(t, script);
  t.after(() => {
    for (const pid of processTree(pidOf(parent)).slice(1)) process.kill(pid, 'SIGKILL');
  });
  const pids = processTree(pidOf(parent));
  assert.equal(pids.length, 2);
  const [whole, alone] = [
    memoryBytesOf(pidOf(parent)),
    memoryBytesOf(pidOf(parent), (pid) => pid === pids[0]),
  ];
  assert.ok(whole - alone >= 60e6, `${whole} and ${alone}`);
});

test('a command that has ended reports the CPU time that it took', async () => {
  const { cpuSeconds } = await runCommand(process.execPath, ['-e', busy]);
  assert.ok(cpuSeconds >= 0.3);
});
