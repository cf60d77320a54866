/** Posting lists of domains that are new in their transaction, as imports add them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { openDomains } from '../../../../../src/store/embedded/domain/open-domains.ts';
import { MergePostings } from '../../../../../src/store/embedded/domain/posting/merge-postings.ts';
import { PostingChanges } from '../../../../../src/store/embedded/domain/posting-changes.ts';
import { Postings } from '../../../../../src/store/embedded/domain/postings.ts';
import { temporaryDirectory } from '../../../../harness/temporary-directory.ts';

function open(t: TestContext) {
  const database = openDomains(join(temporaryDirectory(t), 'domains.db'), 2048);
  t.after(() => database.close());
  return database;
}

const newIds = 6;
const keys = [-(2n ** 40n), -1n, 1n, 2n ** 32n];
const change = fc.record({
  key: fc.constantFrom(...keys),
  /** Counted from the first new id. */
  id: fc.nat(newIds - 1),
  // Nearly always an addition, as in an import; a domain that is in it twice may lose a value.
  has: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

test('new domains are in the posting lists that they were added to last, in any order and repeated', (t) => {
  const database = open(t);
  const changes = new PostingChanges(database, 0);
  const merge = new MergePostings(database);
  const postings = new Postings(database);
  const expected = new Map(keys.map((key) => [key, new Set<number>()]));
  let firstNewId = 1;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.boolean(), fc.boolean(), (some, isSorted, merges) => {
      const ordered = isSorted ? some.toSorted((left, right) => left.id - right.id) : some;
      for (const { key, id, has } of ordered) {
        if (has) changes.add(key, firstNewId + id);
        else changes.remove(key, firstNewId + id);
        expected.get(key)?.[has ? 'add' : 'delete'](firstNewId + id);
      }
      database.transaction(() => changes.flush(firstNewId))();
      if (merges) while (database.transaction(() => merge.step(1))());
      firstNewId += newIds;
      for (const [key, ids] of expected) {
        assert.deepEqual(
          [...postings.scanIds(key)],
          [...ids].sort((left, right) => left - right),
        );
        assert.equal(postings.countOf(key), ids.size);
      }
    }),
    { numRuns: 60 },
  );
});

test('a single id is stored as an integer, and one that an earlier version stored as a float is read', (t) => {
  const database = open(t);
  const changes = new PostingChanges(database);
  changes.add(7n, 300);
  database.transaction(() => changes.flush())();
  assert.deepEqual(database.prepare('select domains, typeof(ids) from value').raw().all(), [[1, 'integer']]);
  database.prepare('update value set ids = 300.0').run();
  assert.deepEqual([...new Postings(database).scanIds(7n)], [300]);
});
