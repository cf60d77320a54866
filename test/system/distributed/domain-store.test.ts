import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import type { Condition } from '../../../src/model/record/condition.ts';
import { openDomainStore } from '../../../src/store/distributed/domain/domain-store.ts';
import { PostgresDatabase } from '../../../src/store/distributed/postgres/database.ts';
import type { DomainStore, RecordUpdate, SortOrder } from '../../../src/store/domain-store.ts';
import { openDomainStore as openEmbeddedStore } from '../../../src/store/embedded/domain-store.ts';
import { type LogPosition, logStart } from '../../../src/store/paging/log-position.ts';
import { domainStoreConformance } from '../../conformance/domain-store.ts';
import { condition, order, update } from '../../harness/arbitraries/record-arbitraries.ts';
import { newSchema, type PostgresServer, startPostgres } from '../../harness/engines/postgres.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fileScope } from '../../harness/test-scope.ts';

// Sizes of tables change when they are vacuumed.
const postgres = await startPostgres(fileScope(), { settings: { autovacuum: 'off' } });

const byName: SortOrder = { by: 'domain', descending: false };
const noonMs = Date.parse('2026-03-04T12:00:00Z');

/** Each handle has pools of its own, as a node has. */
function openNodes(server: PostgresServer, t: TestContext, shards = 0) {
  const main = newSchema(server, ['domains']);
  const others = Array.from({ length: shards }, () => newSchema(server, ['domains']));
  const openDatabase = (options = main) => {
    const database = new PostgresDatabase(options);
    t.after(() => database.close());
    return database;
  };
  const open = (): DomainStore => {
    const spread = others.map((options) => openDatabase(options));
    const store = openDomainStore(openDatabase(), new TestClock(), spread);
    t.after(() => store.close());
    return store;
  };
  return { open, openDatabase };
}

const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});

const registered = (domain: string, registrar: string): RecordUpdate => ({
  record: { domain, registrar, server_type: 'nginx' },
  source: 'test',
  seenMs: noonMs,
});

/** Records over a small set of values, and a value of each of their own. Of each eighth much is known. */
function manyUpdates(count: number): readonly RecordUpdate[] {
  return fc.sample(update, { numRuns: count, seed: 7 }).map((one, number) => ({
    ...one,
    record: {
      ...(number % 8 === 0 ? one.record : {}),
      domain: `d${number}-${one.record.domain}`,
      website_title: `Title ${number}`,
      server_type: number % 3 === 0 ? 'nginx' : 'apache',
    },
  }));
}

async function upsertAll(store: DomainStore, updates: readonly RecordUpdate[]): Promise<void> {
  for (let at = 0; at < updates.length; at += 700) await store.upsert(updates.slice(at, at + 700));
}

/** Follows the update log until `isOver` says so and nothing is left. */
async function followUpdates(store: DomainStore, isOver: () => boolean): Promise<readonly string[]> {
  const domains: string[] = [];
  let position: LogPosition = logStart;
  for (;;) {
    const wasOver = isOver();
    const page = await store.listUpdates(position, 50);
    domains.push(...page.map(({ domain }) => domain));
    position = page.at(-1)?.position ?? position;
    if (wasOver && page.length === 0) return domains;
  }
}

/** What is broken, and how. */
const damages: readonly (readonly [what: string, statement: string])[] = [
  ['a lost posting list', 'delete from record_value where domains between 20 and 60'],
  ['a lost posting list whose pages are left', 'delete from record_value where ids is null'],
  ['wrong counts', 'update record_value set domains = domains + 3 where key % 7 = 0'],
  ['lost pages', 'delete from record_value_page'],
  ['a column that was not stored', 'delete from record_number_page where id >= 5::bigint << 32'],
  ['keys that were not stored', "update record set root_keys = '' where id % 3 = 0"],
  [
    'entries that no record has',
    "insert into record_value (key, domains, ids) values (4711, 2, '\\x0302'), (4712, 1, '\\x05')",
  ],
];

if (postgres) {
  domainStoreConformance('the distributed adapter', (t) => openNodes(postgres, t).open);
  domainStoreConformance('the distributed adapter with three shards', (t) => openNodes(postgres, t, 3).open);
  severalNodes(postgres);
  sameAnswers(postgres);
  repairs(postgres);
} else test('the distributed adapter as a domain-store', (t) => t.skip('skipped: no PostgreSQL'));

