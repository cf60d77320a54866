/** Searches without worker threads, so that many can be run, and with more domains than one chunk has. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Condition } from '../../../../../src/model/record/condition.ts';
import type { DomainRecord } from '../../../../../src/model/record/domain-record.ts';
import type { SortOrder } from '../../../../../src/store/domain-store.ts';
import type { Database } from '../../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../../src/store/embedded/domain/open-domains.ts';
import { RecordRows } from '../../../../../src/store/embedded/domain/record-rows.ts';
import { Search } from '../../../../../src/store/embedded/domain/search/search.ts';
import { Upserts } from '../../../../../src/store/embedded/domain/upserts.ts';
import { verifyCounts } from '../../../../../src/store/embedded/domain/verify.ts';
import { condition, order, update } from '../../../../harness/arbitraries/record-arbitraries.ts';
import { propertyRuns } from '../../../../harness/property-runs.ts';
import { RecordReference } from '../../../../harness/reference/record-reference.ts';
import { temporaryDirectory } from '../../../../harness/temporary-directory.ts';

const byName: SortOrder = { by: 'domain', descending: false };

function open(directory: string, name: string): Database {
  const database = openDomains(join(directory, name), 2048);
  database.pragma('synchronous = off');
  return database;
}

test('any condition finds what a scan of all records finds', (t) => {
  const directory = temporaryDirectory(t);
  let runs = 0;
  fc.assert(
    fc.property(
      fc.array(update, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(condition, order), { minLength: 60, maxLength: 60 }),
      fc.constantFrom(0, 2, 100),
      fc.constantFrom(0, 1000),
      (updates, queries, few, fewChanges) => {
        const database = open(directory, `${(runs += 1)}.db`);
        const [upserts, rows] = [new Upserts(database, fewChanges), new RecordRows(database)];
        // With low thresholds the indexes are used.
        const thresholds = { few, many: few };
        const rareWords = () => ({ few, many: 100 - few });
        const search = new Search(database, { names: thresholds, records: thresholds, rareWords });
        const reference = new RecordReference();
        database.transaction(() => {
          upserts.begin(0);
          for (const one of updates) {
            upserts.apply(one);
            const stored = rows.findRecord(rows.findId(one.record.domain) ?? 0);
            reference.note(one, stored as DomainRecord);
          }
          upserts.flush();
        })();
        for (const [one, by] of queries) {
          const found = Array.from(search.find(one, by, 100) ?? [], (id) => rows.nameOf(id));
          assert.deepEqual(found, reference.search(one, by));
        }
        assert.deepEqual(
          verifyCounts(database, () => undefined),
          [],
        );
        database.close();
      },
    ),
    { numRuns: propertyRuns(20) },
  );
});

test('a phrase of frequent words is found in ASCII texts and in others', (t) => {
  const database = open(temporaryDirectory(t), 'domains.db');
  t.after(() => database.close());
  const [upserts, rows] = [new Upserts(database), new RecordRows(database)];
  const texts = [
    'Name: KEN\r\nNumber: 7',
    'name "Ken" \\n number: 7',
    // The Kelvin sign folds to k.
    'Name: \u212aen, number 7',
    'number 7, name: Ken',
    'Name: Kenia, number 7',
    'name: Ken, number 77',
    'Name: Ken – Number: 7',
  ];
  database.transaction(() => {
    upserts.begin(0);
    for (const [index, record] of texts.entries()) {
      const whois = { parsed_whois: { record } };
      upserts.apply({ record: { domain: `${index}.example`, ...whois }, source: 'test', seenMs: 0 });
    }
    upserts.flush();
  })();
  const thresholds = { few: 0, many: 0 };
  const phrase: Condition = { kind: 'whois', over: 'latest', text: 'ken number 7' };
  for (const many of [0, 100]) {
    const rareWords = () => ({ few: 0, many });
    const search = new Search(database, { names: thresholds, records: thresholds, rareWords });
    const found: readonly string[] = Array.from(search.find(phrase, byName, 100) ?? [], (id) =>
      rows.nameOf(id),
    );
    assert.deepEqual(found, ['0.example', '2.example', '6.example']);
  }
});

const total = 70_000;

/** 70000 domains named after their number: every second has the registrar Even, every 7000th a popularity rank. */
function manyDomains(t: TestContext): (condition: Condition) => string[] | 'too-many' {
  const database = open(temporaryDirectory(t), 'domains.db');
  t.after(() => database.close());
  const [upserts, rows, search] = [new Upserts(database), new RecordRows(database), new Search(database)];
  database.transaction(() => {
    upserts.begin(0);
    for (let number = 0; number < total; number += 1) {
      const record: DomainRecord = {
        domain: `n${number}.example`,
        registrar: number % 2 === 0 ? 'Even' : 'Odd',
        ...(number % 7000 === 0 && {
          popularity_rank: number + 1,
          parsed_whois: { registrar: 'Even', record: `number ${number} of many` },
        }),
      };
      upserts.apply({ record, source: 'test', seenMs: 0 });
    }
    upserts.flush();
  })();
  return (one) => {
    const ids = search.find(one, byName, 20);
    return ids ? Array.from(ids, (id) => rows.nameOf(id)) : 'too-many';
  };
}

test('searches across several chunks are exact', (t) => {
  const find = manyDomains(t);
  const even: Condition = { kind: 'has', attributes: ['registrar'], value: 'EVEN' };
  const ranked: Condition = { kind: 'compare', column: 'popularity_rank', comparison: '>', value: 60_000 };
  const part = (text: string): Condition => ({ kind: 'contains', attributes: ['domain'], text });
  const phrase: Condition = { kind: 'whois', over: 'latest', text: 'of many' };
  const and = (...of: Condition[]): Condition => ({ kind: 'and', of });
  assert.equal(find(even), 'too-many');
  assert.deepEqual(find(and(even, ranked)), ['n63000.example']);
  assert.deepEqual(find(and({ kind: 'not', of: even }, ranked)), []);
  assert.equal(find(part('example')), 'too-many');
  assert.deepEqual(find(and(part('example'), ranked)), ['n63000.example']);
  assert.deepEqual(find(and(even, part('n6999'), part('.e'), part('8.'))), ['n69998.example']);
  assert.equal(find(phrase).length, 10);
  assert.deepEqual(find(and(even, { kind: 'not', of: phrase }, part('n7000.'))), []);
  assert.deepEqual(find(and(even, phrase, part('n7000.'))), ['n7000.example']);
  assert.deepEqual(find(and({ kind: 'not', of: { kind: 'or', of: [part('n'), even] } })), []);
});
