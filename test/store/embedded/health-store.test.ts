import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHealthStore } from '../../../src/store/embedded/health-store.ts';
import { healthStoreConformance, processReport } from '../../conformance/health-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

healthStoreConformance('embedded', (t) => {
  const data = temporaryDirectory(t);
  return () => openHealthStore(data);
});

test('a report that was cut is left out', async (t) => {
  const data = temporaryDirectory(t);
  const store = openHealthStore(data);
  await store.saveReport(processReport());
  const [file] = readdirSync(join(data, 'health'));
  truncateSync(join(data, 'health', file as string), 40);
  assert.deepEqual(await store.listReports(), []);
});

test('a database counts with its log and checksums, a directory with all its files, the largest first', async (t) => {
  const data = temporaryDirectory(t);
  writeFileSync(join(data, 'names.db'), Buffer.alloc(100));
  writeFileSync(join(data, 'names.db-wal'), Buffer.alloc(50));
  writeFileSync(join(data, 'names.db-crc'), Buffer.alloc(5));
  mkdirSync(join(data, 'images/ab'), { recursive: true });
  writeFileSync(join(data, 'images/ab/one'), Buffer.alloc(1000));
  assert.deepEqual(await openHealthStore(data).listSizes(), [
    { name: 'images', bytes: 1000, isPartial: false },
    { name: 'names', bytes: 155, isPartial: false },
  ]);
});
