/** What people paste, and how it is made safe to pass on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { defang, refang } from '../../web/src/names/defang.ts';
import { guessList, guessPaste } from '../../web/src/names/paste-guess.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';

const guesses: readonly (readonly [pasted: string, kind: string, value: string])[] = [
  ['cloudpantry.example', 'domain', 'cloudpantry.example'],
  ['  CloudPantry.Example. ', 'domain', 'cloudpantry.example'],
  ['hxxps://cloudpantry-help[.]example/login', 'domain', 'cloudpantry-help.example'],
  ['hxxp[://]a(.)b{.}c[dot]example:8080/x?y#z', 'domain', 'a.b.c.example'],
  ['https://user:pw@login.example/', 'domain', 'login.example'],
  ['cloudpantry.example/login', 'domain', 'cloudpantry.example'],
  ['cloudpantry.example:8443', 'domain', 'cloudpantry.example'],
  ['tessаltrade.brax', 'domain', 'tessаltrade.brax'],
  ['xn--tessltrade-2qi.brax', 'domain', 'xn--tessltrade-2qi.brax'],
  ['<https://login.example>', 'domain', 'login.example'],
  ['127.88.157.12', 'ip', '127.88.157.12'],
  ['127[.]88[.]157[.]12', 'ip', '127.88.157.12'],
  ['http://127.88.157.12:80/', 'ip', '127.88.157.12'],
  ['2001:DB8::1', 'ip', '2001:db8::1'],
  ['http://[2001:db8::1]:8080/', 'ip', '2001:db8::1'],
  ['hostmaster[@]evil[.]example', 'email', 'hostmaster@evil.example'],
  ['DA39A3EE5E6B4B0D3255BFEF95601890AFD80709', 'hash', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['00ff00ff00ff00ff', 'hash', '00ff00ff00ff00ff'],
  ['brightwater', 'text', 'brightwater'],
  ['300.1.1.1', 'text', '300.1.1.1'],
];

for (const [pasted, kind, value] of guesses) {
  test(`${JSON.stringify(pasted)} is taken for a ${kind}`, () => {
    assert.deepEqual(guessPaste(pasted), { kind, value });
  });
}

test('nothing pasted is nothing', () => {
  assert.equal(guessPaste(' \n '), undefined);
});

test('no text that is pasted breaks the guess', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (pasted) => {
      guessPaste(pasted);
      guessList(pasted);
    }),
  );
});

test('a list has every indicator once', () => {
  assert.deepEqual(
    guessList('a[.]example, b.example\n127.0.0.1;a.example').map(({ value }) => value),
    ['a.example', 'b.example', '127.0.0.1'],
  );
});

test('refanging undoes defanging', () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      assert.equal(refang(defang(url)), url);
    }),
  );
});

test('a defanged address has no scheme and no dot that a program would follow', () => {
  assert.equal(defang('https://login.evil.example/'), 'hxxps[://]login[.]evil[.]example/');
});
