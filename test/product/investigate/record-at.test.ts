import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { recordAt } from '../../../src/product/investigate/record-at.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

const scope = { after };
const domains = openDomainStore(temporaryDirectory(scope), new TestClock());
after(() => domains.close());

const members = ['registrar', 'website_title', 'redirect'] as const;
type Values = Partial<Record<(typeof members)[number], string>>;

const valuesOf = (record: DomainRecord): Values =>
  Object.fromEntries(
    members.flatMap((member) => (record[member] === undefined ? [] : [[member, record[member]]])),
  );

test('at any time the record has the values that it had then', async () => {
  const value = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
  const update = fc.record({
    member: fc.constantFrom(...members),
    value,
    waitMs: fc.integer({ min: 1, max: 5 }),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 12 }), async (updates) => {
      run += 1;
      const domain = `n${run}.example`;
      let nowMs = 1_000_000;
      const states: { readonly atMs: number; readonly values: Values }[] = [];
      for (const { member, value: written, waitMs } of updates) {
        nowMs += waitMs * 1000;
        const record = { domain, ...(written === undefined ? {} : { [member]: written }) };
        await domains.upsert([{ record, members: [member], source: `at ${nowMs}`, seenMs: nowMs }]);
        const [stored] = await domains.findRecords([domain]);
        states.push({ atMs: nowMs, values: valuesOf(stored as DomainRecord) });
      }
      for (const { atMs, values } of states) {
        const { fields = assert.fail(), isComplete } = await recordAt(domain, atMs, { domains });
        const found = Object.fromEntries(
          fields
            .filter(({ field }) => members.includes(field as (typeof members)[number]))
            .map(({ field, value: was }) => [field, was]),
        );
        assert.deepEqual([found, isComplete], [values, true]);
        for (const { changedMs = 0, source } of fields) {
          assert.ok(changedMs <= atMs);
          if (changedMs > 0) assert.equal(source, `at ${changedMs}`);
        }
      }
      const early = await recordAt(domain, 999_999, { domains });
      assert.equal(early.fields, undefined);
    }),
    { numRuns: 25 },
  );
});

test('a domain without a record has no fields', async () => {
  assert.deepEqual(await recordAt('none.example', undefined, { domains }), {
    fields: undefined,
    firstSeenMs: undefined,
    isComplete: true,
  });
});
