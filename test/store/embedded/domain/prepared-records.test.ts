/** Batches of an import, which are prepared before the writing thread gets them, against the same records in small batches, which are not. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import type { RecordUpdate } from '../../../../src/store/domain-store.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const noonMs = Date.parse('2026-11-17T12:00:00Z');
const size = 1500;

function updateOf(number: number, registrar = `Registrar ${number % 7} LLC`): RecordUpdate {
  const email = `Owner${number % 90}@mail.example`;
  const outcome = normaliseRecord({
    domain: `d${number}.co.example`,
    ...(number % 3 === 0 ? { first_seen: '2020-02-02T02:02:02Z' } : {}),
    ...(number % 5 === 0 ? { active: true, popularity_rank: number + 1 } : {}),
    ...(number % 4 === 0
      ? {}
      : {
          parsed_whois: {
            registrar,
            create_date: '2019-01-01',
            registrant_contact: { name: `Jürgen ${number % 50}`, email: [email] },
            admin_contact: { name: `Jürgen ${number % 50}`, email: [email] },
            record: `Domain Name: D${number}.CO.EXAMPLE\nRegistrar: ${registrar}\nÜber ${number}\n`,
          },
        }),
    ip: [
      { address: `10.0.${number % 4}.${number % 200}`, country_code: 'us', isp: `Ho\u0000st ${number % 9}` },
    ],
    domain_risk: { risk_score: number % 101, components: [] },
  });
  assert.ok('record' in outcome, JSON.stringify(outcome));
  return { record: outcome.record, source: `source ${number % 2}`, seenMs: noonMs + number };
}

const updates = Array.from({ length: size }, (_, number) => updateOf(number));

/** Two stores that hash values with the same salt. */
async function twoStores(t: TestContext) {
  const directory = temporaryDirectory(t);
  const paths = ['one', 'other'].map((name) => join(directory, name)) as [string, string];
  await openDomainStore(paths[0], new TestClock()).close();
  cpSync(paths[0], paths[1], { recursive: true });
  return paths.map((path) => {
    const store = openDomainStore(path, new TestClock());
    t.after(() => store.close());
    return { store, tables: () => tablesOf(join(path, 'domains/domains.db')) };
  }) as [Opened, Opened];
}

interface Opened {
  readonly store: ReturnType<typeof openDomainStore>;
  readonly tables: () => ReadonlyMap<string, readonly unknown[]>;
}

const compared =
  'domain record record_keys value value_chunk number_chunk text_value trigram update_log change';

function tablesOf(path: string): ReadonlyMap<string, readonly unknown[]> {
  const database = new Sqlite(path, { readonly: true });
  try {
    const rows = (table: string) => database.prepare(`select * from ${table}`).safeIntegers().raw().all();
    return new Map(compared.split(' ').map((table) => [table, rows(table)]));
  } finally {
    database.close();
  }
}

async function upsertInParts({ store }: Opened, all: readonly RecordUpdate[]): Promise<void> {
  for (let from = 0; from < all.length; from += 500) await store.upsert(all.slice(from, from + 500));
}

async function assertSameTables(one: Opened, other: Opened): Promise<void> {
  await one.store.mergePostings();
  await other.store.mergePostings();
  const expected = other.tables();
  for (const [table, rows] of one.tables()) assert.deepEqual(rows, expected.get(table), table);
  for (const text of ['registrar 3 llc', 'über 7', 'd1001 co example']) {
    const condition = { kind: 'whois', over: 'latest', text } as const;
    assert.equal(await one.store.countMatches(condition), await other.store.countMatches(condition));
  }
  assert.deepEqual(await one.store.verifyCounts(), []);
}

test('a large batch of new domains is stored byte for byte like the same records in small batches', async (t) => {
  const [large, small] = await twoStores(t);
  assert.deepEqual(await large.store.upsert(updates), { added: size, changed: 0, unchanged: 0 });
  await upsertInParts(small, updates);
  await assertSameTables(large, small);
});

test('a large batch with known domains is stored byte for byte like the same records in small batches', async (t) => {
  const [large, small] = await twoStores(t);
  const known = [updateOf(1, 'Earlier Registrar'), updateOf(2)];
  for (const { store } of [large, small]) await store.upsert(known);
  assert.deepEqual(await large.store.upsert(updates), { added: size - 2, changed: 1, unchanged: 1 });
  await upsertInParts(small, updates);
  await assertSameTables(large, small);
});

test('a domain that is twice in a large batch of new domains has its last record', async (t) => {
  const [{ store }] = await twoStores(t);
  const counts = await store.upsert([...updates, updateOf(1, 'Later Registrar')]);
  assert.deepEqual(counts, { added: size, changed: 1, unchanged: 0 });
  const [record] = await store.findRecords(['d1.co.example']);
  assert.equal(record?.parsed_whois?.registrar, 'Later Registrar');
});

test('upserts that do not wait for one another are stored in the order of the calls', async (t) => {
  const [{ store }] = await twoStores(t);
  const later = store.upsert(updates);
  const latest = store.upsert([updateOf(1, 'Latest Registrar')]);
  assert.deepEqual(await later, { added: size, changed: 0, unchanged: 0 });
  assert.deepEqual(await latest, { added: 0, changed: 1, unchanged: 0 });
});
