import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matchClasses } from '../../../src/model/lookalike/match.ts';
import { explain } from '../../../src/product/detect/explanation.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

const found = { name: 'paypa1.example', from: 0, to: 6, text: 'paypa1', distance: 0 };

test('a match is explained by its class and by every change', () => {
  const steps = [
    { class: 'leet', at: 5, removed: 'l', inserted: '1' },
    { class: 'omission', at: 3, removed: 'p', inserted: '' },
    { class: 'insertion', at: 0, removed: '', inserted: 'x' },
  ] as const;
  assert.equal(
    explain({ ...found, class: 'leet', steps }),
    '"paypa1" in paypa1.example is the term with digits or signs in place of letters: "l" became "1", "p" left out, "x" put in.',
  );
  assert.equal(
    explain({ ...found, class: 'exact', steps: [] }),
    '"paypa1" in paypa1.example is the term itself.',
  );
});

test('every class has one sentence on one line, whatever the name contains', () => {
  const text = fc.string({ unit: anyCharacter });
  const property = fc.property(
    fc.constantFrom(...matchClasses),
    text,
    text,
    text,
    (kind, name, removed, inserted) => {
      const steps = [{ class: kind, at: 0, removed, inserted }];
      const sentence = explain({ ...found, class: kind, name, text: name, steps });
      assert.match(sentence, /^".*" in .*\.$/s);
      assert.doesNotMatch(sentence, /[\p{Cc}\p{Cf}]/u);
    },
  );
  fc.assert(property);
});
