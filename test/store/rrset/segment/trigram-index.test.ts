import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../../src/model/dns/name.ts';
import type { Prefilter } from '../../../../src/model/flex/flex-pattern.ts';
import { DamagedData } from '../../../../src/store/damage.ts';
import { BlockCache } from '../../../../src/store/rrset/segment/block-cache.ts';
import { TableReader } from '../../../../src/store/rrset/segment/table-reader.ts';
import { TableWriter } from '../../../../src/store/rrset/segment/table-writer.ts';
import { TrigramReader, TrigramWriter } from '../../../../src/store/rrset/segment/trigram-index.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

let files = 0;

/** An index of leaves, each with its texts; the offset of a leaf is ten times its number. */
function indexOf(t: TestContext, leaves: readonly (readonly string[])[]): TableReader {
  const path = join(temporaryDirectory(t), `trigrams-${files++}`);
  const table = new TableWriter(path);
  const writer = new TrigramWriter(table);
  for (const [number, texts] of leaves.entries()) {
    for (const text of texts) writer.add(text);
    writer.closeLeaf(number * 10);
  }
  writer.finish();
  table.finish();
  return new TableReader(path, new BlockCache(1 << 20));
}

function wanted(table: TableReader, prefilter: Prefilter): number[] {
  const reader = new TrigramReader(table, prefilter);
  const found: number[] = [];
  for (let offset = reader.wantedFrom(0); offset !== undefined; offset = reader.wantedFrom(offset + 1)) {
    found.push(offset / 10);
  }
  return found;
}

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '-', 'Z'), maxLength: 12 });

test('no leaf with a matching text is ruled out', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyText, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 3, maxLength: 5 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom('and' as const, 'or' as const),
      (leaves, literals, kind) => {
        const table = indexOf(t, leaves);
        const prefilter = {
          kind,
          of: literals.map((literal) => ({ kind: 'literal' as const, text: literal })),
        };
        const found = wanted(table, prefilter);
        for (const [number, texts] of leaves.entries()) {
          const matches = texts.some((one) => {
            const lower = one.toLowerCase();
            return kind === 'and'
              ? literals.every((literal) => lower.includes(literal))
              : literals.some((literal) => lower.includes(literal));
          });
          if (matches) assert.ok(found.includes(number));
        }
        table.close();
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});

test('indexes that are written after or beside another hold nothing of it', (t) => {
  const directory = temporaryDirectory(t);
  const begin = (name: string) => {
    const path = join(directory, name);
    const table = new TableWriter(path);
    const writer = new TrigramWriter(table);
    const finish = () => {
      writer.finish();
      table.finish();
      return new TableReader(path, new BlockCache(1 << 20));
    };
    return { writer, finish };
  };
  const add = ({ writer }: ReturnType<typeof begin>, text: string) => {
    writer.add(text);
    writer.closeLeaf(0);
  };
  const [before, beside] = [begin('before'), begin('beside')];
  add(before, 'needle');
  add(beside, 'haystack');
  const first = before.finish();
  const after = begin('after');
  add(after, 'haystack');
  const [second, third] = [beside.finish(), after.finish()];
  const needle = { kind: 'literal', text: 'needle' } as const;
  const haystack = { kind: 'literal', text: 'haystack' } as const;
  assert.deepEqual(
    [first, second, third].map((index) => wanted(index, needle)),
    [[0], [], []],
  );
  assert.deepEqual(
    [first, second, third].map((index) => wanted(index, haystack)),
    [[], [0], [0]],
  );
  for (const index of [first, second, third]) index.close();
});

test('a name in wire form is indexed like its text, and one with escapes must be added as text', (t) => {
  const path = join(temporaryDirectory(t), 'names');
  const table = new TableWriter(path);
  const writer = new TrigramWriter(table);
  const wire = (text: string) => parseName(text) as Uint8Array;
  assert.equal(writer.addName(wire('www.Example-1_x.com.'), 0), true);
  writer.closeLeaf(0);
  assert.equal(writer.addName(wire('a\\.b.example.com.'), 0), false);
  writer.closeLeaf(10);
  writer.finish();
  table.finish();
  const reader = new TableReader(path, new BlockCache(1 << 20));
  for (const literal of ['www', 'ww.', '.ex', 'example-1_x.com.', 'om.']) {
    assert.deepEqual(wanted(reader, { kind: 'literal', text: literal }).slice(0, 1), [0], literal);
  }
  assert.deepEqual(wanted(reader, { kind: 'literal', text: 'wwwe' }), []);
  reader.close();
});

test('leaves without the trigrams are ruled out, except the first of each further group', (t) => {
  const leaves = Array.from({ length: 9000 }, (_, number) => [number % 1000 === 7 ? 'needle' : 'haystack']);
  const table = indexOf(t, leaves);
  const expected = [7, 1007, 2007, 3007, 4007, 4096, 5007, 6007, 7007, 8007, 8192];
  assert.deepEqual(wanted(table, { kind: 'literal', text: 'needle' }), expected);
  assert.deepEqual(wanted(table, { kind: 'literal', text: 'nothing' }), [4096, 8192]);
  assert.equal(wanted(table, { kind: 'anything' }).length, 9000);
  table.close();
});

test('one flipped bit in an index leads to the right leaves or a refusal', (t) => {
  const path = join(temporaryDirectory(t), 'trigrams');
  const table = new TableWriter(path);
  const writer = new TrigramWriter(table);
  for (let leaf = 0; leaf < 5000; leaf += 1) {
    writer.add(leaf % 100 === 7 ? `needle-${leaf}` : `haystack-${leaf % 50}`);
    writer.closeLeaf(leaf * 10);
  }
  writer.finish();
  table.finish();
  const original = readFileSync(path);
  const search = () => {
    const reader = new TableReader(path, new BlockCache(1 << 20));
    try {
      return wanted(reader, { kind: 'literal', text: 'needle' });
    } finally {
      reader.close();
    }
  };
  const expected = search();
  let refused = 0;
  fc.assert(
    fc.property(fc.nat(original.length - 1), fc.nat(7), (at, bit) => {
      const bytes = Buffer.from(original);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      writeFileSync(path, bytes);
      try {
        assert.deepEqual(search(), expected);
      } catch (error) {
        assert.ok(error instanceof DamagedData, String(error));
        refused += 1;
      }
    }),
    { numRuns: 150 },
  );
  assert.ok(refused > 5, `${refused} searches were refused`);
});
