import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFlexPattern } from '../../../src/model/flex/flex-pattern.ts';
import { Problem } from '../../../src/model/problem.ts';

const compiled = {
  regex: (text: string) => compileFlexPattern('regex', text).matches,
  glob: (text: string) => compileFlexPattern('glob', text).matches,
};

function messageFor(kind: 'regex' | 'glob', pattern: string): string {
  try {
    compileFlexPattern(kind, pattern, 'exclude');
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, 'invalid-parameters');
    assert.deepEqual(Object.keys(error.fields ?? {}), ['exclude']);
    return error.fields?.['exclude']?.[0] as string;
  }
  return 'accepted';
}

test('PDNS-42: matching ignores case, in the pattern and in the text', () => {
  for (const [pattern, text] of [
    ['paypal', 'www.PayPal.example.'],
    ['PAYPAL', 'www.paypal.example.'],
    ['[A-F]x[[:upper:]]', 'exb.'],
    ['^[B-b]$', '_'],
  ] as const) {
    assert.equal(compiled.regex(pattern)(text), true, pattern);
  }
  assert.equal(compiled.regex('^[^a]')('A.example.'), false);
  assert.equal(compiled.glob('*.[!E]xample.')('www.example.'), false);
  assert.equal(compiled.glob('*.EXAMPLE.')('www.example.'), true);
});

test('PDNS-42: names are matched with their final dot; a glob is anchored at both ends, a regex is not', () => {
  const name = 'www.example.com.';
  assert.equal(compiled.glob('*.example.com')(name), false);
  assert.equal(compiled.glob('*.example.com.')(name), true);
  assert.equal(compiled.glob('example.com.')(name), false);
  assert.equal(compiled.glob('*example*')(name), true);
  assert.equal(compiled.regex('example')(name), true);
  assert.equal(compiled.regex('^example')(name), false);
  assert.equal(compiled.regex('com$')(name), false);
  assert.equal(compiled.regex('com\\.$')(name), true);
  assert.equal(compiled.regex('(^|\\.)example\\.(com|net)\\.$')(name), true);
  assert.equal(compiled.regex('(^|\\.)ample\\.')(name), false);
});

/** `matching` and `other` are texts, separated by spaces. */
const regexes: readonly (readonly [pattern: string, matching: string, other: string])[] = [
  ['^a{2,3}$', 'aa aaa', 'a aaaa'],
  ['^a{2}$', 'aa', 'a aaa'],
  ['^a{2,}$', 'aa aaaaa', 'a'],
  ['^(ab|c)+d?$', 'ab cab abcd', 'd abdd'],
  ['^a{0}b$', 'b', 'ab'],
  ['^x[0-9]+/y?z$', 'x1/z x22/yz', 'x/z x1yz'],
  ['^[]a]$', '] a', 'b'],
  ['^[^]a]$', 'b [', '] a'],
  ['^[a-]$', 'a -', 'b'],
  ['^[-a]$', 'a -', 'b'],
  ['^[+--]$', '+ , -', '.'],
  ['^[--/]$', '- . /', '+'],
  ['^[\\d]$', '\\ d', '1'],
  ['^[a^]$', 'a ^', 'b'],
  ['^[[]$', '[', ']'],
  ['^[[:digit:]_x-z]$', '0 9 _ y', 'a -'],
  ['^[[:xdigit:]][[:punct:]]$', 'f. 0~', 'g. ff'],
  ['^[[:graph:]]$', '! ~', ''],
  ['^]}$', ']}', '}]'],
  ['^\\\\\\^\\$\\.\\[\\|\\(\\)\\*\\+\\?\\{$', '\\^$.[|()*+?{', 'a'],
  ['a$|^b', 'ca bc', 'ab.'],
  ['a^b', '', 'ab a'],
  ['(a|ab)(c|bcd)$', 'abcd ac', 'abd'],
  ['((a*)*)*b', 'b aab', 'a'],
];

for (const [pattern, matching, other] of regexes) {
  test(`the regex ${pattern} matches "${matching}" and not "${other}"`, () => {
    const matches = compiled.regex(pattern);
    const isMatching = (text: string) => matches(text);
    assert.deepEqual(matching.split(' ').filter(Boolean).map(isMatching).includes(false), false);
    assert.deepEqual(other.split(' ').filter(Boolean).map(isMatching).includes(true), false);
  });
}

