/** Stores whose index was written by another version, which is imitated by changing the index in SQLite. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Condition } from '../../../../src/model/record/condition.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { tldAttribute } from '../../../../src/store/domain/indexed-values.ts';
import type { ValueKeys } from '../../../../src/store/domain/value-keys.ts';
import type { DomainStore } from '../../../../src/store/domain-store.ts';
import type { Database } from '../../../../src/store/embedded/database.ts';
import { openDomains } from '../../../../src/store/embedded/domain/open-domains.ts';
import { PostingChanges } from '../../../../src/store/embedded/domain/posting-changes.ts';
import { RecordKeys } from '../../../../src/store/embedded/domain/record-keys.ts';
import { valueKeysOf } from '../../../../src/store/embedded/domain/stored-salt.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';
import { sharedInFile } from '../../../harness/test-scope.ts';

const noonMs = Date.parse('2026-03-04T12:00:00Z');
/** More than a batch, and more than a posting list outside of chunks. */
const domains = 450;

interface World {
  readonly store: DomainStore;
  readonly database: Database;
  /** A second handle, which stands for another process. */
  readonly other: DomainStore;
}

const nameOf = (number: number) => `d${number}.example`;

/** Frequent and rare values of an attribute, texts, numbers, and past WHOIS records. */
function recordOf(number: number, time: 'before' | 'after'): DomainRecord {
  return {
    domain: nameOf(number),
    active: true,
    server_type: number % 3 === 0 ? `Rare ${number}` : 'Frequent',
    website_response: 200 + number,
    parsed_whois: {
      registrant_name: `Ann ${number}`,
      registrant_contact: { email: [`${time}-${number}@mail.example`] },
      record: `Registrant ${time}${number}`,
    },
  };
}

/** A directory with all records, of which each test changes a copy. */
const written = sharedInFile<void, string>(async (scope) => {
  const data = temporaryDirectory(scope);
  const store = openDomainStore(data, new TestClock());
  for (const [index, time] of (['before', 'after'] as const).entries()) {
    const records = Array.from({ length: domains }, (_, number) => recordOf(number, time));
    await store.upsert(records.map((record) => ({ record, source: 'test', seenMs: noonMs + index })));
  }
  await store.close();
  return data;
});

async function world(t: TestContext): Promise<World> {
  const data = temporaryDirectory(t);
  cpSync(await written(), data, { recursive: true });
  const [store, other] = [openDomainStore(data, new TestClock()), openDomainStore(data, new TestClock())];
  const database = openDomains(join(data, 'domains', 'domains.db'), 2048);
  t.after(async () => {
    database.close();
    await other.close();
    await store.close();
  });
  assert.deepEqual(await store.verifyCounts(), []);
  return { store, database, other };
}

async function findNames(store: DomainStore, condition: Condition): Promise<readonly string[]> {
  const found = await store.search(condition, { by: 'domain', descending: false }, 10_000);
  assert.ok(found.total !== 'too-many');
  const records = await store.getRecords(found.ids, []);
  return records.map(({ json }) => (JSON.parse(json) as DomainRecord).domain);
}

const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});

/** What searches of every index find. */
async function findings(store: DomainStore) {
  const conditions: Condition[] = [
    has('server_type', 'frequent'),
    has('server_type', 'rare 3'),
    { kind: 'contains', attributes: ['registrant_name'], text: 'nn 44' },
    { kind: 'contains', attributes: ['domain'], text: 'd17' },
    { kind: 'whois', over: 'latest', text: 'registrant after7' },
    { kind: 'whois', over: 'history', text: 'registrant before7' },
    { kind: 'historical', of: 'email', value: 'before-7@mail.example' },
    { kind: 'compare', column: 'website_response', comparison: '>', value: 600 },
  ];
  const found = [];
  for (const condition of conditions) found.push(await findNames(store, condition));
  const ids = await store.search({ kind: 'and', of: [] }, { by: 'domain', descending: false }, 10_000);
  assert.ok(ids.total !== 'too-many');
  const records = await store.getRecords(ids.ids, ['root', 'parsed_whois']);
  return { found, records };
}

