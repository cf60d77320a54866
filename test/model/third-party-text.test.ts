import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { thirdPartyText } from '../../src/model/third-party-text.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

test('any text becomes one line of at most 160 characters without hidden ones', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 600 }), (text) => {
      const clean = thirdPartyText(text);
      assert.ok(Array.from(clean).length <= 160);
      assert.doesNotMatch(clean, hidden);
      assert.equal(clean, clean.trim());
    }),
  );
});

test('runs of blank and hidden characters become one space', () => {
  assert.equal(thirdPartyText(' a\r\n\tb\u2028c\u200b\u{e0041}d\u202e '), 'a b c d');
});

test('text is in NFC, and ordinary text stays what it is', () => {
  assert.equal(thirdPartyText('Su\u0308ßkind GmbH & Co. (1), "x"'), 'Süßkind GmbH & Co. (1), "x"');
});

test('a longer text is cut and says how much is missing', () => {
  const clean = thirdPartyText('x'.repeat(1000));
  assert.equal(clean, `${'x'.repeat(152)}…(+848)`);
  assert.equal(thirdPartyText('y'.repeat(160)), 'y'.repeat(160));
  assert.match(thirdPartyText('z'.repeat(1_000_000)), /^z{149}…\(\+999851\)$/);
});

test('links are defanged, with any scheme and without one', () => {
  assert.equal(thirdPartyText('https://a.example/x.png?y=z'), 'hxxps[://]a[.]example/x.png?y=z');
  assert.equal(thirdPartyText('FTP://a.b.example'), 'FTP[://]a[.]b[.]example');
  assert.equal(thirdPartyText('![x](//a.example/p)'), '![x]([//]a[.]example/p)');
});
