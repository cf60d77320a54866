import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../../src/model/problem.ts';
import { addressOf, dnsdbqLine } from '../../../../src/product/pdns/question/question-lines.ts';
import { queryOf } from '../../../../src/product/pdns/question/question-query.ts';
import { readQuestion } from '../../../../src/product/pdns/question/read-question.ts';

const options = { verb: 'lookup', limit: 100 } as const;

const typed: readonly (readonly [text: string, form: string, path: string])[] = [
  ['example.com', 'name', 'rrset/name/example.com'],
  ['  WWW.example.com. ', 'name', 'rrset/name/WWW.example.com.'],
  ['bücher.example', 'name', 'rrset/name/xn--bcher-kva.example'],
  ['_dmarc.example.com', 'name', 'rrset/name/_dmarc.example.com'],
  ['*.example.com', 'below', 'rrset/name/*.example.com'],
  ['*.bücher.example', 'below', 'rrset/name/*.xn--bcher-kva.example'],
  ['+.example.com', 'child', 'rrset/name/+.example.com'],
  ['www.example.*', 'prefix', 'rrset/name/www.example.*'],
  ['192.0.2.1', 'address', 'rdata/ip/192.0.2.1'],
  ['2001:db8::1', 'address', 'rdata/ip/2001:db8::1'],
  ['192.0.2.0/24', 'network', 'rdata/ip/192.0.2.0,24'],
  ['192.0.2.1 - 192.0.2.9', 'range', 'rdata/ip/192.0.2.1-192.0.2.9'],
  ['*pay*', 'glob', 'glob/rrnames/*pay*'],
  ['pay?al.example', 'glob', 'glob/rrnames/pay?al.example.'],
  ['*.pay*.com', 'glob', 'glob/rrnames/*.pay*.com.'],
  ['www*.example.com', 'glob', 'glob/rrnames/www*.example.com.'],
  ['/^pay[a-z]+\\.com\\.$/', 'regex', 'regex/rrnames/^pay[a-z]+\\.com\\.$'],
  ['glob:v=spf1 *', 'glob', 'glob/rrnames/v=spf1 *'],
];

for (const [text, form, path] of typed) {
  test(`what is typed as ${text.trim()} is understood as ${form}`, () => {
    const question = readQuestion({ text, side: 'names' });
    assert.deepEqual([question.form, question.path.join('/')], [form, path]);
    queryOf(question, options, 0);
  });
}

test('the other side asks for records that have the name or the text as data', () => {
  const pathOf = (text: string, type?: string) =>
    readQuestion({ text, side: 'data', ...(type ? { type } : {}) }).path.join('/');
  assert.equal(pathOf('ns1.example.com', 'NS'), 'rdata/name/ns1.example.com/NS');
  assert.equal(pathOf('/spf1/', 'TXT'), 'regex/rdata/spf1/TXT');
  assert.equal(pathOf('192.0.2.1', 'A'), 'rdata/ip/192.0.2.1');
});

test('what cannot be asked is refused, and the field is named', () => {
  for (const text of [
    '',
    '  ',
    'a b.example',
    'a..example',
    `${'x'.repeat(64)}.example`,
    '192.0.2.0/40',
    '..',
    'x'.repeat(5000),
  ])
    assert.throws(
      () => readQuestion({ text, side: 'names' }),
      (error: Problem) => error.fields?.['q'] !== undefined,
      text,
    );
});

test('whatever is typed is a question that the API understands, or a problem', () => {
  const typedText = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[*+?.a-z0-9/:,[\]-]{1,20}$/),
  );
  const property = fc.property(
    typedText,
    fc.constantFrom('names' as const, 'data' as const),
    (text, side) => {
      try {
        queryOf(readQuestion({ text, side }), options, 1_700_000_000);
      } catch (error) {
        assert.ok(error instanceof Problem, String(error));
      }
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('the same question for curl and dnsdbq', () => {
  const lines = (text: string, more: object = {}, type?: string) => {
    const question = readQuestion({ text, side: 'names', ...(type ? { type } : {}) });
    return [addressOf(question, { ...options, ...more }), dnsdbqLine(question, { ...options, ...more })];
  };
  assert.deepEqual(lines('*.example.com', { fromSeconds: 5, toSeconds: 9 }, 'A'), [
    '/pdns/v2/lookup/rrset/name/*.example.com/A?limit=100&time_last_after=5&time_first_before=9',
    "dnsdbq -r '*.example.com/A' -A 5 -B 9 -l 100",
  ]);
  assert.deepEqual(lines('192.0.2.0/24', { raw: true }), [
    '/pdns/v2/lookup/rdata/ip/192.0.2.0%2C24?limit=100&aggr=false',
    'dnsdbq -i 192.0.2.0/24 -g -l 100',
  ]);
  assert.deepEqual(lines('example.com', { verb: 'summarize' }), [
    '/pdns/v2/summarize/rrset/name/example.com?limit=100',
    'dnsdbq -r example.com -V summarize -l 100',
  ]);
  assert.deepEqual(lines("/it's/"), [
    "/pdns/v2/regex/rrnames/it's?limit=100&verbose=true",
    String.raw`dnsdbflex --regex 'it'\''s' -s rrnames -l 100`,
  ]);
});
