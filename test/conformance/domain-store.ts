/** The conformance suite of domain stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { partLayouts, recordParts, visitValues } from '../../src/model/record/attributes.ts';
import type { Condition } from '../../src/model/record/condition.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { shownRecord } from '../../src/model/record/shown-record.ts';
import type { DomainStore, SortOrder } from '../../src/store/domain-store.ts';
import { logStart } from '../../src/store/paging/log-position.ts';
import { condition, order, update } from '../harness/arbitraries/record-arbitraries.ts';
import { RecordReference } from '../harness/reference/record-reference.ts';
import { storeStateConformance } from './domain/store-state.ts';
import { tagStoreConformance } from './domain/tag-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenDomainStore = (t: TestContext) => () => DomainStore;

const noonMs = Date.parse('2026-03-04T12:00:00Z');
const hourMs = 3_600_000;
const byName: SortOrder = { by: 'domain', descending: false };

function put(store: DomainStore, given: readonly DomainRecord[], seenMs = noonMs) {
  return store.upsert(given.map((record) => ({ record, source: 'test', seenMs })));
}

async function namesOf(store: DomainStore, query: Condition, by = byName): Promise<string[] | string> {
  const matches = await store.search(query, by, 10_000);
  if (matches.total === 'too-many') return matches.total;
  assert.equal(matches.total, matches.ids.length);
  return (await store.getRecords(matches.ids, [])).map(
    ({ json }) => (JSON.parse(json) as DomainRecord).domain,
  );
}

const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});
const numbered = (count: number, record: Omit<DomainRecord, 'domain'>) =>
  Array.from({ length: count }, (_, number) => ({ ...record, domain: `d${number}.example` }));

/** Records have the count of every value that they show, in the order in which they show them. */
async function assertCounted(store: DomainStore, reference: RecordReference): Promise<void> {
  const matches = await store.search({ kind: 'and', of: [] }, byName, 10_000);
  assert.ok(matches.total !== 'too-many');
  for (const { json, counts } of await store.getRecords(matches.ids, recordParts)) {
    const shown = shownRecord(JSON.parse(json) as DomainRecord);
    for (const part of recordParts) {
      const expected: number[] = [];
      visitValues(shown, partLayouts[part], (attribute, value) =>
        expected.push(reference.countOf({ attribute, value })),
      );
      assert.deepEqual(Array.from(counts[part] ?? []), expected);
    }
  }
}

export function domainStoreConformance(name: string, open: OpenDomainStore): void {
  describe(`${name} as a domain-store`, () => {
    upserts(open);
    searches(open);
    history(open);
    updateLog(open);
    reindexing(open);
    tagStoreConformance(open);
    storeStateConformance(open);
    resultSnapshots(open);
    properties(open);
  });
}

