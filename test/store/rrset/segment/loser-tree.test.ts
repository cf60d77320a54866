/** The merge of a compaction: every entry of every table in the order of keys, those with the same key in the order of the tables. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { BlockCache } from '../../../../src/store/rrset/segment/block-cache.ts';
import { LoserTree } from '../../../../src/store/rrset/segment/loser-tree.ts';
import { TableCursor, TableReader } from '../../../../src/store/rrset/segment/table-reader.ts';
import {
  type TableEntry,
  writeAndOpenTable,
  writeTableFile,
} from '../../../harness/fixtures/sorted-table.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Few different bytes, so that keys share prefixes, extend each other and are in several tables; some are longer than any buffer at first. */
const key = fc.oneof(
  { weight: 9, arbitrary: fc.array(fc.constantFrom(0, 1, 2, 255), { maxLength: 7 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(500, 700, 3000).map((length) => new Array<number>(length).fill(1)),
  },
);

const table = fc
  .uniqueArray(key, { selector: (bytes) => bytes.join(), maxLength: 120 })
  .map((keys) =>
    keys.map((bytes) => Uint8Array.from(bytes)).sort((left, right) => Buffer.compare(left, right)),
  );

interface Merged {
  readonly key: string;
  readonly value: string;
  readonly isRepeated: boolean;
}

function mergedOf(readers: readonly TableReader[]): Merged[] {
  const merge = new LoserTree(readers.map((reader) => new TableCursor(reader)));
  const found: Merged[] = [];
  let before = new Uint8Array(0);
  for (let cursor = merge.next(); cursor; cursor = merge.next()) {
    const { isRepeated } = merge;
    if (!isRepeated) {
      const shared = merge.takeKey();
      const taken = merge.key.slice(0, merge.keyLength);
      assert.deepEqual(taken.subarray(0, shared), before.subarray(0, shared), 'the prefix is shared');
      const isAll = shared === Math.min(before.length, taken.length) || before[shared] !== taken[shared];
      assert.ok(isAll, 'nothing more is shared');
      before = taken;
    }
    const value = cursor.bytes.subarray(cursor.valueStart, cursor.valueEnd);
    found.push({ key: hex(before), value: hex(value), isRepeated });
  }
  return found;
}

function expectedOf(tables: readonly (readonly TableEntry[])[]): Merged[] {
  const all = tables.flat().map(({ key: one, value }, at) => ({ one, value, at }));
  all.sort((left, right) => Buffer.compare(left.one, right.one) || left.at - right.at);
  return all.map(({ one, value }, at) => {
    const before = all[at - 1];
    return {
      key: hex(one),
      value: hex(value),
      isRepeated: before !== undefined && Buffer.compare(before.one, one) === 0,
    };
  });
}

function assertMerged(t: TestContext, lists: readonly (readonly Uint8Array[])[]): void {
  const tables = lists.map((keys, number) =>
    keys.map((one, at) => ({ key: one, value: Uint8Array.of(number, at) })),
  );
  const readers = tables.map((entries) => writeAndOpenTable(t, entries));
  assert.deepEqual(mergedOf(readers), expectedOf(tables));
  for (const reader of readers) reader.close();
}

test('entries of any number of tables come in the order of keys, with what each key shares with the one before', (t) => {
  fc.assert(
    fc.property(fc.array(table, { maxLength: 9 }), (lists) => assertMerged(t, lists)),
    { numRuns: propertyRuns(50) },
  );
});

test('tables of many leaves are merged, in which keys share prefixes across restarts and leaves', (t) => {
  const keysOf = (step: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      Buffer.from(`com.example.host-${String(at * step).padStart(9, '0')}`),
    );
  assertMerged(t, [keysOf(1, 2000), keysOf(3, 2000), keysOf(7, 1000), [], keysOf(2, 1)]);
});

test('a table whose keys are not in order is damage, and nothing is made of it', (t) => {
  const path = join(temporaryDirectory(t), 'table');
  const [first, second] = [Buffer.from('key 2'), Buffer.from('key 1')];
  writeTableFile(
    path,
    [first, second].map((one) => ({ key: one, value: one })),
  );
  const reader = new TableReader(path, new BlockCache(1 << 20));
  assert.throws(() => mergedOf([reader]), { name: 'DamagedData', file: path, problem: /not in order/ });
  reader.close();
});
