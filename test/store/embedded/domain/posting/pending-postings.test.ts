/** Pending changes of many posting lists against a map of sets, with merges in steps, failed transactions, and a second connection. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Database } from '../../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../../src/store/embedded/domain/open-domains.ts';
import { MergePostings } from '../../../../../src/store/embedded/domain/posting/merge-postings.ts';
import { PendingPostings } from '../../../../../src/store/embedded/domain/posting/pending-postings.ts';
import { PostingBlock } from '../../../../../src/store/embedded/domain/posting/posting-block.ts';
import { PostingChanges } from '../../../../../src/store/embedded/domain/posting-changes.ts';
import { Postings } from '../../../../../src/store/embedded/domain/postings.ts';
import { propertyRuns } from '../../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../../harness/temporary-directory.ts';

function open(t: TestContext, directory = temporaryDirectory(t), name = 'domains.db'): Database {
  const database = openDomains(join(directory, name), 2048);
  t.after(() => database.close());
  return database;
}

const [least, greatest] = [-(2n ** 63n), 2n ** 63n - 1n];
const keys = [least, -(2n ** 40n), -1n, 0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 50n, greatest];

const write = fc.record({
  kind: fc.constantFrom('commit', 'commit', 'fail'),
  changes: fc.array(
    fc.record({
      key: fc.constantFrom(...keys),
      from: fc.constantFrom(1, 60, 65_530),
      count: fc.constantFrom(1, 3, 100, 200),
      has: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
});
const mergeSteps = fc.record({ kind: fc.constant('merge'), steps: fc.constantFrom(1, 2, 20) });

type Model = ReadonlyMap<bigint, ReadonlySet<number>>;

function assertSame(postings: Postings, database: Database, model: Model): void {
  database.transaction(() => {
    const sizes = keys.map((key) => model.get(key)?.size ?? 0);
    assert.deepEqual(postings.countsOf(keys), sizes);
    for (const [index, key] of keys.entries()) {
      const ids = [...(model.get(key) ?? [])].sort((left, right) => left - right);
      assert.deepEqual([...postings.scanIds(key)], ids);
      assert.equal(postings.find(key)?.domains ?? 0, sizes[index]);
      assert.equal(postings.recountOf(key), ids.length);
      assert.equal(postings.has(key, 61), ids.includes(61));
    }
    const counted = new Map([...postings.scanCounts()].filter(([, domains]) => domains > 0));
    assert.deepEqual(
      keys.map((key) => counted.get(key) ?? 0),
      sizes,
    );
    assert.equal(postings.countValues(), sizes.filter((size) => size > 0).length);
  })();
}

test('posting lists are those of a map of sets after any writes, failed writes and merges, on every connection', (t) => {
  const directory = temporaryDirectory(t);
  let runs = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(write, mergeSteps), { maxLength: 12 }),
      fc.constantFrom(0, 50),
      (steps, few) => {
        const name = `${(runs += 1)}.db`;
        const [database, other] = [open(t, directory, name), open(t, directory, name)];
        const [changes, merge] = [new PostingChanges(database, few), new MergePostings(database)];
        const readers = [database, other].map((one) => [new Postings(one), one] as const);
        const model = new Map<bigint, Set<number>>(keys.map((key) => [key, new Set()]));
        for (const step of steps) {
          if ('steps' in step) {
            for (let at = 0; at < step.steps; at += 1) database.transaction(() => merge.step(2))();
          } else {
            const fails = step.kind === 'fail';
            const run = database.transaction(() => {
              changes.reset();
              for (const { key, from, count, has } of step.changes) {
                for (let id = from; id < from + count; id += 1) {
                  if (has) changes.add(key, id);
                  else changes.remove(key, id);
                  if (fails) continue;
                  if (has) model.get(key)?.add(id);
                  else model.get(key)?.delete(id);
                }
              }
              changes.flush();
              if (fails) throw new Error('failed');
            });
            if (fails) assert.throws(run, /failed/);
            else run();
          }
          for (const [postings, one] of readers) assertSame(postings, one, model);
        }
        while (database.transaction(() => merge.step())());
        for (const [postings, one] of readers) assertSame(postings, one, model);
        const left = database.prepare('select count(*) from pending_posting').pluck().get();
        assert.equal(left, 0);
        database.close();
        other.close();
      },
    ),
    { numRuns: propertyRuns(20) },
  );
});

test('changes of more than one block are found, those of a value in several blocks too', (t) => {
  const database = open(t);
  const [changes, postings] = [new PostingChanges(database, 0), new Postings(database)];
  const frequent = 40_000;
  for (let id = 1; id <= frequent; id += 1) {
    changes.add(7n, id);
    changes.add(BigInt(id) << 40n, id);
  }
  database.transaction(() => changes.flush())();
  const check = () => {
    assert.equal(postings.countOf(7n), frequent);
    assert.equal([...postings.scanIds(7n)].length, frequent);
    for (const id of [1, 2, 30_000, frequent])
      assert.deepEqual([...postings.scanIds(BigInt(id) << 40n)], [id]);
    assert.equal(postings.countOf(8n), 0);
  };
  check();
  const merge = new MergePostings(database);
  assert.equal(database.transaction(() => merge.step(20_000))(), true);
  check();
  assert.equal(postings.countValues(), frequent + 1);
  while (database.transaction(() => merge.step())());
  check();
});

test('changes are found, whatever the number of blocks that a connection keeps', (t) => {
  const database = open(t);
  const changes = new PostingChanges(database, 0);
  for (const run of [0, 1, 2]) {
    for (let id = 1; id <= 6000; id += 1) changes.add(BigInt(id) << 40n, id + run * 6000);
    database.transaction(() => changes.flush())();
  }
  for (const kept of [1, 2, 5, 100]) {
    const pending = new PendingPostings(database, kept).current();
    for (const id of [1, 6000, 3, 2047, 2048, 2049, 6000, 1])
      assert.deepEqual(pending.idsAfter(BigInt(id) << 40n, []), [id, id + 6000, id + 12_000]);
    assert.equal([...pending.keys()].length, 6000);
    const blocks = pending.runs.flatMap((run) => run.blocks.filter((block) => block !== undefined));
    assert.ok(blocks.length <= kept, `${blocks.length} of ${kept}`);
  }
});

test('a block gives the entries of every key that it has, and an empty range for others', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: least, max: greatest }), { minLength: 1 }), (given) => {
      const sorted = BigInt64Array.from(
        given.flatMap((key) => (key % 3n === 0n ? [key, key, key] : [key])),
      ).sort();
      const changes = Uint32Array.from(sorted, (_, index) => index);
      const block = new PostingBlock(
        Buffer.concat([new Uint8Array(sorted.buffer), new Uint8Array(changes.buffer)]),
      );
      for (const key of [...given, ...given.map((one) => BigInt.asIntN(64, one + 1n))]) {
        const [from, to] = block.rangeOf(key);
        assert.deepEqual(
          [from, to - from],
          [sorted.filter((one) => one < key).length, sorted.filter((one) => one === key).length],
        );
      }
    }),
  );
});
