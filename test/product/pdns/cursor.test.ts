import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cursorText, type Ordering, readCursor } from '../../../src/product/pdns/cursor.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const ordering: Ordering = {
  path: ['lookup', 'rrset', 'name', '*.example.com'],
  merged: true,
  order: 'store',
};
const position = fc.option(fc.uint8Array({ minLength: 1, maxLength: 4000 }), { nil: undefined });
const lastSeconds = fc.nat({ max: 2 ** 31 });

test('a cursor round-trips its position, and needs no escaping in a URL', () => {
  fc.assert(
    fc.property(position, lastSeconds, fc.nat(), (bytes, seconds, skipped) => {
      const place = { position: bytes, lastSeconds: seconds, skipped };
      const text = cursorText(ordering, place);
      assert.match(text, /^[\w-]+$/);
      assert.deepEqual(readCursor(text, ordering), place);
    }),
  );
});

test('a cursor of another path, order or aggregation is rejected', () => {
  const text = cursorText(ordering, { position: Uint8Array.of(1), lastSeconds: 5, skipped: 0 });
  for (const other of [
    { ...ordering, path: ['lookup', 'rrset', 'name', '*.example.net'] },
    { ...ordering, path: [...ordering.path, 'A'] },
    { ...ordering, order: 'newest' as const },
    { ...ordering, merged: false },
  ]) {
    assert.equal(readCursor(text, other), undefined);
  }
});

test('any other text is rejected', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: anyCharacter })), (text) => {
      assert.equal(readCursor(text, ordering), undefined);
    }),
    { numRuns: 1000 },
  );
});