const globs: readonly (readonly [pattern: string, matching: string, other: string])[] = [
  ['a?c', 'abc a.c', 'ac abbc'],
  ['a*c', 'ac abbc', 'acd'],
  ['a**c', 'ac abbc', 'acd'],
  ['[a-c1].', 'a. 1.', 'd. a'],
  ['[!a-c].', 'd. ].', 'a.'],
  ['[]x].', ']. x.', '[.'],
  ['[!]x].', 'a.', ']. x.'],
  ['[\\*]', '\\ *', 'a'],
  ['\\*\\?\\[\\a\\\\', '*?[a\\', 'a'],
  ['[[:alpha:]][[:digit:]]', 'a1 Z9', '1a'],
  ['a(b|c)+.$', 'a(b|c)+.$', 'ab.'],
  ['a]b', 'a]b', 'ab'],
];

for (const [pattern, matching, other] of globs) {
  test(`the glob ${pattern} matches "${matching}" and not "${other}"`, () => {
    const matches = compiled.glob(pattern);
    assert.equal(matching.split(' ').every(matches), true);
    assert.equal(other.split(' ').some(matches), false);
  });
}

const refused: readonly (readonly [kind: 'regex' | 'glob', pattern: string, message: RegExp])[] = [
  ['regex', '', /empty/],
  ['glob', '', /empty/],
  ['regex', 'a'.repeat(4097), /4096 characters at most/],
  ['regex', 'caf\u00e9', /printable ASCII.*\(character 4\)/],
  ['glob', 'a\tb', /printable ASCII.*\(character 2\)/],
  ['regex', 'x\\d', /not before "d" \(character 2\)/],
  ['regex', '\\x41', /not before "x"/],
  ['regex', '(a)\\1', /not before "1" \(character 4\)/],
  ['regex', 'a\\]', /not before "\]"/],
  ['regex', 'a\\', /nothing to escape \(character 2\)/],
  ['regex', '[[.a.]]', /collating.*\(character 2\)/],
  ['regex', '[a[=b=]]', /collating.*\(character 3\)/],
  ['regex', '[+-[.a.]]', /collating/],
  ['regex', '[[:word:]]', /alnum, alpha.*\(character 2\)/],
  ['regex', '[[:constructor:]]', /alnum, alpha/],
  ['regex', '[[:digit:', /alnum, alpha/],
  ['regex', '[+-[:digit:]]', /end of a range/],
  ['regex', '[[:digit:]-z]', /- in a class.*\(character 11\)/],
  ['regex', '[a-c-e]', /- in a class/],
  ['regex', 'x[z-a]', /runs backwards \(character 3\)/],
  ['regex', 'x[a', /closing \] \(character 2\)/],
  ['regex', '[]', /closing \]/],
  ['regex', '[^]', /closing \]/],
  ['regex', '[a-', /closing \]/],
  ['regex', '*a', /\* has nothing to repeat \(character 1\)/],
  ['regex', '(?:a)', /\? has nothing to repeat \(character 2\)/],
  ['regex', '{2}', /nothing to repeat/],
  ['regex', '^*a', /anchor.*\(character 2\)/],
  ['regex', 'a*?', /repetition cannot be repeated.*\(character 3\)/],
  ['regex', 'a{2}{3}', /repetition cannot be repeated/],
  ['regex', 'a{', /\{n\}, \{n,\} or \{n,m\}.*\(character 2\)/],
  ['regex', 'a{,3}', /\{n\}, \{n,\} or \{n,m\}/],
  ['regex', 'a{1x}', /\{n\}, \{n,\} or \{n,m\}/],
  ['regex', 'a{00010002}', /255 at most/],
  ['regex', `a{${'9'.repeat(400)}}`, /\{n\}, \{n,\} or \{n,m\}/],
  ['regex', 'a{3,2}', /runs backwards/],
  ['regex', 'a{256}', /255 at most/],
  ['regex', 'a{1,256}', /255 at most/],
  ['regex', 'a{256,}', /255 at most/],
  ['regex', 'a|', /empty.*\(character 3\)/],
  ['regex', '()', /empty/],
  ['regex', '(a', /no \) after it \(character 1\)/],
  ['regex', 'a)', /no \( before it \(character 2\)/],
  ['glob', 'a\\', /nothing to escape/],
  ['glob', 'a[b', /closing \] \(character 2\)/],
  ['glob', '[^a]', /negated with \[!/],
];

