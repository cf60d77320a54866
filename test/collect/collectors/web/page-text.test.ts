import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { pageText } from '../../../../src/collect/collectors/web/page-text.ts';

const cases: readonly (readonly [what: string, bytes: Buffer, type: string, text: string])[] = [
  ['the header', Buffer.from('caf\xe9', 'latin1'), 'text/html; charset=iso-8859-1', 'café'],
  ['UTF-8 where nothing is said', Buffer.from('café'), 'text/html', 'café'],
  [
    'the page itself',
    Buffer.from('<meta charset=windows-1251>\xcf\xf0', 'latin1'),
    'text/html',
    '<meta charset=windows-1251>Пр',
  ],
  [
    'the page in its older way',
    Buffer.from(
      '<meta http-equiv=content-type content="text/html; charset=Shift_JIS">\x93\xfa\x96\x7b',
      'latin1',
    ),
    '',
    '<meta http-equiv=content-type content="text/html; charset=Shift_JIS">日本',
  ],
  ['the mark before all', Buffer.from('\ufeffü', 'utf16le'), 'text/html; charset=utf-8', 'ü'],
  ['UTF-8 for an unknown charset', Buffer.from('ü'), 'text/html; charset=klingon', 'ü'],
  [
    'UTF-8 for a page that only says to be UTF-16',
    Buffer.from('<meta charset=utf-16>ü'),
    '',
    '<meta charset=utf-16>ü',
  ],
];

for (const [what, bytes, type, text] of cases) {
  test(`a page is decoded by ${what}`, async () => {
    assert.equal(await pageText(bytes, type), text);
  });
}

test('a multi-byte character across two slices is decoded correctly', async () => {
  const text = `${'a'.repeat(65_535)}€${'日'.repeat(30_000)}`;
  assert.equal(await pageText(Buffer.from(text), ''), text);
});

test('any bytes can be decoded', async () => {
  const types = fc.constantFrom('', 'text/html; charset=gbk', 'text/html; charset=utf-16le', 'charset=big5');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), types, async (bytes, type) => {
      assert.equal(typeof (await pageText(Buffer.from(bytes), type)), 'string');
    }),
  );
});
