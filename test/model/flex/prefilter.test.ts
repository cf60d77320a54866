import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFlexPattern, type Prefilter } from '../../../src/model/flex/flex-pattern.ts';

/** `abc & (def | ghi)`, and `-` for a prefilter that matches anything. */
function shown(prefilter: Prefilter): string {
  switch (prefilter.kind) {
    case 'anything':
      return '-';
    case 'literal':
      return prefilter.text;
    case 'and':
      return prefilter.of.map((part) => (part.kind === 'or' ? `(${shown(part)})` : shown(part))).join(' & ');
    default:
      return prefilter.of.map(shown).join(' | ');
  }
}

const regexes: readonly (readonly [pattern: string, prefilter: string])[] = [
  ['PayPal', 'paypal'],
  ['.*\\.coke\\..*', '.coke.'],
  ['^login', 'login'],
  ['pa', '-'],
  ['.', '-'],
  ['[a-z]+', '-'],
  ['abc.*def', 'abc & def'],
  ['(secure|login).*bank', 'bank & (secure | login)'],
  ['(secure|login)-bank', 'secure-bank | login-bank'],
  ['(secure|id).*bank', 'bank'],
  ['paypal|ab', '-'],
  ['abc.*x|[0-9]', '-'],
  ['paypal|amazon.*', 'paypal | amazon'],
  ['colou?r', 'color | colour'],
  ['p[a4]ypal', 'p4ypal | paypal'],
  ['pay[0-9]pal', 'pay & pal'],
  ['abc(def)*ghi', 'abc & ghi'],
  ['pay+pal', 'pay & ypal'],
  ['(abc){2}', 'abcabc'],
  ['(ab){2,}', 'abab'],
  ['(abc.){2,5}', 'abc'],
  ['(.abc-){2}', 'abc-'],
  ['x(^abc|def$)y', 'xabcy | xdefy'],
  ['(abc.|def)ghi', 'ghi & (abc | def)'],
  ['paypal(-login)?.*', 'paypal'],
  ['a{0}bcd', 'bcd'],
  ['[a-z0-9]{8,12}\\.top\\.$', '.top.'],
];

for (const [pattern, expected] of regexes) {
  test(`the prefilter of the regex ${pattern} is ${expected}`, () => {
    assert.equal(shown(compileFlexPattern('regex', pattern).prefilter), expected);
  });
}

for (const [pattern, expected] of [
  ['*paypal*', 'paypal'],
  ['www.*.example.', 'www. & .example.'],
  ['*', '-'],
  ['?ab*cd?', '-'],
  ['ns[12].Example.', 'ns1.example. | ns2.example.'],
  ['\\*abc', '*abc'],
] as const) {
  test(`the prefilter of the glob ${pattern} is ${expected}`, () => {
    assert.equal(shown(compileFlexPattern('glob', pattern).prefilter), expected);
  });
}

function countOf(prefilter: Prefilter): number {
  return 'of' in prefilter ? prefilter.of.reduce((sum, part) => sum + countOf(part), 0) : 1;
}

test('a list of many words is a prefilter, one that is too long is not', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join('|');
  assert.equal(countOf(compileFlexPattern('regex', words(200)).prefilter), 200);
  assert.equal(countOf(compileFlexPattern('regex', `(${words(200)})\\.example\\.`).prefilter), 201);
  assert.deepEqual(compileFlexPattern('regex', words(400)).prefilter, { kind: 'anything' });
});

test('a prefilter stays small, however many alternatives the pattern has', () => {
  for (const pattern of [
    '[ab][cd][ef].*'.repeat(290),
    'abc.'.repeat(1000),
    '(a|b|c)'.repeat(500),
    'a?b?c?'.repeat(600),
    '([ab]{255}){16}',
    `${'('.repeat(100)}abc.def${'|xyz.uvw)+pqr'.repeat(100)}`,
  ]) {
    assert.ok(countOf(compileFlexPattern('regex', pattern).prefilter) <= 256, pattern.slice(0, 20));
  }
});
