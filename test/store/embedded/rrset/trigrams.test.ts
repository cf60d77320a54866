import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../../src/model/dns/name.ts';
import type { TextNeeds } from '../../../../src/model/flex-pattern.ts';
import { BlockCache } from '../../../../src/store/embedded/rrset/block-cache.ts';
import { PartReader } from '../../../../src/store/embedded/rrset/part-reader.ts';
import { PartWriter } from '../../../../src/store/embedded/rrset/part-writer.ts';
import { TrigramReader, TrigramWriter } from '../../../../src/store/embedded/rrset/trigrams.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

let files = 0;

/** An index of leaves, each with its texts; a leaf's place is ten times its number. */
function indexOf(t: TestContext, leaves: readonly (readonly string[])[]): PartReader {
  const path = join(temporaryDirectory(t), `trigrams-${files++}`);
  const part = new PartWriter(path);
  const writer = new TrigramWriter(part);
  for (const [number, texts] of leaves.entries()) {
    for (const text of texts) writer.add(text);
    writer.closeLeaf(number * 10);
  }
  writer.finish();
  part.finish();
  return new PartReader(path, new BlockCache(1 << 20));
}

function wanted(part: PartReader, needs: TextNeeds): number[] {
  const reader = new TrigramReader(part, needs);
  const found: number[] = [];
  for (let place = reader.wantedFrom(0); place !== undefined; place = reader.wantedFrom(place + 1)) {
    found.push(place / 10);
  }
  return found;
}

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '-', 'Z'), maxLength: 12 });

test('no leaf is left out whose text contains what is needed', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyText, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 3, maxLength: 5 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom('all' as const, 'one' as const),
      (leaves, literals, kind) => {
        const part = indexOf(t, leaves);
        const needs = { kind, of: literals.map((literal) => ({ kind: 'literal' as const, text: literal })) };
        const found = wanted(part, needs);
        for (const [number, texts] of leaves.entries()) {
          const matches = texts.some((one) => {
            const lower = one.toLowerCase();
            return kind === 'all'
              ? literals.every((literal) => lower.includes(literal))
              : literals.some((literal) => lower.includes(literal));
          });
          if (matches) assert.ok(found.includes(number));
        }
        part.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('a name in wire form is found as its text is, and one with escapes asks for its text', (t) => {
  const path = join(temporaryDirectory(t), 'names');
  const part = new PartWriter(path);
  const writer = new TrigramWriter(part);
  const wire = (text: string) => parseName(text) as Uint8Array;
  assert.equal(writer.addName(wire('www.Example-1_x.com.'), 0), true);
  writer.closeLeaf(0);
  assert.equal(writer.addName(wire('a\\.b.example.com.'), 0), false);
  writer.closeLeaf(10);
  writer.finish();
  part.finish();
  const reader = new PartReader(path, new BlockCache(1 << 20));
  for (const literal of ['www', 'ww.', '.ex', 'example-1_x.com.', 'om.']) {
    assert.deepEqual(wanted(reader, { kind: 'literal', text: literal }).slice(0, 1), [0], literal);
  }
  assert.deepEqual(wanted(reader, { kind: 'literal', text: 'wwwe' }), []);
  reader.close();
});

test('leaves without the trigrams are left out, but for the first of each further segment', (t) => {
  const leaves = Array.from({ length: 9000 }, (_, number) => [number % 1000 === 7 ? 'needle' : 'haystack']);
  const part = indexOf(t, leaves);
  const expected = [7, 1007, 2007, 3007, 4007, 4096, 5007, 6007, 7007, 8007, 8192];
  assert.deepEqual(wanted(part, { kind: 'literal', text: 'needle' }), expected);
  assert.deepEqual(wanted(part, { kind: 'literal', text: 'nothing' }), [4096, 8192]);
  assert.equal(wanted(part, { kind: 'anything' }).length, 9000);
  part.close();
});
