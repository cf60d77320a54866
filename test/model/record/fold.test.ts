/** Folding has a fast path for plain texts, which must give what the definition gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fold } from '../../../src/model/record/fold.ts';

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '~') }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\u00a0', '\u0301', 'É', '\n', '\x7f') }),
);

test('a text is folded to NFC, single spaces and lower case, whether it is plain or not', () => {
  fc.assert(
    fc.property(text, (one) => {
      assert.equal(fold(one), one.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase());
    }),
  );
});