/** What reindexing must not touch. */
function untouched(database: Database) {
  return ['record', 'change', 'update_log', 'domain', 'past_text'].map((table) =>
    database.prepare(`select * from ${table} order by id`).all(),
  );
}

const serverTypeOf = (number: number) => recordOf(number, 'after').server_type as string;

/** As a version wrote it that did not index the server type. */
function dropServerTypes({ database }: Pick<World, 'database'>): void {
  const keys = valueKeysOf(database);
  const recordKeys = new RecordKeys(database, keys);
  database.transaction(() => {
    for (let number = 0; number < domains; number += 1) {
      const key = keys.keyOf('server_type', serverTypeOf(number));
      database.prepare('delete from value where key = ?').run(key);
      database.prepare('delete from value_chunk where key = ?').run(key);
      const stored = recordKeys.find(number + 1);
      assert.ok(stored);
      assert.ok(stored.root.includes(key));
      recordKeys.put(number + 1, { ...stored, root: stored.root.filter((one) => one !== key) });
    }
  })();
}

test('an attribute that was not indexed is found, and history and update log stay as they are', async (t) => {
  const { store, database } = await world(t);
  const [before, tables] = [await findings(store), untouched(database)];
  dropServerTypes({ database });
  assert.deepEqual(await findNames(store, has('server_type', 'frequent')), []);
  assert.notDeepEqual(await store.verifyCounts(), []);

  assert.deepEqual(await store.reindex(), { records: domains, changed: domains });
  assert.deepEqual(await findings(store), before);
  const values = ['Frequent', 'Rare 3', 'none'].map((value) => ({ attribute: 'server_type', value }));
  assert.deepEqual(await store.countsOf(values), [300, 1, 0]);
  assert.deepEqual(await store.verifyCounts(), []);
  assert.deepEqual(untouched(database), tables);
  assert.deepEqual(await store.reindex(), { records: domains, changed: 0 });
});

test('an interrupted run leaves each batch complete, and the next run does the rest', async (t) => {
  const { store, database } = await world(t);
  const before = await findings(store);
  dropServerTypes({ database });
  const interrupt = (done: number) => {
    if (done >= 200) throw new Error('interrupted');
  };
  await assert.rejects(store.reindex(interrupt), /interrupted/);
  const found = await findNames(store, has('server_type', 'frequent'));
  assert.ok(found.length > 100 && found.length < 200, `${found.length}`);
  assert.deepEqual(await store.reindex(), { records: domains, changed: domains - 200 });
  assert.deepEqual(await findings(store), before);
  assert.deepEqual(await store.verifyCounts(), []);
});

test('an error in the callback during the second pass rejects the run', async (t) => {
  const { store } = await world(t);
  let passes = 0;
  const interrupt = (done: number, all: number) => {
    if (done === all && ++passes === 2) throw new Error('interrupted');
  };
  await assert.rejects(store.reindex(interrupt), /interrupted/);
});

test('another process may write records during a run', async (t) => {
  const { store, database, other } = await world(t);
  dropServerTypes({ database });
  const writes: Promise<unknown>[] = [];
  await store.reindex((done) => {
    const records = [1, done, done + 100].map((number) => ({
      ...recordOf(number, 'after'),
      server_type: `New ${done}`,
    }));
    writes.push(other.upsert(records.map((record) => ({ record, source: 'test', seenMs: noonMs + 2 }))));
  });
  await Promise.all(writes);
  assert.ok(writes.length > 2);
  assert.deepEqual(await store.verifyCounts(), []);
  assert.deepEqual(await store.reindex(), { records: await store.countNames(), changed: 0 });
});

type Damage = (database: Database, keys: ValueKeys) => void;

function addEntry(database: Database, key: bigint, ids: readonly number[]): void {
  const changes = new PostingChanges(database);
  for (const id of ids) changes.add(key, id);
  database.transaction(() => changes.flush())();
}

const every = Array.from({ length: domains }, (_, index) => index + 1);