function upserts(open: OpenDomainStore): void {
  test('records are found by another handle, in the requested order', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    const counts = await put(one, [{ domain: 'a.com', registrar: 'R' }, { domain: 'b.com' }]);
    assert.deepEqual(counts, { added: 2, changed: 0, unchanged: 0 });
    const found = await other.findRecords(['b.com', 'absent.com', 'a.com']);
    assert.deepEqual(
      found.map((record) => record?.domain),
      ['b.com', undefined, 'a.com'],
    );
    assert.equal(found[2]?.registrar, 'R');
    assert.deepEqual(await namesOf(other, has('registrar', 'r')), ['a.com']);
  });

  test('an unparsed record has the same text until it changes, and parses to the record', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com', registrar: 'R' }]);
    const [none, before] = await store.findUnparsed(['absent.com', 'a.com']);
    await put(store, [{ domain: 'b.com', registrar: 'R' }]);
    const [same] = await store.findUnparsed(['a.com']);
    await put(store, [{ domain: 'a.com', registrar: 'Other' }]);
    const [after] = await store.findUnparsed(['a.com']);
    assert.equal(none, undefined);
    assert.deepEqual(before?.parse(), JSON.parse(before?.json ?? ''));
    assert.equal(same?.json, before?.json);
    assert.notEqual(after?.json, before?.json);
    assert.deepEqual([after?.parse()], await store.findRecords(['a.com']));
  });

  test('a record with only another fetch time or source is unchanged', async (t) => {
    const store = open(t)();
    const record = { domain: 'a.com', parsed_whois: { registrar: 'R', fetched: '2026-01-01T00:00:00Z' } };
    await put(store, [record]);
    const again = { ...record, parsed_whois: { fetched: '2026-02-01T00:00:00Z', registrar: 'R' } };
    const counts = await put(
      store,
      [{ ...again, mx: [], sources: { mx: { collector: 'dns', at: '2026-02-01T00:00:00Z' } } }],
      noonMs + hourMs,
    );
    assert.deepEqual(counts, { added: 0, changed: 0, unchanged: 1 });
    assert.equal((await store.findRecords(['a.com']))[0]?.data_updated_timestamp, '2026-03-04T12:00:00.000Z');
    assert.deepEqual(await store.listChanges('a.com', { limit: 10 }), []);
  });

  test('first_seen is the earliest given, or else the time of the first update', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com', first_seen: '2026-02-02T00:00:00Z' }, { domain: 'b.com' }]);
    await put(store, [{ domain: 'a.com', first_seen: '2026-01-01T00:00:00Z' }], noonMs + hourMs);
    await put(store, [{ domain: 'a.com', first_seen: '2026-03-03T00:00:00Z', website_response: 200 }]);
    const [a, b] = await store.findRecords(['a.com', 'b.com']);
    assert.equal(a?.first_seen, '2026-01-01T00:00:00Z');
    assert.equal(b?.first_seen, '2026-03-04T12:00:00.000Z');
  });

  test('of several updates of one domain the last one wins', async (t) => {
    const store = open(t)();
    const counts = await put(store, [
      { domain: 'a.com', registrar: 'One' },
      { domain: 'a.com', registrar: 'Two' },
      { domain: 'a.com', registrar: 'One' },
    ]);
    assert.deepEqual(counts, { added: 1, changed: 2, unchanged: 0 });
    const values = ['One', 'Two'].map((value) => ({ attribute: 'registrar', value }));
    assert.deepEqual(await store.countsOf(values), [1, 0]);
    assert.deepEqual(await store.verifyCounts(), []);
  });

  test('an update that cannot be stored fails its whole batch', async (t) => {
    const store = open(t)();
    const broken = { domain: undefined } as unknown as DomainRecord;
    await assert.rejects(put(store, [{ domain: 'a.com', registrar: 'R' }, broken]));
    assert.deepEqual(await store.findRecords(['a.com']), [undefined]);
    await put(store, [{ domain: 'b.com', registrar: 'R' }]);
    assert.deepEqual(await namesOf(store, has('registrar', 'R')), ['b.com']);
    assert.deepEqual(await store.verifyCounts(), []);
  });

  test('an unknown id is refused', async (t) => {
    await assert.rejects(open(t)().getRecords([4711], []), { code: 'not-found' });
  });

  test('a closed store is unavailable', async (t) => {
    const store = open(t)();
    await store.close();
    await assert.rejects(put(store, [{ domain: 'a.com' }]), { code: 'unavailable' });
  });

  test('statistics count records and values', async (t) => {
    const store = open(t)();
    await put(store, numbered(3, { registrar: 'R' }));
    const { records: count, values, bytes } = await store.statistics();
    assert.equal(count, 3);
    assert.ok(values > 0 && bytes > 0);
  });
}

