/** A thread of the passive DNS store that dies after its commit and before its response. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const workers = join(import.meta.dirname, '../../harness/workers');

test('when a thread dies between its commit and its response, the segment keeps its files and every observation counts once', (t) => {
  const directory = temporaryDirectory(t);
  const marker = join(directory, 'die');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--import',
      join(workers, 'die-after-commit-worker.ts'),
      join(workers, 'rrset-thread-death-worker.ts'),
      directory,
    ],
    { env: { ...process.env, DIE_AFTER_COMMIT: marker }, encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  assert.ok(!existsSync(marker), 'no thread died');
  const { counts, damages, segments, files } = JSON.parse(stdout) as Record<string, unknown[]>;
  assert.deepEqual(counts, [1, 1]);
  assert.deepEqual(damages, []);
  assert.equal(segments, 1);
  assert.equal(files?.length, 3);
});
