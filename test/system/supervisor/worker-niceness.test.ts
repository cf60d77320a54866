/** While the processors are busy, the process that answers comes before the one that collects. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { supervisedServer } from './supervised-server.ts';

/** What the tests have, and so what they start. */
const own = getPriority();

/** Of all threads of a process. On Linux each has its own. */
function nicenessOf(pid: number): readonly number[] {
  return [...new Set(readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread))))];
}

test('every thread of the worker gives way to the process that answers', async (t) => {
  const server = await supervisedServer(t);
  assert.deepEqual(nicenessOf(await server.pidOf('worker')), [Math.max(own, 5)]);
  assert.deepEqual(nicenessOf(await server.pidOf('api')), [own]);
});

test('supervisor.workerNiceness says how much', async (t) => {
  const server = await supervisedServer(t, ['supervisor.workerNiceness=0']);
  assert.deepEqual(nicenessOf(await server.pidOf('worker')), [own]);
});
