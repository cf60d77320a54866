import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isUnseen } from '../../src/model/triage/unseen-characters.ts';
import { foreign } from '../../web/src/data/foreign.ts';
import { spelledOut, textPieces } from '../../web/src/data/unseen.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

test('no text of somebody else is drawn with a character that cannot be seen or reverses the direction', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const drawn =
        textPieces(foreign(text))
          .map((piece) => piece.text)
          .join('') + spelledOut(foreign(text));
      assert.deepEqual(Array.from(drawn).filter(isUnseen), []);
    }),
  );
});

test('a reversed registrar is drawn in its own order', () => {
  assert.deepEqual(textPieces(foreign('pay\u202elap.test')), [
    { text: 'pay', boxed: false },
    { text: 'U+202E', boxed: true },
    { text: 'lap.test', boxed: false },
  ]);
});

test('a text is drawn up to 2,000 characters', () => {
  assert.equal(textPieces(foreign('x'.repeat(10_000_000)))[0]?.text.length, 2001);
});

test('line feeds are kept where lines are wanted', () => {
  assert.equal(textPieces(foreign('a\nb'), true).length, 1);
  assert.equal(textPieces(foreign('a\nb')).length, 3);
});
