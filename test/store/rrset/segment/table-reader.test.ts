/** Tables: everything written is found again, by seeking and in order, whatever the keys are. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DamagedData } from '../../../../src/store/damage.ts';
import { BlockCache } from '../../../../src/store/rrset/segment/block-cache.ts';
import {
  blockSeed,
  fileSeed,
  headerBytes,
  sealBlock,
} from '../../../../src/store/rrset/segment/block-checksum.ts';
import { MergingCursor } from '../../../../src/store/rrset/segment/merging-cursor.ts';
import { TableCursor, TableReader } from '../../../../src/store/rrset/segment/table-reader.ts';
import {
  type TableEntry,
  writeAndOpenTable,
  writeTableFile,
} from '../../../harness/fixtures/sorted-table.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
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
      const table = writeAndOpenTable(t, all);
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
  const table = writeAndOpenTable(t, all);
  const cursor = new TableCursor(table);
  for (let number = 0; number < all.length; number += 97) {
    const { key: wanted } = all[number] as TableEntry;
    assert.ok(cursor.seekKey(wanted, wanted.length));
    assert.equal(hex(cursor.key.subarray(0, cursor.keyLength)), hex(wanted));
  }
  table.close();
});

test('several tables are merged, each key once with all cursors that have it', (t) => {
  fc.assert(
    fc.property(fc.array(entries, { minLength: 1, maxLength: 5 }), key, (lists, target) => {
      const readers = lists.map((list) => writeAndOpenTable(t, list));
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

test('a file that is truncated, not a table, or missing is opened, and refused when it is used', (t) => {
  const path = join(temporaryDirectory(t), 'table');
  writeTableFile(path, [{ key: Uint8Array.of(1), value: Uint8Array.of(2) }]);
  const { size: bytes } = statSync(path);
  const read = () => {
    const table = new TableReader(path, new BlockCache(1024));
    try {
      return contents(new TableCursor(table), new Uint8Array(0));
    } finally {
      table.close();
    }
  };
  assert.equal(read().length, 1);
  truncateSync(path, bytes - 3);
  assert.throws(read, { name: 'DamagedData', file: path, problem: /does not end like a table/ });
  writeFileSync(path, 'short');
  assert.throws(read, { name: 'DamagedData', file: path, problem: 'it is truncated' });
  rmSync(path);
  assert.throws(read, { name: 'DamagedData', file: path, problem: 'it is missing' });
});

/** Damages a byte of the body of the first block and repairs the checksums, as if they had not noticed. */
function damageUnnoticed(path: string, original: Uint8Array, position: number, value: number): void {
  const bytes = new Uint8Array(original);
  const length = headerBytes + new DataView(bytes.buffer).getUint32(0, true);
  bytes[headerBytes + (position % (length - headerBytes))] = value;
  sealBlock(bytes.subarray(0, length), blockSeed(fileSeed(path), 0));
  writeFileSync(path, bytes);
}

test('damage that the checksums do not notice ends in an error or other entries, never in an endless loop', (t) => {
  const path = join(temporaryDirectory(t), 'table');
  const keys = Array.from({ length: 90 }, (_, number) =>
    Buffer.from(`key ${String(number).padStart(4, '0')}`),
  );
  writeTableFile(
    path,
    keys.map((one) => ({ key: one, value: one })),
  );
  const original = readFileSync(path);
  let failures = 0;
  fc.assert(
    fc.property(fc.nat(5000), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), (position, value) => {
      damageUnnoticed(path, original, position, value);
      const table = new TableReader(path, new BlockCache(1 << 20));
      try {
        assert.ok(contents(new TableCursor(table), new Uint8Array(0)).length < 1000);
        assert.ok(contents(new TableCursor(table), Buffer.from('key 0050')).length < 1000);
      } catch (error) {
        if (!(error instanceof DamagedData)) assert.match(String(error), /varint is corrupt/);
        failures += 1;
      } finally {
        table.close();
      }
    }),
    { numRuns: 400 },
  );
  assert.ok(failures > 50, `${failures} of 400 led to an error`);
});
