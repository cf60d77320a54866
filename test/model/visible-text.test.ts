import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVisible } from '../../src/model/visible-text.ts';

const hidden = [
  '\u0000',
  '\u0007',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u200b',
  '\u200e',
  '\u202a',
  '\u202e',
];
const moreHidden = [
  '\u2028',
  '\u2029',
  '\u2060',
  '\u2066',
  '\u2069',
  '\u3164',
  '\ufeff',
  '\uffa0',
  '\u{e0041}',
  '\u{e0100}',
  '\ud800',
];

for (const character of [...hidden, ...moreHidden]) {
  test(`text with U+${character.codePointAt(0)?.toString(16).padStart(4, '0')} is not visible as it is`, () => {
    for (const text of [character, `a${character}b`, `${character}a`, `a${character}`])
      assert.equal(isVisible(text), false);
  });
}

test('joiners and variation selectors are allowed in scripts and emoji that need them, and nowhere else', () => {
  for (const text of ['می‌خواهم', 'क्‍ष', 'ක්‍ර', '⚠️', '👩‍💻', '👩🏽‍🚀', '❤️‍🔥', '1️⃣', '🏳️‍🌈'])
    assert.equal(isVisible(text), true, text);
  for (const text of ['a\u200cb', 'ac\u200dme', 'acme\ufe0f', '\u200d👩', '👩\u200d', '\ufe0f'])
    assert.equal(isVisible(text), false, JSON.stringify(text));
});

test('letters, digits, punctuation and spaces of any script are visible', () => {
  for (const text of ['', 'Acme Bank & Co.', 'Müller', 'паро', '日本語', 'ไทย', 'עברית', 'e\u0301', '€ 5,–'])
    assert.equal(isVisible(text), true, text);
});
