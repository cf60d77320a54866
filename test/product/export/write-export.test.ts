/** An export is written as it is read, and ends with its reader. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportFormats, writeExport } from '../../../src/product/export/write-export.ts';

const context = {
  account: { id: 'a', name: 'A' },
  subject: '',
  nowMs: 0,
  defanged: false,
  marking: 'green',
} as const;

test('a batch is read only when it is asked for, and none after the reader has left', async () => {
  let read = 0;
  let isClosed = false;
  async function* batches() {
    try {
      for (;;) {
        read += 1;
        yield [{ record: { domain: `d${read}.example` }, tags: [] }];
      }
    } finally {
      isClosed = true;
    }
  }
  const chunks = writeExport(batches(), exportFormats.txt, context);
  await chunks.next();
  assert.equal(read, 0);
  await chunks.next();
  assert.equal(read, 1);
  await chunks.return(undefined);
  assert.deepEqual([read, isClosed], [1, true]);
});
