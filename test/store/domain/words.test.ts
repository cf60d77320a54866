import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { wordsOf } from '../../../src/store/domain/words.ts';

test('words are sequences of letters, marks and digits in lower case', () => {
  assert.equal(
    wordsOf('Registrant Name: Ann O\'Example\r\nE-Mail: "a.b@c.de"'),
    'registrant name ann o example e mail a b c de',
  );
  assert.equal(wordsOf('ZÜRICH–Süd № 7'), 'zürich süd 7');
  assert.equal(wordsOf(' \0 \t'), '');
});

test('an ASCII text has the same words next to a letter that is not ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
      assert.equal(wordsOf(`${text} ü`), `${wordsOf(text)} ü`.trimStart());
    }),
  );
});
