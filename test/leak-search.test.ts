import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canaryBatchKey, canaryKey } from './harness/artifacts.ts';
import { searchForKeys } from './harness/leak-search.ts';
import { temporaryDirectory } from './harness/temporary-directory.ts';

for (const [kind, key] of [
  ['API key', canaryKey()],
  ['batch key', canaryBatchKey()],
] as const) {
  test(`the search finds an ${kind} between other bytes, and names its file`, (t) => {
    const directory = temporaryDirectory(t);
    writeFileSync(join(directory, 'clean.log'), 'nothing here');
    writeFileSync(
      join(directory, 'leaky.bin'),
      Buffer.concat([Buffer.from([0, 255, 7]), Buffer.from(key), Buffer.alloc(9)]),
    );
    const { files, leaks } = searchForKeys(directory);
    assert.equal(files, 2);
    assert.deepEqual(
      leaks.map(({ file }) => file),
      ['leaky.bin'],
    );
  });
}