for (const [kind, pattern, message] of refused) {
  test(`PDNS-44: the ${kind} ${JSON.stringify(pattern.slice(0, 20))} is rejected: ${message}`, () => {
    assert.match(messageFor(kind, pattern), message);
  });
}

test('patterns that expand or nest too far are rejected', () => {
  assert.match(messageFor('regex', '(((a{255}){255}){255})'), /too large/);
  assert.match(messageFor('regex', '(((a{0}){255}){255}){255}'), /too large/);
  assert.match(messageFor('regex', `${'('.repeat(99)}a${')?'.repeat(98)}){90}`), /too large/);
  assert.match(messageFor('regex', '('.repeat(4096)), /nest 100 deep/);
  assert.match(messageFor('regex', `${'('.repeat(1000)}a${')'.repeat(1000)}`), /nest 100 deep/);
  assert.match(messageFor('glob', '['.repeat(4096)), /closing \]/);
});

test('no pattern of 4096 characters without counted repetitions is too large', () => {
  for (const pattern of ['a', '.', '.*', 'a?', 'a|', '[^x]', '(a)*']) {
    assert.equal(messageFor('regex', `${pattern.repeat(4080 / pattern.length)}a`), 'accepted', pattern);
  }
  for (const pattern of ['*a', '?*', '[!x]*']) {
    assert.equal(messageFor('glob', pattern.repeat(4080 / pattern.length)), 'accepted', pattern);
  }
});

test('matching takes linear time where a backtracking engine would take exponential time', () => {
  const text = `${'a'.repeat(200_000)}.`;
  for (const pattern of ['(a|aa|aaa)*b', '((a*)*)*b', '(a?){200}(a?){200}b', '^(.*a){20}b', '(x+x+)+y']) {
    assert.equal(compiled.regex(pattern)(text), false);
    assert.equal(compiled.regex(pattern)(`${text}aaaaaaaaaaaaaaaaaaaaaaxxb xxxy`), !pattern.startsWith('^'));
  }
  assert.equal(compiled.glob('*a*a*a*a*a*b')(text), false);
});

function randomText(seed: number, length: number, letters: string): string {
  let [text, state] = ['', seed];
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += letters.charAt(state % letters.length);
  }
  return text;
}

test('a pattern with more DFA states than the cache holds still matches correctly', () => {
  const matches = compiled.regex('a.{60}c');
  const expected = (text: string) => text.split('').some((char, at) => char === 'a' && text[at + 61] === 'c');
  const rareC = `${'ab'.repeat(40)}c`;
  const texts = Array.from({ length: 2000 }, (_, seed) => randomText(seed + 1, 150, rareC));
  assert.deepEqual(texts.map(matches), texts.map(expected));
  const share = texts.filter(expected).length / texts.length;
  assert.ok(share > 0.2 && share < 0.8, `${share} of the texts match`);
});

test('the state cache of a pattern is bounded to a few megabytes, whatever it was matched with', () => {
  const matches = compiled.regex(`a.{24}(${'defghijklmnopqrstuvwxyz'.split('').join('|')})`);
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(matches(randomText(1, 60_000, 'ab')), false);
  const kept = process.memoryUsage().arrayBuffers - before;
  assert.ok(kept < 4_000_000, `${kept} bytes`);
});

test('non-ASCII characters match . and negated classes only', () => {
  const text = 'caf\u00e9 \u212a \ud83d';
  assert.equal(compiled.regex('k')(text), false);
  assert.equal(compiled.regex('f. .')(text), true);
  assert.equal(compiled.regex('f[^a]')(text), true);
  assert.equal(compiled.regex('f[[:print:]]')(text), false);
  assert.equal(compiled.glob('*')(text), true);
});

test('patterns that can be empty match the empty text', () => {
  assert.equal(compiled.regex('^$')(''), true);
  assert.equal(compiled.regex('($)(^)')(''), true);
  assert.equal(compiled.regex('($)(^)')('a'), false);
  assert.equal(compiled.regex('a*')(''), true);
  assert.equal(compiled.glob('*')(''), true);
  assert.equal(compiled.glob('?*')(''), false);
});
