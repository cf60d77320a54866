import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { uncounted, withCounts } from '../../../../src/http/platform/records/counted-bytes.ts';
import { recordWriter } from '../../../../src/http/platform/records/record-text.ts';
import { partLayouts, recordParts } from '../../../../src/model/record/attributes.ts';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import type { Layout, Member } from '../../../../src/model/record/record-layout.ts';
import { computedMembers } from '../../../../src/model/record/shown-record.ts';
import { anyRecord } from '../../../model/record/any-record.ts';

type Members = Readonly<Record<string, unknown>>;
/** The count of the next value; undefined where values are bare. */
type Count = (() => number) | undefined;

/** The same record as an object, the plain way. */
function objectOf(from: Members, layout: Layout, count: Count): Members {
  const members = layout.map((member) => [member.name, memberOf(from[member.name], member, count)] as const);
  return Object.fromEntries(members.filter(([, made]) => made !== undefined));
}

function memberOf(held: unknown, member: Member, count: Count): unknown {
  const wrapped = (value: unknown) => {
    if (!count) return { value };
    return { value, count: value === '' ? 0 : count() };
  };
  switch (member.kind) {
    case 'plain':
      return held ?? member.unknown;
    case 'own':
      return { value: held ?? '', ...(count && { count: 0 }) };
    case 'value':
      return held === undefined && member.unknown === 'plain' ? '' : wrapped(held ?? '');
    case 'values':
      return ((held ?? []) as unknown[]).map(wrapped);
    case 'objects':
      return ((held ?? []) as Members[]).map((one) => objectOf(one, member.members, count));
    case 'optional':
      return held === undefined ? undefined : objectOf(held as Members, member.members, count);
    case 'object':
      return objectOf((held ?? {}) as Members, member.members, count);
  }
}

/** Of `start` other domains for the first value of each part, `start` and `step` for the next, … */
function countsFrom(start: number, step: number) {
  const ofPart = () => Uint32Array.from({ length: 5000 }, (_, index) => start + index * step + 1);
  return Object.fromEntries(recordParts.map((part) => [part, ofPart()]));
}

const progression = fc.record({ start: fc.nat(1e6), step: fc.constantFrom(0, 1, 1000) });

for (const wrapping of ['bare', 'counted'] as const) {
  test(`REC-01 the text of a record is the JSON of its members in the order of the layout, with ${wrapping} values, also when counts have changed`, () => {
    const write = recordWriter(wrapping);
    fc.assert(
      fc.property(anyRecord, fc.array(progression, { maxLength: 3 }), (input, progressions) => {
        const outcome = normaliseRecord(input);
        if (!('record' in outcome)) return;
        const { record } = outcome;
        const computed = { ...computedMembers(record), tags: [{ label: 'a "b" \ud800' }] };
        let counted = uncounted(write(record, computed));
        for (const { start, step } of [{ start: 0, step: 0 }, ...progressions]) {
          const parts = recordParts.map((part) => {
            let next = start;
            const count = () => {
              next += step;
              return next - step;
            };
            return objectOf(
              { ...record, ...computed },
              partLayouts[part],
              wrapping === 'counted' ? count : undefined,
            );
          });
          counted = withCounts(counted, countsFrom(start, step));
          assert.equal(counted.bytes.toString(), JSON.stringify(Object.assign({}, ...parts)));
          const tags = Buffer.from(JSON.stringify(computed.tags));
          assert.deepEqual(counted.bytes.subarray(counted.tagsAt, counted.tagsAt + tags.length), tags);
        }
      }),
      { numRuns: 200 },
    );
  });
}

test('a record whose counts have not changed is the same object', () => {
  const written = recordWriter('counted')({ domain: 'a.example', website_title: 'b' }, { tld: 'example' });
  const counted = withCounts(uncounted(written), countsFrom(7, 1));
  assert.equal(withCounts(counted, countsFrom(7, 1)), counted);
  assert.notEqual(withCounts(counted, countsFrom(8, 1)), counted);
});

test('a text that JSON must escape is escaped in a record', () => {
  const record = { domain: 'a.example', website_title: 'a "title"\n\u0001 \\ \ud83d\ude00 \udead' };
  const read = JSON.parse(recordWriter('bare')(record, { tld: 'example' }).text) as Members;
  assert.deepEqual(read['website_title'], { value: record.website_title });
});
