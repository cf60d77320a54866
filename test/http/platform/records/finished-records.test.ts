/** Finished records against the plain way: what is kept is what would be read, counted and written now. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FinishedRecords } from '../../../../src/http/platform/records/finished-records.ts';
import { finishRecord, showRecords } from '../../../../src/http/platform/records/record-wire.ts';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import type { DomainStore } from '../../../../src/store/domain-store.ts';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const names = ['a.example', 'b.example', 'bücher.example', 'c.example'].map((name) =>
  name.replace('bücher', 'xn--bcher-kva'),
);
const clock = { now: () => 1_700_000_000_000 };
const viewer = { accountId: 'account', userId: 'user', nowMs: clock.now() };
const parts = ['root'] as const;

const form = fc.record({
  wrapping: fc.constant('counted' as const),
  parsedWhois: fc.boolean(),
  parsedRdap: fc.boolean(),
  serverUrl: fc.constantFrom('http://one.test', 'http://two.test'),
});
const name = fc.constantFrom(...names);
const step = fc.oneof(
  fc.record({ kind: fc.constant('store' as const), name, title: fc.constantFrom('same', 'ö', 'other') }),
  fc.record({ kind: fc.constant('names' as const), names: fc.array(name, { maxLength: 5 }), form }),
  fc.record({
    kind: fc.constant('ids' as const),
    ids: fc.array(fc.integer({ min: 1, max: names.length }), { maxLength: 5 }),
    form,
  }),
);

const recordOf = (domain: string, title: string) =>
  ({ domain, website_title: title, parsed_whois: { registrar: title } }) as unknown as DomainRecord;

async function openStore(scope: Parameters<typeof temporaryDirectory>[0]) {
  const store = openDomainStore(temporaryDirectory(scope), clock);
  scope.after(() => store.close());
  const put = (domain: string, title: string) =>
    store.upsert([{ record: recordOf(domain, title), source: 'test', seenMs: clock.now() }]);
  for (const domain of names) await put(domain, 'first');
  return { store, put };
}

async function plainly(
  store: DomainStore,
  ids: readonly number[],
  given: Parameters<typeof finishRecord>[2],
) {
  const stored = await store.getRecords(ids, parts);
  return stored.map(({ json, counts }) => finishRecord(JSON.parse(json) as DomainRecord, counts, given));
}

test('records that are kept are the same as records that are read and written now, after any changes', async (t) => {
  const { store, put } = await openStore(t);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(0, 2000, 1 << 20),
      async (steps, bytesMax) => {
        const records = new FinishedRecords(store, bytesMax);
        for (const one of steps) {
          if (one.kind === 'store') await put(one.name, one.title);
          else if (one.kind === 'ids')
            assert.deepEqual(
              await records.getRecords(one.ids, parts, one.form),
              await plainly(store, one.ids, one.form),
            );
          else {
            const bare = { ...one.form, wrapping: 'bare' as const };
            const found = await store.findRecords([...one.names, 'none.example']);
            assert.deepEqual(
              await records.findRecords([...one.names, 'none.example'], bare),
              found.map((record) => record && finishRecord(record, {}, bare)),
            );
          }
        }
      },
    ),
    { numRuns: propertyRuns(40) },
  );
});

/** A store that counts what is read and parsed of it. */
function counting(store: DomainStore) {
  const counts = { reads: 0, parsed: 0 };
  return {
    counts,
    state: () => store.state(),
    findUnparsed: async (asked: readonly string[]) => {
      counts.reads += asked.length;
      const found = await store.findUnparsed(asked);
      return found.map(
        (one) =>
          one && {
            json: one.json,
            parse: () => {
              counts.parsed += 1;
              return one.parse();
            },
          },
      );
    },
    getRecords: store.getRecords.bind(store),
  };
}

test('a record that is kept is not read again until something changes, and not parsed again until it changes', async (t) => {
  const { store, put } = await openStore(t);
  const counted = counting(store);
  const records = new FinishedRecords(counted, 1 << 20);
  const given = { wrapping: 'bare', parsedWhois: false, parsedRdap: false, serverUrl: '' } as const;
  await records.findRecords(names.slice(0, 2), given);
  await records.findRecords(names.slice(0, 3), given);
  assert.deepEqual(counted.counts, { reads: 3, parsed: 3 });
  await put(names[3] ?? '', 'changed');
  await records.findRecords(names.slice(0, 3), given);
  assert.deepEqual(counted.counts, { reads: 6, parsed: 3 });
  await put(names[2] ?? '', 'changed');
  await records.findRecords(names.slice(0, 3), given);
  assert.deepEqual(counted.counts, { reads: 9, parsed: 4 });
});

test('a page of records whose counts have not changed consists of the same bytes after a change elsewhere', async (t) => {
  const { store, put } = await openStore(t);
  const records = new FinishedRecords(store, 1 << 20);
  const given = { wrapping: 'counted', parsedWhois: false, parsedRdap: false, serverUrl: '' } as const;
  const before = await records.getRecords([1, 2], parts, given);
  await put('d.test', 'unlike all others');
  const after = await records.getRecords([1, 2], parts, given);
  assert.equal(after[0], before[0]);
  assert.equal(after[1], before[1]);
});

test('tags and a screenshot are put where the layout has them, also behind letters of several bytes', async () => {
  const given = { wrapping: 'bare', parsedWhois: true, parsedRdap: false, serverUrl: '' } as const;
  const finished = finishRecord(recordOf('a.example', 'Bücher 😀'), {}, given);
  const tags = [{ label: 'ä', scope: 'own', taggedMs: 0, colour: undefined, expiresMs: 7000 }];
  const domains = { tagsOf: async () => [tags] } as unknown as Pick<DomainStore, 'tagsOf'>;
  const findScreenshots = async () => [{ src: 'there' }];
  const shown = await showRecords([finished], { viewer, findScreenshots }, domains);
  const members = JSON.parse(String(shown.texts[0])) as Record<string, unknown>;
  assert.deepEqual(members['tags'], [{ label: 'ä', scope: 'own', tagged_at: '1970-01-01T00:00:00.000Z' }]);
  const order = Object.keys(members);
  assert.deepEqual(order.slice(order.indexOf('tags')), ['tags', 'screenshot', 'parsed_whois']);
  assert.equal(shown.validUntilMs, 7000);
});