function searches(open: OpenDomainStore): void {
  test('as many matches as the limit are all returned, and one more is too many', async (t) => {
    const store = open(t)();
    await put(store, numbered(5, { registrar: 'R' }));
    const five = await store.search(has('registrar', 'R'), byName, 5);
    assert.equal(five.total, 5);
    assert.deepEqual(await store.search(has('registrar', 'R'), byName, 4), { total: 'too-many' });
    assert.deepEqual(await store.search(has('registrar', 'S'), byName, 0), { total: 0, ids: [] });
    assert.equal(await store.countMatches(has('registrar', 'R')), 5);
    assert.equal(await store.countMatches(has('registrar', 'S')), 0);
  });

  test('a value of many domains is counted, added and removed like any other', async (t) => {
    const store = open(t)();
    await put(store, numbered(300, { registrar: 'R', server_type: 'nginx' }));
    await put(store, numbered(200, { registrar: 'S', server_type: 'nginx' }));
    const values = ['R', 'S', 'T'].map((value) => ({ attribute: 'registrar', value }));
    assert.deepEqual(await store.countsOf(values), [100, 200, 0]);
    const both: Condition = { kind: 'and', of: [has('server_type', 'nginx'), has('registrar', 'R')] };
    assert.equal((await namesOf(store, both)).length, 100);
    assert.equal((await namesOf(store, { kind: 'not', of: has('registrar', 'R') })).length, 200);
    await put(store, numbered(300, {}));
    assert.deepEqual(await store.countsOf(values), [0, 0, 0]);
    assert.deepEqual(await store.verifyCounts(), []);
  });

  test('a text is never parsed as query syntax', async (t) => {
    const store = open(t)();
    await put(store, [
      { domain: 'a.com', registrant_name: 'Anna "Ann" O\'Example 100%' },
      { domain: 'b.com', registrant_name: 'Bob' },
    ]);
    const contains = (text: string) =>
      namesOf(store, { kind: 'contains', attributes: ['registrant_name'], text });
    assert.deepEqual(await contains('"ANN" o\''), ['a.com']);
    assert.deepEqual(await contains('0%'), ['a.com']);
    for (const text of [
      '%',
      '_',
      '" OR "b',
      'b*',
      'anna OR bob',
      'NOT anna',
      'registrant_name : bob',
      'a_na',
    ]) {
      assert.deepEqual(await contains(text), text === '%' ? ['a.com'] : [], text);
    }
  });

  test('merged text indexes find what they found before, and what is added later', async (t) => {
    const store = open(t)();
    const named = (domain: string, name: string) => ({ domain, registrant_name: name });
    for (let batch = 0; batch < 12; batch += 1)
      await put(store, [named(`merged-${batch}.com`, `Ann Example ${batch}`)]);
    const find = async () =>
      Array.from(
        await namesOf(store, { kind: 'contains', attributes: ['registrant_name'], text: 'n example 1' }),
      );
    const before = await find();
    await store.mergeTextIndexes();
    assert.deepEqual(await find(), before);
    await put(store, [named('merged-13.com', 'Ann Example 13')]);
    assert.deepEqual(await find(), [...before, 'merged-13.com'].sort());
    await store.mergeTextIndexes();
    assert.equal((await find()).length, before.length + 1);
  });

  test('average risks and top values are those of the domains that have the values', async (t) => {
    const store = open(t)();
    const risk = (risk_score: number) => ({ risk_score, components: [] });
    await put(store, [
      { domain: 'a.com', registrar: 'One', domain_risk: risk(10) },
      { domain: 'b.com', registrar: 'one', domain_risk: risk(40) },
      { domain: 'c.com', registrar: 'Two' },
    ]);
    const { ids } = (await store.search({ kind: 'and', of: [] }, byName, 10)) as { ids: readonly number[] };
    assert.deepEqual(await store.listTopValues(ids, ['registrar', 'ip.address'], 10), [
      [
        { value: 'One', domains: 2 },
        { value: 'Two', domains: 1 },
      ],
      [],
    ]);
    assert.deepEqual(await store.listTopValues(ids.slice(2), ['registrar'], 10), [
      [{ value: 'Two', domains: 1 }],
    ]);
    assert.equal(await store.averageRiskOf(ids), 25);
    assert.equal(await store.averageRiskOf(ids.slice(2)), undefined);
    await put(store, [{ domain: 'a.com', registrar: 'One', domain_risk: risk(20) }]);
    assert.deepEqual(await store.averageRisksOf([{ attribute: 'registrar', value: 'ONE' }]), [30]);
  });

  test('a sample has matches alone, evenly spread, and all of them where they are few', async (t) => {
    const store = open(t)();
    const records = Array.from({ length: 60 }, (_, index) => ({
      domain: `sampled-${index}.com`,
      registrar: index % 2 === 0 ? 'Even' : 'Odd',
    }));
    await put(store, records);
    const isEven = { kind: 'has', attributes: ['registrar'], value: 'even' } as const;
    const { ids } = (await store.search(isEven, byName, 100)) as { ids: readonly number[] };
    const all = [...ids].sort((one, other) => one - other);
    assert.deepEqual(await store.sampleMatches(isEven, 100), all);
    const some = await store.sampleMatches(isEven, 10);
    assert.deepEqual(
      some,
      all.filter((_, index) => index % 3 === 0),
    );
    assert.deepEqual(await store.sampleMatches({ ...isEven, value: 'none' }, 10), []);
  });
}

