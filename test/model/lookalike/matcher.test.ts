import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applySteps } from '../../../src/model/lookalike/explain/derivation.ts';
import { spelledTerm } from '../../../src/model/lookalike/index/spelled-term.ts';
import { type LookalikeMatch, matchClasses } from '../../../src/model/lookalike/match.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';

function find(term: string, name: string, substringVariations = false): LookalikeMatch | undefined {
  const [match, ...others] = new Matcher([{ text: term, substringVariations }]).match(name);
  assert.deepEqual(others, [], 'one match for a term at most');
  if (match) {
    assert.equal(match.text, match.name.slice(match.from, match.to));
    assert.equal(applySteps(spelledTerm(term).spelling, match.steps), match.text);
  }
  return match;
}

const examples = [
  ['paypal', 'paypal.com', 'exact', 0, 'paypal'],
  ['paypal.com', 'www.paypal.com', 'exact', 0, 'paypal.com'],
  ['paypal', 'paypalxyz.com', 'affix', 0, 'paypal'],
  ['paypal', 'paypals.com', 'plural', 1, 'paypals'],
  ['paypal', 'secure-paypal-login24.com', 'combosquat', 0, 'paypal'],
  ['paypal', 'paypal-com.top', 'combosquat', 0, 'paypal'],
  ['paypal', 'paypl.com', 'omission', 1, 'paypl'],
  ['paypal', 'paygpal.com', 'insertion', 1, 'paygpal'],
  ['paypal', 'payppal.com', 'repetition', 1, 'payppal'],
  ['paypal', 'papyal.com', 'transposition', 1, 'papyal'],
  ['paypal', 'paypwl.com', 'replacement', 1, 'paypwl'],
  ['paypal', 'paypel.com', 'vowel-swap', 1, 'paypel'],
  ['netflix', 'netflixes.com', 'plural', 1, 'netflixes'],
  ['paypal', 'pay-pal.com', 'hyphenation', 0, 'pay-pal'],
  ['coca-cola', 'cocacola.com', 'hyphenation', 0, 'cocacola'],
  ['paypal', 'paxpal.com', 'bit-flip', 1, 'paxpal'],
  ['paypal', 'secure-paypa1-login.com', 'leet', 0, 'paypa1'],
  ['microsoft', 'rnicrosoft.com', 'homoglyph', 0, 'rnicrosoft'],
  ['wellsfargo', 'vvellsfargo.com', 'homoglyph', 0, 'vvellsfargo'],
  ['dropbox', 'clropbox.com', 'homoglyph', 0, 'clropbox'],
  ['facebook', 'faeebook.com', 'homoglyph', 1, 'faeebook'],
  ['paypal', 'pаypal-login.com', 'homoglyph', 0, 'pаypal'],
  ['paypal', 'раураӏ.com', 'homoglyph', 0, 'раураӏ'],
  ['phantom', 'fantom.com', 'homophone', 0, 'fantom'],
  ['office365', 'officethreesixfive.com', 'numeral', 0, 'officethreesixfive'],
  ['paypal.com', 'paypal.net', 'tld-swap', 0, 'paypal.net'],
  ['paypal.com', 'paypa1.net', 'leet', 0, 'paypa1.net'],
  ['paypal', 'pay.pal.com', 'dot', 0, 'pay.pal'],
  ['instagram', 'instagr.am', 'dot', 0, 'instagr.am'],
  ['paypal.com', 'paypalcom.com', 'dot', 0, 'paypalcom'],
  ['paypal', 'paypal.com.evil.top', 'subdomain', 0, 'paypal'],
  ['paypal.com', 'paypal.com.evil.top', 'subdomain', 0, 'paypal.com'],
  ['paypal.co.uk', 'paypal.org.uk', 'wrong-second-level', 0, 'paypal.org.uk'],
  ['paypal', 'wwwpaypal.com', 'glued-prefix', 0, 'paypal'],
  ['paypal', 'httpspayapl.com', 'transposition', 1, 'payapl'],
  ['americanexpress', 'amercanexpresss.com', 'omission', 2, 'amercanexpresss'],
] as const;

for (const [term, name, kind, distance, text] of examples) {
  test(`${name} is a lookalike of ${term}: ${kind}`, () => {
    const match = find(term, name);
    assert.deepEqual([match?.class, match?.distance, match?.text], [kind, distance, text]);
  });
}

test('every class has an example', () => {
  assert.deepEqual(
    matchClasses.filter((kind) => !examples.some((example) => example[2] === kind)),
    [],
  );
});

