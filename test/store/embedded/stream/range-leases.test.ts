import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../../src/store/embedded/database.ts';
import { RangeLeases } from '../../../../src/store/embedded/stream/range-leases.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

test('a lease is visible to another handle until it is released', async (t) => {
  const directory = temporaryDirectory(t);
  const [one, other] = [new RangeLeases(directory), new RangeLeases(directory)];
  t.after(() => [one, other].forEach((leases) => leases.close()));
  const lease = await one.acquire('ch1', 7);
  assert.equal(await other.findEarliest('ch1'), 7);
  await one.release(lease);
  assert.equal(await other.findEarliest('ch1'), undefined);
});

test('a lease of an earlier process with the same process id is removed', async (t) => {
  const directory = temporaryDirectory(t);
  const leases = new RangeLeases(directory);
  t.after(() => leases.close());
  await leases.acquire('ch1', 7);
  const database = openDatabase(join(directory, 'leases.db'), 'leases', 'normal');
  database.prepare("update lease set started = 'another time'").run();
  database.close();
  assert.equal(await leases.findEarliest('ch1'), undefined);
});

test('a lease of a process that has ended is removed', async (t) => {
  const directory = temporaryDirectory(t);
  const leases = new RangeLeases(directory);
  t.after(() => leases.close());
  await leases.acquire('ch1', 7);
  const database = openDatabase(join(directory, 'leases.db'), 'leases', 'normal');
  database.prepare('update lease set process = 4194305').run();
  database.close();
  assert.equal(await leases.findEarliest('ch1'), undefined);
});
