import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nameText, parseName } from '../../../src/model/dns/name.ts';
import { readNameSpan } from '../../../src/product/pdns/name-span.ts';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';

/** The span and the name as text. */
function shown(text: string): string | undefined {
  const spanned = readNameSpan(text);
  if (!spanned) return undefined;
  const { name, span } = spanned;
  return `${span} ${nameText(name)}`;
}

const readable: readonly (readonly [text: string, meaning: string])[] = [
  ['example.com', 'none example.com.'],
  ['EXAMPLE.Com.', 'none example.com.'],
  ['.', 'none .'],
  ['com', 'none com.'],
  ['*.example.com', 'below example.com.'],
  ['*.example.com.', 'below example.com.'],
  ['*.com', 'below com.'],
  ['*', 'below .'],
  ['*.', 'below .'],
  ['+.example.com', 'child example.com.'],
  ['+.', 'child .'],
  ['+', 'child .'],
  ['www.example.*', 'right www.example.'],
  ['www.example.*.', 'right www.example.'],
  ['www.*', 'right www.'],
  ['\\*.example.com', 'none *.example.com.'],
  ['\\042.example.com', 'none *.example.com.'],
  ['a\\.b.example.com', 'none a\\.b.example.com.'],
  ['a\\.*.example.com', 'none a\\.*.example.com.'],
  ['www*.example.com', 'none www*.example.com.'],
  ['*www.example.com', 'none *www.example.com.'],
  ['a.+.example.com', 'none a.+.example.com.'],
  ['+1.example.com', 'none +1.example.com.'],
  ['_WildCard_.example.com', 'none _WILDCARD_.example.com.'],
];

for (const [text, meaning] of readable) {
  test(`${text} means ${meaning}`, () => assert.equal(shown(text), meaning));
}

for (const text of [
  '',
  '..',
  'a..b',
  '.a',
  'a.*.b',
  '*.a.*',
  '*.*.a',
  'a.*.*',
  '*..',
  '*..a',
  '.*',
  '+..a',
  '+.a.*',
  '+.*.a',
  'a\\',
  'a\\99.b',
  `${'a'.repeat(64)}.b`,
  `*.${'a'.repeat(64)}`,
  Array(130).fill('a').join('.'),
]) {
  test(`${JSON.stringify(text.slice(0, 40))} is not a name`, () =>
    assert.equal(readNameSpan(text), undefined));
}

test('any text is parsed or rejected without a crash', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('*', '+', '.', '\\', 'a', '0', '4', '2') }),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(text, (sent) => {
      const spanned = readNameSpan(sent);
      if (spanned?.span === 'none') assert.deepEqual(spanned.name, parseName(sent));
    }),
    { numRuns: 2000 },
  );
});

test('a leading or trailing wildcard changes the span and not the name', () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
  const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(name, fc.constantFrom('', '.'), (text, dot) => {
      const wire = parseName(text) as Uint8Array;
      assert.deepEqual(readNameSpan(`*.${text}${dot}`), { name: wire, span: 'below' });
      assert.deepEqual(readNameSpan(`+.${text}${dot}`), { name: wire, span: 'child' });
      assert.deepEqual(readNameSpan(`${text}.*${dot}`), { name: wire, span: 'right' });
    }),
  );
});
