import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { baseDomainOf, findBaseDomain } from '../../src/model/base-domain.ts';
import { isAtOrBelow, nameText, parseName } from '../../src/model/dns/name.ts';

const baseText = (text: string) => {
  const base = baseDomainOf(parseName(text) ?? assert.fail(text));
  return base && nameText(base);
};

test('the base domain is the public suffix and one label, for texts and wire names', () => {
  for (const [name, base] of [
    ['www.example.com.', 'example.com.'],
    ['example.com.', 'example.com.'],
    ['a.b.example.com.au.', 'example.com.au.'],
    ['_dmarc.example.co.uk.', 'example.co.uk.'],
    ['foo.github.io.', 'github.io.'],
    ['www.xn--bcher-kva.xn--p1ai.', 'xn--bcher-kva.xn--p1ai.'],
    ['kawasaki.jp.', 'kawasaki.jp.'],
    ['x.a.b.kawasaki.jp.', 'a.b.kawasaki.jp.'],
    ['www.city.kawasaki.jp.', 'city.kawasaki.jp.'],
    ['a.b.c.d.e.f.g.h.i.example.com.', 'example.com.'],
    ['host.unheard-of.', 'host.unheard-of.'],
  ] as const) {
    assert.equal(baseText(name), base);
    assert.equal(findBaseDomain(name), base.slice(0, -1));
  }
});

test('suffixes, single labels, the root and names below arpa have no base domain', () => {
  for (const name of [
    'com.',
    'co.uk.',
    'b.kawasaki.jp.',
    'localhost.',
    '4.3.2.1.in-addr.arpa.',
    'home.arpa.',
    'arpa.',
  ]) {
    assert.equal(baseText(name), undefined);
    assert.equal(findBaseDomain(name), undefined);
  }
  assert.equal(baseText('.'), undefined);
});

test('a dot inside a label does not split it, and other bytes can be in labels', () => {
  assert.equal(baseText('www\\.example.com.'), 'www\\.example.com.');
  assert.equal(baseText('a.exam\\.ple.com.'), 'exam\\.ple.com.');
  assert.equal(baseText('a.b.co\\.uk.'), 'b.co\\.uk.');
  assert.equal(baseText('a.\\000\\255.com.'), '\\000\\255.com.');
  assert.equal(baseText('a.b.\\255.'), 'b.\\255.');
});

test('the base domain is an ancestor of the name, and its own base domain', () => {
  const label = fc.constantFrom('com', 'co', 'uk', 'jp', 'kawasaki', 'ck', 'www', 'a\\.b', '\\255', 'x');
  fc.assert(
    fc.property(fc.array(label, { maxLength: 9 }), (labels) => {
      const name = parseName(`${labels.join('.')}.`) ?? assert.fail();
      const base = baseDomainOf(name);
      if (!base) return;
      assert.ok(isAtOrBelow(name, base));
      assert.deepEqual(baseDomainOf(base), base);
    }),
  );
});