function history(open: OpenDomainStore): void {
  test('every changed member is listed with its values before and after, newest first, page by page', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com', registrar: 'One', website_response: 200 }]);
    await put(
      store,
      [{ domain: 'a.com', registrar: 'Two', first_seen: '2026-03-04T12:00:00.000Z' }],
      noonMs + 1,
    );
    await put(store, [{ domain: 'a.com', registrar: 'Three' }], noonMs + 2);
    const all = await store.listChanges('a.com', { limit: 10 });
    const short = all.map(({ field, before, after, atMs }) => [field, before, after, atMs - noonMs]);
    assert.deepEqual(short, [
      ['registrar', 'Two', 'Three', 2],
      ['website_response', 200, undefined, 1],
      ['registrar', 'One', 'Two', 1],
    ]);
    const pages = [];
    for (let page = await store.listChanges('a.com', { limit: 1 }); page[0]; ) {
      pages.push(...page);
      const { atMs: beforeMs, id: beforeId } = page[0];
      page = await store.listChanges('a.com', { beforeMs, beforeId, limit: 1 });
    }
    assert.deepEqual(pages, all);
    assert.equal((await store.listChanges('a.com', { beforeMs: noonMs + 2, limit: 10 })).length, 2);
    assert.deepEqual(await store.listChanges('absent.com', { limit: 10 }), []);
  });

  test('values of past WHOIS records are found in the history, and not as the latest', async (t) => {
    const store = open(t)();
    const whois = (email: string, record: string) => ({
      domain: 'a.com',
      parsed_whois: { registrant_contact: { email: [email], name: 'Ann' }, record },
    });
    await put(store, [whois('old@b.example', 'Registrant: Old Text')]);
    await put(store, [whois('new@b.example', 'Registrant: New Text')]);
    await put(store, [{ domain: 'a.com' }]);
    const phrase = (over: 'latest' | 'history', text: string) =>
      namesOf(store, { kind: 'whois', over, text });
    const historical = (of: 'email' | 'registrant', value: string) =>
      namesOf(store, { kind: 'historical', of, value });
    assert.deepEqual(await phrase('history', 'old text'), ['a.com']);
    assert.deepEqual(await phrase('history', 'new text'), ['a.com']);
    assert.deepEqual(await phrase('latest', 'new text'), []);
    assert.deepEqual(await historical('email', 'OLD@b.example'), ['a.com']);
    assert.deepEqual(await historical('registrant', 'ann'), ['a.com']);
    assert.deepEqual(await historical('email', 'ann'), []);
    assert.deepEqual(await namesOf(store, has('registrant_contact.email', 'new@b.example')), []);
    assert.deepEqual(await store.verifyCounts(), []);
  });
}

function updateLog(open: OpenDomainStore): void {
  test('updates are logged in order: a new record without fields, a change with the changed fields', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com' }, { domain: 'b.com' }]);
    await put(store, [{ domain: 'a.com', registrar: 'R' }, { domain: 'b.com' }], noonMs + hourMs);
    const log = await store.listUpdates(logStart, 10);
    assert.deepEqual(
      log.map(({ domain, atMs, fields, source }) => ({ domain, atMs, fields, source })),
      [
        { domain: 'a.com', atMs: noonMs, fields: undefined, source: 'test' },
        { domain: 'b.com', atMs: noonMs, fields: undefined, source: 'test' },
        { domain: 'a.com', atMs: noonMs + hourMs, fields: ['registrar'], source: 'test' },
      ],
    );
    const [, second] = log;
    assert.deepEqual(await store.listUpdates(second?.position ?? logStart, 10), log.slice(2));
  });

  test('positions of updates stay valid after everything was pruned', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com' }, { domain: 'b.com' }]);
    const last = (await store.listUpdates(logStart, 10)).at(-1)?.position ?? logStart;
    await store.pruneUpdates(Number.MAX_SAFE_INTEGER);
    await put(store, [{ domain: 'c.com' }]);
    const log = await store.listUpdates(last, 10);
    assert.deepEqual(
      log.map(({ domain }) => domain),
      ['c.com'],
    );
    assert.ok((await store.listUpdates(logStart, 10)).every(({ domain }) => domain !== 'a.com'));
  });

  test('updates newer than the given time are kept', async (t) => {
    const store = open(t)();
    await put(store, [{ domain: 'a.com' }, { domain: 'b.com' }]);
    await store.pruneUpdates(0);
    assert.equal((await store.listUpdates(logStart, 10)).length, 2);
  });

  test('names of all records are listed in pages', async (t) => {
    const store = open(t)();
    await put(store, numbered(5, {}));
    assert.equal(await store.countNames(), 5);
    const first = await store.listNames(logStart, 3);
    const rest = await store.listNames(first.position, 3);
    assert.deepEqual(
      [...first.names, ...rest.names].sort(),
      ['d0', 'd1', 'd2', 'd3', 'd4'].map((n) => `${n}.example`),
    );
    assert.deepEqual(await store.listNames(rest.position, 3), { names: [], position: rest.position });
  });
}

