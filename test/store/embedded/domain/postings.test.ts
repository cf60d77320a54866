/** Posting lists of few and of many domains, across the sizes where their storage changes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { chunkIds, chunkOf, contains, lowOf } from '../../../../src/store/domain/id-chunk.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { MergePostings } from '../../../../src/store/embedded/domain/posting/merge-postings.ts';
import { listedIdsMax } from '../../../../src/store/embedded/domain/posting/posting-writer.ts';
import { PostingChanges } from '../../../../src/store/embedded/domain/posting-changes.ts';
import { Postings } from '../../../../src/store/embedded/domain/postings.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

function open(t: TestContext) {
  const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
  t.after(() => database.close());
  return database;
}

/** A range of ids that all gain the value, or lose it. */
const change = fc.record({
  from: fc.constantFrom(1, 100, chunkIds - 60, chunkIds, 3 * chunkIds + 7),
  count: fc.constantFrom(1, 2, listedIdsMax - 1, listedIdsMax, listedIdsMax + 1, 5000),
  step: fc.constantFrom(1, 3),
  has: fc.boolean(),
});

/** Changes that go into the tables at once: all, none, or some. */
for (const few of [Number.POSITIVE_INFINITY, 0, 200]) {
  test(`after any changes a posting list has the domains whose last change added them (${few} at once)`, (t) => {
    const database = open(t);
    const changes = new PostingChanges(database, few);
    const merge = new MergePostings(database);
    const postings = new Postings(database);
    let key = 0n;
    const batch = fc.record({ changes: fc.array(change, { maxLength: 3 }), merges: fc.boolean() });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 5 }), (batches) => {
        // A different value each time; some keys are negative.
        key = -key + (key <= 0n ? 1n : 0n);
        const expected = new Set<number>();
        for (const { changes: ranges, merges } of batches) {
          for (const { from, count, step, has } of ranges) {
            for (let id = from; id < from + count * step; id += step) {
              if (has) {
                changes.add(key, id);
                expected.add(id);
              } else {
                changes.remove(key, id);
                expected.delete(id);
              }
            }
          }
          database.transaction(() => changes.flush())();
          if (merges) while (database.transaction(() => merge.step(1))());
          const ids = [...expected].sort((left, right) => left - right);
          assert.deepEqual([...postings.scanIds(key)], ids);
          assert.equal(postings.countOf(key), ids.length);
          assert.deepEqual(postings.countsOf([key]), [ids.length]);
          assert.equal(postings.recountOf(key), ids.length);
          assert.equal(postings.find(key)?.domains ?? 0, ids.length);
          for (const { from } of ranges) assert.equal(postings.has(key, from), expected.has(from));
        }
      }),
      { numRuns: 60 },
    );
  });
}

test('a long posting list is read chunk by chunk', (t) => {
  const database = open(t);
  const changes = new PostingChanges(database);
  const ids = [5, chunkIds, 2 * chunkIds + 5];
  for (const first of ids) for (let id = first; id < first + listedIdsMax; id += 1) changes.add(-7n, id);
  changes.flush();
  const postings = new Postings(database);
  assert.equal(postings.find(-7n)?.ids, undefined);
  for (const id of ids) assert.ok(contains(postings.chunkOf(-7n, chunkOf(id)), lowOf(id)));
  assert.equal(postings.chunkOf(-7n, 9).length, 0);
});

test('a value without domains has no rows', (t) => {
  const database = open(t);
  const changes = new PostingChanges(database);
  for (let id = 1; id < 300; id += 1) changes.add(1n, id);
  changes.flush();
  for (let id = 1; id < 300; id += 1) changes.remove(1n, id);
  changes.flush();
  const rows = (table: string) => database.prepare(`select count(*) from ${table}`).pluck().get();
  assert.deepEqual([rows('value'), rows('value_chunk')], [0, 0]);
});
