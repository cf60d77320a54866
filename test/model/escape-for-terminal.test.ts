import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { escapeForTerminal } from '../../src/model/escape-for-terminal.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const shown: Readonly<Record<string, readonly [text: string, shown: string]>> = {
  'an escape sequence': ['\u001b[31mred', '\\u{1b}[31mred'],
  'an eight-bit escape': ['\u009b31m', '\\u{9b}31m'],
  'a line break': ['one\r\ntwo', 'one\\u{d}\\u{a}two'],
  'a zero byte': ['a\u0000b', 'a\\u{0}b'],
  'a bell and a backspace': ['\u0007\u0008', '\\u{7}\\u{8}'],
  'a right-to-left override': ['exe\u202efdp', 'exe\\u{202e}fdp'],
  'an isolate': ['\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  'a zero-width space and joiner': ['a\u200bb\u200dc', 'a\\u{200b}b\\u{200d}c'],
  'a line and a paragraph separator': ['a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
  'a byte order mark': ['\ufeffa', '\\u{feff}a'],
  'a tag character': ['\u{e0041}', '\\u{e0041}'],
};
for (const [what, [text, expected]] of Object.entries(shown)) {
  test(`${what} is escaped`, () => {
    assert.equal(escapeForTerminal(text), expected);
  });
}

for (const text of ['', 'example.com', 'Ünïcödé 例え.テスト', '😀', 'a b\u00a0c', '\\u{1b}']) {
  test(`${JSON.stringify(text)} is unchanged`, () => {
    assert.equal(escapeForTerminal(text), text);
  });
}

test('no output contains a control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.doesNotMatch(escapeForTerminal(text), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
      assert.equal(escapeForTerminal(escapeForTerminal(text)), escapeForTerminal(text));
    }),
  );
});