function severalNodes(server: PostgresServer): void {
  for (const [shards, where] of [
    [0, 'one database'],
    [2, 'two shards'],
  ] as const) {
    test(`a reader of the update log misses nothing of several nodes that write to ${where} at once, and counts are exact`, async (t) => {
      const { open } = openNodes(server, t, shards);
      const nodes = [open(), open(), open()];
      let isOver = false;
      const followed = followUpdates(open(), () => isOver);
      const written = await Promise.all(
        nodes.flatMap((node, number) =>
          Array.from({ length: 40 }, (_, batch) =>
            node.upsert([
              registered(`own-${number}-${batch}.example`, `Registrar ${batch % 2}`),
              registered(`shared-${batch % 5}.example`, `Registrar ${number}`),
            ]),
          ),
        ),
      );
      isOver = true;
      const logged = await followed;
      const counted = written.reduce((sum, { added, changed }) => sum + added + changed, 0);
      assert.equal(logged.length, counted);
      assert.equal(
        written.reduce((sum, { added }) => sum + added, 0),
        125,
      );
      const [store] = nodes as [DomainStore];
      assert.deepEqual(await store.countsOf([{ attribute: 'server_type', value: 'nginx' }]), [125]);
      assert.deepEqual(await store.verifyCounts(), []);
    });
  }

  test('a shard with records of other shards is refused', async (t) => {
    const [ours, others] = [openNodes(server, t), openNodes(server, t)];
    await others.open().upsert([registered('a.example', 'A')]);
    const shards = [ours.openDatabase(), others.openDatabase()];
    const store = openDomainStore(ours.openDatabase(), new TestClock(), shards);
    t.after(() => store.close());
    await assert.rejects(store.upsert([registered('b.example', 'B')]), /shard 2 of store\.postgres\.shards/);
  });

  test('an update that cannot be stored fails alone, also where others share its transaction', async (t) => {
    const store = openNodes(server, t).open();
    const broken = { record: { domain: undefined }, source: 'test', seenMs: 0 } as unknown as RecordUpdate;
    const results = await Promise.allSettled([
      store.upsert([registered('a.example', 'A')]),
      store.upsert([broken]),
      store.upsert([registered('b.example', 'B')]),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(await store.countNames(), 2);
  });

  test('a search reads one moment while another node writes', async (t) => {
    const { open } = openNodes(server, t);
    const [writer, reader] = [open(), open()];
    const swap = (isSwapped: boolean) =>
      writer.upsert([
        registered('a.example', isSwapped ? 'Two' : 'One'),
        registered('b.example', isSwapped ? 'One' : 'Two'),
      ]);
    await swap(false);
    const swapped = { rounds: 0 };
    const writes = (async () => {
      for (; swapped.rounds < 60; swapped.rounds += 1) await swap(swapped.rounds % 2 === 0);
    })();
    const both: Condition = { kind: 'and', of: [has('server_type', 'nginx'), has('registrar', 'one')] };
    const either: Condition = { kind: 'not', of: has('registrar', 'two') };
    while (swapped.rounds < 60)
      for (const query of [has('registrar', 'One'), both, either]) {
        const { total } = await reader.search(query, byName, 10);
        assert.equal(total, 1);
      }
    await writes;
  });
}

function sameAnswers(server: PostgresServer): void {
  test('on the same records both adapters give the same answers', async (t) => {
    const distributed = openNodes(server, t).open();
    const embedded = openEmbeddedStore(temporaryDirectory(t), new TestClock());
    t.after(() => embedded.close());
    const updates = manyUpdates(8400);
    for (const store of [distributed, embedded]) await upsertAll(store, updates);
    const queries = [
      ...fc.sample(condition, { numRuns: 60, seed: 11 }),
      { kind: 'contains', attributes: ['domain'], text: '-a' },
      { kind: 'contains', attributes: ['domain'], text: '77-' },
      {
        kind: 'and',
        of: [has('server_type', 'nginx'), { kind: 'contains', attributes: ['domain'], text: 'exam' }],
      },
    ] satisfies Condition[];
    const orders = fc.sample(order, { numRuns: queries.length, seed: 13 });
    const answersOf = async (store: DomainStore, query: Condition, by: SortOrder) => [
      await store.search(query, by, 3000),
      await store.countMatches(query),
      await store.sampleMatches(query, 20),
    ];
    for (const [at, query] of queries.entries()) {
      const by = orders[at] as SortOrder;
      const answers = await Promise.all([distributed, embedded].map((store) => answersOf(store, query, by)));
      assert.deepEqual(answers[0], answers[1], JSON.stringify(query));
    }
    const ids = Array.from({ length: 300 }, (_, at) => 1 + at * 28);
    const others = (store: DomainStore) =>
      Promise.all([
        store.getRecords(ids, ['root', 'parsed_whois']),
        store.listTopValues(ids, ['registrar', 'ip.address'], 5),
        store.averageRiskOf(ids),
        store.averageRisksOf([{ attribute: 'server_type', value: 'nginx' }]),
      ]);
    assert.deepEqual(await others(distributed), await others(embedded));
    assert.deepEqual(await distributed.verifyCounts(), []);
  });
}

function repairs(server: PostgresServer): void {
  for (const [what, statement] of damages) {
    test(`verification finds, and reindexing repairs, ${what}`, async (t) => {
      const { open, openDatabase } = openNodes(server, t);
      const store = open();
      await upsertAll(store, manyUpdates(1200));
      await openDatabase().read((sql) => sql.unsafe<object[]>(statement));
      assert.notDeepEqual(await store.verifyCounts(), []);
      await store.reindex();
      assert.deepEqual(await store.verifyCounts(), []);
      assert.equal((await store.reindex()).changed, 0);
    });
  }

  test('reindexing restores texts that were not indexed', async (t) => {
    const { open, openDatabase } = openNodes(server, t);
    const store = open();
    await upsertAll(store, manyUpdates(800));
    const queries = [
      { kind: 'contains', attributes: ['registrant_name'], text: 'exam' },
      { kind: 'whois', over: 'latest', text: 'main street' },
      { kind: 'whois', over: 'history', text: 'main street' },
    ] satisfies Condition[];
    const found = () => Promise.all(queries.map((query) => store.countMatches(query)));
    await store.upsert([{ record: { domain: 'd0-new.example' }, source: 'test', seenMs: noonMs }]);
    const before = await found();
    const database = openDatabase();
    for (const table of ['record_text_value', 'record_whois', 'record_past_whois'])
      await database.read((sql) => sql<object[]>`delete from ${sql(table)}`);
    assert.deepEqual(await found(), [0, 0, 0]);
    await store.reindex();
    assert.deepEqual(await found(), before);
  });
}