test('the steps list what was changed, where, and in which order', () => {
  assert.deepEqual(find('paypal.com', 'pаypa1.net')?.steps, [
    { class: 'homoglyph', at: 1, removed: 'a', inserted: 'а' },
    { class: 'leet', at: 5, removed: 'l', inserted: '1' },
    { class: 'tld-swap', at: 6, removed: '.com', inserted: '.net' },
  ]);
});

test('a name is matched in Unicode and in punycode, in any case, and shown with both', () => {
  for (const name of ['xn--pypal-4ve.com', 'XN--PYPAL-4VE.COM.', 'pаypal.com', 'PАYPAL.com']) {
    const match = find('paypal', name);
    assert.deepEqual([match?.name, match?.punycode], ['pаypal.com', 'xn--pypal-4ve.com'], name);
  }
  assert.equal(find('paypal', 'paypal.com')?.punycode, undefined);
});

test('MON-27 a variation inside a longer label is found only for terms with substring variations', () => {
  for (const name of ['secure-payapl-login.com', 'mypaypqlaccount.com', 'xpayypalx.com']) {
    assert.equal(find('paypal', name), undefined, name);
    assert.equal(find('paypal', name, true)?.distance, 1, name);
  }
});

for (const [why, term, name, isLike] of [
  ['a label that is the term', 'ups', 'ups.top', true],
  ['a label that is folded to the term', 'visa', 'v1sa.top', true],
  ['a term between hyphens and digits', 'visa', 'my-visa24.top', true],
  ['a term beside a common word', 'visa', 'visalogin.top', true],
  ['a term beside anything else', 'visa', 'advisatech.top', false],
  ['an edit', 'visa', 'viza.top', false],
  ['a folding inside a label', 'visa', 'my-v1sa.top', false],
] as const) {
  test(`of three and four letters ${why} ${isLike ? 'is' : 'is not'} found`, () => {
    assert.equal(find(term, name) !== undefined, isLike);
  });
}

test('two edits are found only for terms of twelve or more letters', () => {
  assert.equal(find('commonwealth', 'comonwelth.com')?.distance, 2);
  assert.equal(find('wellsfargo', 'welsfargoo.com'), undefined);
});

test('public suffixes are not searched', () => {
  assert.equal(find('online', 'acme.online'), undefined);
  assert.equal(find('github', 'acme.github.io'), undefined);
  assert.equal(find('github', 'github-login.github.io')?.class, 'combosquat');
});

test('a term may have spaces, capitals, dots without being a domain, and other scripts', () => {
  assert.equal(find('Bank of America', 'bank-of-america.top')?.text, 'bank-of-america');
  assert.equal(find('st.pauls', 'stpauls-login.com')?.text, 'stpauls');
  assert.equal(find('сбербанк', 'xn--80abap1arsf.com')?.class, 'exact');
  assert.equal(find('сбербанк', 'сбеpбанк.com')?.class, 'homoglyph');
  assert.equal(find('login.paypal.com', 'paypal.top')?.class, 'tld-swap');
  for (const empty of ['', '...', '---', '  ']) assert.equal(find(empty, 'example.com'), undefined);
});

test('a term that occurs several times in the list matches for each, in the order of the list', () => {
  const terms = ['paypal', 'other', 'PayPal', 'paypal.com'].map((text) => ({
    text,
    substringVariations: false,
  }));
  assert.deepEqual(
    new Matcher(terms).match('paypal.com').map(({ term }) => term),
    [0, 2, 3],
  );
});

test('a matcher that reuses another one finds the same', () => {
  const terms = ['paypal', 'netflix'].map((text) => ({ text, substringVariations: false }));
  const before = new Matcher(terms);
  const after = new Matcher([...terms, { text: 'amazon', substringVariations: true }], before);
  for (const name of ['paypa1.com', 'netfllx.top', 'my-amazn-shop.com'])
    assert.deepEqual(
      after.match(name),
      new Matcher([...terms, { text: 'amazon', substringVariations: true }]).match(name),
    );
});

test('matching lines are reported as spelled, with any line end, and no other lines', () => {
  const found: string[] = [];
  const lines = Buffer.from('paypal.com\r\n\nexample.org\n  PayPal.net.\nxn--pypal-4ve.com');
  new Matcher([{ text: 'paypal', substringVariations: false }]).scanLines(lines, (name) => found.push(name));
  assert.deepEqual(found, ['paypal.com', 'PayPal.net', 'xn--pypal-4ve.com']);
});