function reindexing(open: OpenDomainStore): void {
  test('reindexing a consistent store changes nothing', async (t) => {
    const store = open(t)();
    assert.deepEqual(await store.reindex(), { records: 0, changed: 0 });
    const whois = (email: string, record: string) => ({ registrant_contact: { email: [email] }, record });
    await put(store, numbered(300, { registrar: 'R', parsed_whois: whois('old@b.example', 'Old Text') }));
    const changed = { registrar: 'S', website_response: 200, parsed_whois: whois('new@b.example', 'New') };
    await put(store, numbered(200, changed), noonMs + hourMs);
    await put(store, numbered(100, { registrar: 'R' }), noonMs + 2 * hourMs);
    const state = async () => ({
      found: await namesOf(store, has('registrar', 'R')),
      records: await store.findRecords(['d0.example', 'd150.example', 'd299.example']),
      changes: await store.listChanges('d0.example', { limit: 100 }),
      updates: await store.listUpdates(logStart, 1000),
      statistics: await store.statistics(),
    });
    const before = await state();
    const progress: (readonly [number, number])[] = [];
    assert.deepEqual(await store.reindex((done, all) => progress.push([done, all])), {
      records: 300,
      changed: 0,
    });
    assert.deepEqual(progress.at(-1), [300, 300]);
    assert.deepEqual(await state(), before);
    assert.deepEqual(await store.verifyCounts(), []);
  });
}

function resultSnapshots(open: OpenDomainStore): void {
  test('a result snapshot keeps its order until it expires, and another handle finds it', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await one.saveResultSnapshot('w', [3, 1, 2], noonMs + hourMs);
    assert.deepEqual(await other.findResultSnapshot('w', noonMs), [3, 1, 2]);
    assert.equal(await other.findResultSnapshot('w', noonMs + hourMs), undefined);
    await other.saveResultSnapshot('w', [], noonMs + 2 * hourMs);
    assert.deepEqual(await one.findResultSnapshot('w', noonMs + hourMs), []);
    assert.equal(await one.findResultSnapshot('v', noonMs), undefined);
  });
}

function properties(open: OpenDomainStore): void {
  test('after any updates every search and every count agrees with a scan of all records', async (t) => {
    const batches = fc.array(fc.array(update, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
    const queries = fc.array(fc.tuple(condition, order), { minLength: 20, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(batches, queries, async (updates, conditions) => {
        const store = open(t)();
        const reference = new RecordReference();
        for (const batch of updates) {
          await store.upsert(batch);
          for (const one of batch) {
            const [stored] = await store.findRecords([one.record.domain]);
            assert.ok(stored);
            reference.note(one, stored);
          }
        }
        for (const [one, by] of conditions) {
          const expected = reference.search(one, by);
          assert.deepEqual(await namesOf(store, one, by), expected);
          assert.equal(await store.countMatches(one), expected.length);
        }
        const values = reference.values();
        assert.deepEqual(
          await store.countsOf(values),
          values.map((value) => reference.countOf(value)),
        );
        await assertCounted(store, reference);
        assert.deepEqual(
          await store.averageRisksOf(values),
          values.map((value) => reference.averageRiskOf(value)),
        );
        assert.deepEqual(await store.verifyCounts(), []);
        assert.equal((await store.reindex()).changed, 0);
        await store.close();
      }),
      { numRuns: 5 },
    );
  });
}
