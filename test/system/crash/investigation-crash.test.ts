/** A process that is killed while it changes an investigation. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openInvestigationStore } from '../../../src/store/embedded/desk/investigation-store.ts';
import { investigation } from '../../conformance/desk/investigation-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/desk/investigation-worker.ts');

test('every acknowledged change of an investigation outlives a killed process, and none is half made', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 1; round <= 3; round += 1) {
    const first = openInvestigationStore(directory);
    const { id } = await first.createInvestigation(investigation(), { name: 'ann', atMs: 1 });
    await first.close();
    const child = spawn(process.execPath, [worker, directory, id], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (text: Buffer) => {
      said += String(text);
    });
    await once(child.stdout, 'data');
    await pause(round * 40);
    child.kill('SIGKILL');
    await once(child, 'close');
    const acknowledged = Number(said.split('\n').at(-2));
    const store = openInvestigationStore(directory);
    const found = (await store.findInvestigation({ accountId: 'acme', id })) ?? assert.fail();
    await store.close();
    // The last change may have been made and not reported.
    assert.ok(
      [acknowledged, acknowledged + 1].includes(found.version),
      `${found.version} of ${acknowledged}`,
    );
    const made = found.version - 1;
    // Of every three changes two add a search and the third removes the second of them.
    assert.equal(found.nodeCount, Math.floor(made / 3) + (made % 3));
    assert.equal(found.nodes.length, found.nodeCount);
  }
});
