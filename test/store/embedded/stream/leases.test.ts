import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../../src/store/embedded/database.ts';
import { Leases } from '../../../../src/store/embedded/stream/leases.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

test('a lease holds for as long as its process lives, and another handle sees it', async (t) => {
  const directory = temporaryDirectory(t);
  const [one, other] = [new Leases(directory), new Leases(directory)];
  t.after(() => [one, other].forEach((leases) => leases.close()));
  const lease = await one.take('ch1', 7);
  assert.equal(await other.findEarliest('ch1'), 7);
  await one.give(lease);
  assert.equal(await other.findEarliest('ch1'), undefined);
});

test('a lease of a process that had the same number before is gone', async (t) => {
  const directory = temporaryDirectory(t);
  const leases = new Leases(directory);
  t.after(() => leases.close());
  await leases.take('ch1', 7);
  const database = openDatabase(join(directory, 'leases.db'), 'leases', 'normal');
  database.prepare("update lease set started = 'another time'").run();
  database.close();
  assert.equal(await leases.findEarliest('ch1'), undefined);
});

test('a lease of a process that is gone is gone', async (t) => {
  const directory = temporaryDirectory(t);
  const leases = new Leases(directory);
  t.after(() => leases.close());
  await leases.take('ch1', 7);
  const database = openDatabase(join(directory, 'leases.db'), 'leases', 'normal');
  database.prepare('update lease set process = 4194305').run();
  database.close();
  assert.equal(await leases.findEarliest('ch1'), undefined);
});
