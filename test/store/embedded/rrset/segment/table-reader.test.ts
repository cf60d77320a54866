/** Tables: everything written is found again, by seeking and in order, whatever the keys are. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { BlockCache } from '../../../../../src/store/embedded/rrset/segment/block-cache.ts';
import { MergingCursor } from '../../../../../src/store/embedded/rrset/segment/merging-cursor.ts';
import { TableCursor, TableReader } from '../../../../../src/store/embedded/rrset/segment/table-reader.ts';
import { TableWriter } from '../../../../../src/store/embedded/rrset/segment/table-writer.ts';
import { temporaryDirectory } from '../../../../harness/temporary-directory.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
let tables = 0;

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

function write(t: TestContext, entries: readonly Entry[]): TableReader {
  const path = join(temporaryDirectory(t), `table-${tables++}`);
  const writer = new TableWriter(path);
  for (const { key, value } of entries) writer.add(key, 0, key.length, value, 0, value.length, 5, 6);
  assert.equal(writer.finish().entries, entries.length);
  return new TableReader(path, new BlockCache(1 << 20));
}

function contents(cursor: TableCursor, from: Uint8Array): string[] {
  const found: string[] = [];
  for (let more = cursor.seekKey(from, from.length); more; more = cursor.step()) {
    const value = cursor.bytes.subarray(cursor.valueStart, cursor.valueEnd);
    found.push(`${hex(cursor.key.subarray(0, cursor.keyLength))} ${hex(value)}`);
  }
  return found;
}

const key = fc.oneof(
  { weight: 8, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 300, maxLength: 6000 }) },
);
const entries = fc
  .uniqueArray(fc.record({ key, value: fc.uint8Array({ maxLength: 40 }) }), {
    selector: ({ key: one }) => hex(one),
    maxLength: 300,
  })
  .map((all) => all.sort((left, right) => Buffer.compare(left.key, right.key)));

test('a seek moves to the first entry at or after its target, and steps continue in order', (t) => {
  fc.assert(
    fc.property(entries, key, (all, target) => {
      const table = write(t, all);
      const expected = all.map((entry) => `${hex(entry.key)} ${hex(entry.value)}`);
      assert.deepEqual(contents(new TableCursor(table), new Uint8Array(0)), expected);
      const from = all.findIndex((entry) => Buffer.compare(entry.key, target) >= 0);
      assert.deepEqual(contents(new TableCursor(table), target), from < 0 ? [] : expected.slice(from));
      table.close();
    }),
    { numRuns: 60 },
  );
});

test('every entry of a table with several index levels is found by its key', (t) => {
  const all = Array.from({ length: 60_000 }, (_, number) => {
    const one = Buffer.alloc(24, 120);
    one.writeUInt32BE(number * 3, 8);
    return { key: one, value: Buffer.alloc(30, number & 255) };
  });
  const table = write(t, all);
  const cursor = new TableCursor(table);
  for (let number = 0; number < all.length; number += 97) {
    const { key: wanted } = all[number] as Entry;
    assert.ok(cursor.seekKey(wanted, wanted.length));
    assert.equal(hex(cursor.key.subarray(0, cursor.keyLength)), hex(wanted));
  }
  table.close();
});

test('several tables are merged, each key once with all cursors that have it', (t) => {
  fc.assert(
    fc.property(fc.array(entries, { minLength: 1, maxLength: 5 }), key, (lists, target) => {
      const readers = lists.map((list) => write(t, list));
      const merge = new MergingCursor(readers);
      const found: string[] = [];
      for (let more = merge.seek(target); more; more = merge.step()) {
        found.push(`${hex(merge.key.subarray(0, merge.keyLength))} ${merge.holderCount}`);
      }
      const counts = new Map<string, number>();
      for (const one of lists.flat()) {
        if (Buffer.compare(one.key, target) >= 0)
          counts.set(hex(one.key), (counts.get(hex(one.key)) ?? 0) + 1);
      }
      const inOrder = [...counts].sort(([left], [right]) =>
        Buffer.compare(Buffer.from(left, 'hex'), Buffer.from(right, 'hex')),
      );
      assert.deepEqual(
        found,
        inOrder.map(([one, count]) => `${one} ${count}`),
      );
      for (const reader of readers) reader.close();
    }),
    { numRuns: 40 },
  );
});

test('a file that is truncated, or not a table, is rejected when it is opened', (t) => {
  const path = join(temporaryDirectory(t), 'table');
  const writer = new TableWriter(path);
  writer.add(Uint8Array.of(1), 0, 1, Uint8Array.of(2), 0, 1, 0, 0);
  const { bytes } = writer.finish();
  truncateSync(path, bytes - 3);
  assert.throws(() => new TableReader(path, new BlockCache(1024)), /not a table/);
  writeFileSync(path, 'short');
  assert.throws(() => new TableReader(path, new BlockCache(1024)), /truncated/);
});
