import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

interface Line {
  readonly domain: string;
  readonly term: string;
  readonly class: string;
  readonly unicode?: string;
}

function fileOf(t: TestContext, content: string | Buffer, name = 'names.txt'): string {
  const path = join(temporaryDirectory(t), name);
  writeFileSync(path, content);
  return path;
}

function linesOf(out: string): Line[] {
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

test('one line is printed for each match, with domain, term and class', async (t) => {
  const names = fileOf(t, 'secure-paypa1-login.com\nexample.org\nPayPal.com.evil.top\n');
  const { code, out, err } = await nameglass(['match', '--term', 'paypal', names]);
  assert.equal(code, 0, err);
  assert.deepEqual(
    linesOf(out).map((line) => [line.domain, line.term, line.class]),
    [
      ['secure-paypa1-login.com', 'paypal', 'leet'],
      ['paypal.com.evil.top', 'paypal', 'subdomain'],
    ],
  );
});

test('terms are read from a file and from flags, names from a compressed file without a final newline', async (t) => {
  const names = fileOf(t, gzipSync('acmebank.top\npaypal.shop'), 'names.gz');
  const terms = fileOf(t, 'acmebank\n\nhp\n', 'terms.txt');
  const { out, err } = await nameglass(['match', '--terms', terms, '--term', 'paypal', names]);
  assert.deepEqual(
    linesOf(out).map(({ domain, term }) => `${domain} ${term}`),
    ['acmebank.top acmebank', 'paypal.shop paypal'],
  );
  assert.match(err, /^1 of the 2 terms in .* are skipped\n$/);
});

test('variations inside longer labels are found with --substring-variations', async (t) => {
  const names = fileOf(t, 'mypaypqlaccount.com\n');
  const found = async (...more: string[]) =>
    linesOf((await nameglass(['match', '--term', 'paypal', ...more, names])).out).length;
  assert.equal(await found(), 0);
  assert.equal(await found('--substring-variations'), 1);
});

test('a name in punycode is also printed in Unicode', async (t) => {
  const { out } = await nameglass(['match', '--term', 'paypal', fileOf(t, 'xn--pypal-4ve.com\n')]);
  const [line] = linesOf(out);
  assert.deepEqual(
    [line?.domain, line?.unicode, line?.class],
    ['xn--pypal-4ve.com', 'pаypal.com', 'homoglyph'],
  );
});

test('hostile lines are skipped, and the lines after them are read', async (t) => {
  const hostile = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    Buffer.alloc(300_000, 'a'),
    Buffer.from('\n\n..\nxn--\npaypal.top\n'),
  ]);
  const { code, out, err } = await nameglass(['match', '--term', 'paypal', fileOf(t, hostile)]);
  assert.equal(code, 0, err);
  assert.deepEqual(
    linesOf(out).map(({ domain }) => domain),
    ['paypal.top'],
  );
});

test('a summary goes to standard error', async (t) => {
  const { err } = await nameglass([
    'match',
    '--term',
    'paypal',
    '--summary',
    fileOf(t, 'paypal.top\nx.org\n'),
  ]);
  assert.match(err, /^2 names, 1 matches\n/);
});

for (const [what, args, code, said] of [
  ['no term', [], 2, /--term/],
  ['a term of two characters', ['--term', 'ab'], 2, /at least 3 characters/],
  ['a file of terms that is not there', ['--terms', '/nowhere/terms'], 1, /terms/],
] as const) {
  test(`${what} is reported in one line`, async (t) => {
    const answer = await nameglass(['match', ...args, fileOf(t, 'a.org\n')]);
    assert.equal(answer.code, code);
    assert.match(answer.err, said);
    assert.equal(answer.out, '');
  });
}

test('match does not create a data directory', async (t) => {
  const data = join(temporaryDirectory(t), 'data');
  await nameglass(['match', '--term', 'paypal', fileOf(t, 'a.org\n'), '--data', data]);
  assert.equal(existsSync(data), false);
});
