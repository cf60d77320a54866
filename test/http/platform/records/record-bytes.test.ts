import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { withCounts } from '../../../../src/http/platform/records/counted-bytes.ts';
import { JsonBytes } from '../../../../src/http/platform/records/json-bytes.ts';
import { recordWriter } from '../../../../src/http/platform/records/record-bytes.ts';
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
        const [first, ...later] = progressions;
        let counted = write(record, computed, countsFrom(first?.start ?? 0, first?.step ?? 0));
        for (const { start, step } of [first ?? { start: 0, step: 0 }, ...later]) {
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
  const record = { domain: 'a.example', website_title: 'b' };
  const counted = recordWriter('counted')(record, { tld: 'example' }, countsFrom(7, 1));
  assert.equal(withCounts(counted, countsFrom(7, 1)), counted);
  assert.notEqual(withCounts(counted, countsFrom(8, 1)), counted);
});

test('texts, numbers and lists are written as JSON.stringify writes them, of any length and with any characters', () => {
  const json = new JsonBytes();
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('a', '"', '\\', '\n', 'ä', '\udead', '😀'), fc.string()),
  });
  const long = fc.tuple(text, fc.nat(100_000)).map(([start, length]) => start + 'x'.repeat(length) + start);
  const number = fc.oneof(
    fc.double({ noNaN: true }),
    fc.nat(),
    fc.constantFrom(-0, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e300),
  );
  fc.assert(
    fc.property(fc.oneof(text, long, number, fc.boolean(), fc.constant(null), fc.array(text)), (value) => {
      json.value(value);
      assert.equal(json.finish().toString(), JSON.stringify(value));
    }),
  );
});

test('a finished value does not change with what is written after it, also where a value was very long', () => {
  const json = new JsonBytes();
  json.text('first');
  const first = json.finish();
  json.text('ä'.repeat(2_000_000));
  const second = json.finish();
  json.text('third');
  assert.equal(first.toString(), '"first"');
  assert.equal(second.length, 4_000_002);
  assert.equal(json.finish().toString(), '"third"');
});
