import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFlexPattern, type TextNeeds } from '../../src/model/flex-pattern.ts';

/** `abc & (def | ghi)`, and `-` where there are none. */
function shown(needs: TextNeeds): string {
  switch (needs.kind) {
    case 'anything':
      return '-';
    case 'literal':
      return needs.text;
    case 'all':
      return needs.of.map((part) => (part.kind === 'one' ? `(${shown(part)})` : shown(part))).join(' & ');
    default:
      return needs.of.map(shown).join(' | ');
  }
}

const regexes: readonly (readonly [pattern: string, needs: string])[] = [
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

for (const [pattern, needs] of regexes) {
  test(`what the regex ${pattern} needs is ${needs}`, () => {
    assert.equal(shown(compileFlexPattern('regex', pattern).needs), needs);
  });
}

for (const [pattern, needs] of [
  ['*paypal*', 'paypal'],
  ['www.*.example.', 'www. & .example.'],
  ['*', '-'],
  ['?ab*cd?', '-'],
  ['ns[12].Example.', 'ns1.example. | ns2.example.'],
  ['\\*abc', '*abc'],
] as const) {
  test(`what the glob ${pattern} needs is ${needs}`, () => {
    assert.equal(shown(compileFlexPattern('glob', pattern).needs), needs);
  });
}

function countOf(needs: TextNeeds): number {
  return 'of' in needs ? needs.of.reduce((sum, part) => sum + countOf(part), 0) : 1;
}

test('a list of many words is needed as such, while one that is too long is given up', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join('|');
  assert.equal(countOf(compileFlexPattern('regex', words(200)).needs), 200);
  assert.equal(countOf(compileFlexPattern('regex', `(${words(200)})\\.example\\.`).needs), 201);
  assert.deepEqual(compileFlexPattern('regex', words(400)).needs, { kind: 'anything' });
});

test('what is needed stays small, however many ways the pattern has', () => {
  for (const pattern of [
    '[ab][cd][ef].*'.repeat(290),
    'abc.'.repeat(1000),
    '(a|b|c)'.repeat(500),
    'a?b?c?'.repeat(600),
    '([ab]{255}){16}',
    `${'('.repeat(100)}abc.def${'|xyz.uvw)+pqr'.repeat(100)}`,
  ]) {
    assert.ok(countOf(compileFlexPattern('regex', pattern).needs) <= 256, pattern.slice(0, 20));
  }
});