const otherVersions: readonly (readonly [what: string, changed: number, damage: Damage])[] = [
  [
    'keys in the order of another layout',
    domains,
    (database, keys) => {
      const recordKeys = new RecordKeys(database, keys);
      for (const id of every) {
        const stored = recordKeys.find(id);
        assert.ok(stored);
        recordKeys.put(id, { ...stored, root: stored.root.toReversed() });
      }
    },
  ],
  [
    'no stored keys, as in the first versions, and not all values indexed',
    domains,
    (database, keys) => {
      database.prepare('delete from record_keys').run();
      database.prepare('delete from value where key = ?').run(keys.keyOf('server_type', 'Rare 3'));
    },
  ],
  [
    'an attribute that is no longer indexed, among the stored keys',
    1,
    (database, keys) => {
      const recordKeys = new RecordKeys(database, keys);
      const key = keys.keyOf('retired', 'x');
      const stored = recordKeys.find(9);
      assert.ok(stored);
      recordKeys.put(9, { ...stored, root: BigInt64Array.from([key, ...stored.root]) });
      addEntry(database, key, [9]);
    },
  ],
  [
    'hidden values that are no longer indexed, frequent and rare ones',
    domains,
    (database, keys) => {
      addEntry(database, keys.keyOf('.retired', 'true'), every);
      addEntry(database, keys.keyOf(tldAttribute, 'test'), [5, 6]);
    },
  ],
  [
    'a domain with an entry of another value of the same attribute',
    2,
    (database, keys) => addEntry(database, keys.keyOf('server_type', 'Frequent'), [1, 4]),
  ],
  [
    'a hidden and a historical value that were not indexed',
    domains,
    (database, keys) => {
      for (const table of ['value', 'value_chunk'])
        database.prepare(`delete from ${table} where key = ?`).run(keys.keyOf(tldAttribute, 'example'));
      database
        .prepare('delete from value where key = ?')
        .run(keys.keyOf('.historical-email', 'before-7@mail.example'));
    },
  ],
  [
    'a lost posting list whose chunks are left',
    300,
    (database, keys) =>
      database.prepare('delete from value where key = ?').run(keys.keyOf('server_type', 'Frequent')),
  ],
  ['wrong counts', 0, (database) => database.prepare('update value set domains = domains + 3').run()],
  ['too small counts', 0, (database) => database.prepare('update value set domains = 0').run()],
  [
    'a column that was not stored',
    domains,
    (database) => database.prepare('delete from number_chunk where id >> 32 = 6').run(),
  ],
  [
    'values that were not indexed by substring',
    domains,
    (database) => {
      database.prepare('delete from text_value').run();
      database.prepare("insert into value_part (value_part) values ('delete-all')").run();
      database.prepare("delete from trigram where of = 'value'").run();
    },
  ],
  [
    'names that were not indexed by substring',
    domains,
    (database) => {
      database.prepare("insert into name_part (name_part) values ('delete-all')").run();
      database.prepare("delete from trigram where of = 'name'").run();
    },
  ],
  [
    'a WHOIS text that was not indexed, and one that no record has',
    2,
    (database) => {
      database.prepare('delete from whois where rowid = 8').run();
      database
        .prepare(
          "update record set record = json_remove(record, '$.parsed_whois.record'), checksum = null where id = 11",
        )
        .run();
    },
  ],
];

test('reindexing repairs', async (t) => {
  const { store, database } = await world(t);
  const before = await findings(store);
  for (const [what, changed, damage] of otherVersions) {
    await t.test(what, async () => {
      damage(database, valueKeysOf(database));
      const result = await store.reindex();
      assert.deepEqual(await store.verifyCounts(), []);
      assert.deepEqual(result, { records: domains, changed });
      assert.deepEqual((await findings(store)).found, before.found);
      assert.deepEqual(await store.reindex(), { records: domains, changed: 0 });
    });
  }
});

test('past WHOIS texts that were not indexed are found in the history', async (t) => {
  const { store, database } = await world(t);
  database.prepare('delete from past_whois where rowid in (select id from past_text)').run();
  database.prepare('delete from past_text').run();
  const past: Condition = { kind: 'whois', over: 'history', text: 'registrant before7' };
  assert.deepEqual(await findNames(store, past), []);
  assert.equal((await store.reindex()).changed, domains);
  assert.deepEqual(await findNames(store, past), [nameOf(7)]);
  assert.equal((await store.reindex()).changed, 0);
});
