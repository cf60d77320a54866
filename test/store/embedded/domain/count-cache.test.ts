/** Counts that are kept until the database changes, against counts that are read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openDatabase } from '../../../../src/store/embedded/database.ts';
import { CountCache } from '../../../../src/store/embedded/domain/count-cache.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const clock = { now: () => 1_700_000_000_000 };

function halvesOf(key: bigint): readonly [low: number, high: number] {
  return [Number(BigInt.asIntN(32, key)), Number(key >> 32n)];
}

test('a kept count is the last one of its key, and gone once this or another connection has written', (t) => {
  const path = join(temporaryDirectory(t), 'domains.db');
  const [own, other] = [openDatabase(path, 'domains', 'normal'), openDatabase(path, 'domains', 'normal')];
  t.after(() => [own, other].map((database) => database.close()));
  const key = fc.oneof(
    fc.bigInt({ min: -4n, max: 4n }),
    fc.bigInt({ min: 0n, max: 3n }).map((high) => (high << 32n) | 1n),
  );
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(key, fc.nat(9)) },
    { weight: 1, arbitrary: fc.constantFrom('own', 'other') },
  );
  let written = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(1, 4, 64), (steps, slots) => {
      const cache = new CountCache(own, slots);
      const truth = new Map<bigint, number>();
      cache.beginTransaction();
      for (const one of steps) {
        if (typeof one === 'string') {
          written += 1;
          (one === 'own' ? own : other).exec(`insert into domain (name) values ('${written}.example')`);
          truth.clear();
        }
        cache.beginTransaction();
        if (typeof one !== 'string') {
          const [counted, count] = one;
          // Within a state of the database a key has one count.
          const exact = truth.get(counted) ?? count;
          truth.set(counted, exact);
          cache.put([counted], [exact]);
        }
        for (let high = -1n; high <= 3n; high += 1n)
          for (const low of [0n, 1n, 2n, 3n, 4n, 0xffff_fffcn, 0xffff_fffdn, 0xffff_fffen, 0xffff_ffffn]) {
            const asked = (high << 32n) | low;
            const found = cache.find(...halvesOf(asked));
            assert.ok(found === -1 || found === truth.get(asked), `${asked}: ${found}`);
          }
      }
    }),
  );
});

test('where two values have the same place, the one that more domains have keeps it until the database changes', (t) => {
  const path = join(temporaryDirectory(t), 'domains.db');
  const database = openDatabase(path, 'domains', 'normal');
  t.after(() => database.close());
  const cache = new CountCache(database, 1);
  const find = (key: bigint) => cache.find(...halvesOf(key));
  cache.beginTransaction();
  cache.put([1n, 2n, 3n], [5, 7, 6]);
  assert.deepEqual([1n, 2n, 3n].map(find), [-1, 7, -1]);
  database.exec("insert into domain (name) values ('a.example')");
  cache.beginTransaction();
  assert.equal(find(2n), -1);
  cache.put([3n], [1]);
  assert.equal(find(3n), 1);
});

test('the counts of records are exact after every write, of the same store and of another one', async (t) => {
  const directory = temporaryDirectory(t);
  const stores = [openDomainStore(directory, clock), openDomainStore(directory, clock)] as const;
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const names = ['a.example', 'b.example', 'c.example'];
  const put = (by: number, domain: string, title: string) =>
    stores[by]?.upsert([
      {
        record: { domain, website_title: title },
        source: 'test',
        seenMs: clock.now(),
      },
    ]);
  for (const domain of names) await put(0, domain, 'same');
  const step = fc.record({
    by: fc.constantFrom(0, 1),
    name: fc.constantFrom(...names),
    title: fc.constantFrom('same', 'other'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const { by, name, title } of steps) {
        await put(by, name, title);
        for (const store of stores) {
          const records = await store.getRecords([1, 2, 3], ['root']);
          const titles = records.map(
            ({ json }) => (JSON.parse(json) as { website_title: string }).website_title,
          );
          assert.deepEqual(
            records.map(({ counts }) => Array.from(counts.root ?? [])),
            titles.map((own) => [titles.filter((one) => one === own).length]),
          );
        }
      }
    }),
    { numRuns: propertyRuns(20) },
  );
});
