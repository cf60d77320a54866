import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import * as fc from 'fast-check';
import { readPage } from '../../../../src/collect/collectors/web/read-page.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

const titles: readonly (readonly [page: string, title: string])[] = [
  ['<title>Sign in</title>', 'Sign in'],
  ['<TITLE lang=en >\n  Sign &amp; in&#33;\t</TITLE >', 'Sign & in!'],
  ['<html><head><title>One</title><title>Two</title>', 'One'],
  ['<svg><title>Icon</title></svg><title>Page</title>', 'Page'],
  ['<svg/><title>Page</title>', 'Page'],
  ['<!-- <title>No</title> --><script>"<title>No</title>"</script><title>Yes</title>', 'Yes'],
  ['<title><script>alert(1)</script></title>', '<script>alert(1)</script>'],
  ['<title>a\u001b[31mb\u0000c</title>', 'a [31mb c'],
  ['<title>never closed', 'never closed'],
  ['<title></title><title>late</title>', ''],
  ['<p>no title</p>', ''],
  [`<title>${'long '.repeat(5000)}</title>`, 'long '.repeat(103).slice(0, 512).trim()],
];

for (const [page, title] of titles) {
  test(`the title of ${JSON.stringify(page.slice(0, 60))} is its first one, on one line`, async () => {
    assert.equal((await readPage(page, 'x.example')).title, title);
  });
}

const refreshes: readonly (readonly [content: string, to: string | undefined])[] = [
  ['0; url=https://other.example/', 'https://other.example/'],
  ['0;URL="/next"', '/next'],
  ["5 , url = '/next' and more", '/next'],
  ['1.5; /next', '/next'],
  ['; url=/next', '/next'],
  ['30', undefined],
  ['3600; url=/', undefined],
  ['nonsense', undefined],
  ['', undefined],
];

for (const [content, to] of refreshes) {
  test(`a refresh of ${JSON.stringify(content)} sends visitors to ${to ?? 'nowhere'}`, async () => {
    const page = `<meta content="${content.replaceAll('"', '&quot;')}" http-equiv="Refresh">`;
    assert.equal((await readPage(page, 'x.example')).refreshTo, to);
  });
}

test('a refresh inside noscript is ignored', async () => {
  const page = '<noscript><meta http-equiv=refresh content="0;url=/plain"></noscript>';
  assert.equal((await readPage(page, 'x.example')).refreshTo, undefined);
});

test('any text can be read as a page', async () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      '<title>',
      '</title>',
      '<script>',
      '</script',
      '<!--',
      '-->',
      '<svg',
      '&amp',
      '&#x',
      '"',
      '>',
    ),
    fc.constantFrom(
      '<meta http-equiv="refresh" content="',
      '<plaintext>',
      '<![CDATA[',
      '<?',
      '<!doctype',
      '=',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const { title, refreshTo = '' } = await readPage(pieces.join(''), 'x.example');
      assert.ok(title.length <= 512 && title.isWellFormed() && refreshTo.length <= 4096);
    }),
  );
});

/** How often the event loop ran in the meantime. */
async function yieldsWhile(work: Promise<unknown>): Promise<number> {
  let yields = 0;
  const count = async (): Promise<'waiting'> => {
    await yieldToEventLoop();
    yields += 1;
    return 'waiting';
  };
  const over = work.then(() => 'over' as const);
  while ((await Promise.race([over, count()])) === 'waiting');
  return yields;
}

const great = 800_000;
const hostile: readonly (readonly [what: string, unit: string])[] = [
  ['tags that are never closed', '<b>'],
  ['closing tags of nothing', '</i>'],
  ['attributes', '<a b=c '],
  ['one attribute', 'x'],
  ['addresses', '<script>"//aaaa.bb/" matomo '],
  ['entities', '<title>&lt;'],
];

for (const [what, unit] of hostile) {
  test(`a large page of ${what} does not block the event loop`, async () => {
    const text = `<a title="${unit.repeat(great / unit.length)}`;
    const plain = unit.repeat(great / unit.length);
    assert.ok((await yieldsWhile(readPage(text, 'x.example'))) > 20);
    assert.ok((await yieldsWhile(readPage(plain, 'x.example'))) > 20);
  });
}
