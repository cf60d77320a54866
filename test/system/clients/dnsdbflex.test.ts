/**
 * Flexible searches of dnsdbflex 1.0.7: its requests byte for byte, and the program itself where it is installed. No Debian package has
 * it, so the variable `DNSDBFLEX` may name it.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import { linesOf } from '../../api/pdns/pdns-fixture.ts';
import { commandPath, needsPackage } from '../../harness/debian-package.ts';
import { dnsdbq, recordsOf, runClient } from '../../harness/server/dnsdbq.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { clientWorld, replayer } from './client-world.ts';

const world = await clientWorld({ after });
const replay = replayer(world, 'dnsdbflex.http');

const names = (...numbers: number[]) => numbers.map((number) => `h${number}.hosts.example.`);
const spf = '0B763D73706631202D616C6C';
const mx = '000A046D61696C076578616D706C65036E657400';

test('its requests find what their patterns say, with an exclusion that is not escaped', async () => {
  const found = async (name: string) => {
    const lines = linesOf((await replay(name)).text);
    return lines.filter(({ obj }) => obj).map(({ obj }) => obj.rrname ?? obj.rdata);
  };
  assert.deepEqual(await found('regex'), names(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  assert.deepEqual(await found('glob, type, limit and offset'), names(2, 3, 4));
  assert.deepEqual(await found('exclude with a plus'), []);
  assert.deepEqual(await found('rdata'), ['"v=spf1 -all"']);
  assert.deepEqual(await found('quoted text'), ['"v=spf1 -all"']);
  assert.deepEqual(await found('times'), names(0, 1, 2, 3));
  assert.deepEqual(await found('complete times'), names(2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  assert.equal((await replay('malformed pattern')).status, 400);
});

/** The program, or undefined where the test is skipped. */
function programFor(t: TestContext): string | undefined {
  const program = process.env['DNSDBFLEX'] ?? commandPath('dnsdbflex');
  if (program !== undefined && existsSync(program)) return program;
  t.skip('skipped: no dnsdbflex; the variable DNSDBFLEX may name it');
  return undefined;
}

/** Runs it with words for a shell, and returns its lines of output and what it says of the query. */
function runner(t: TestContext, program: string, key = world.user.key) {
  const needs = { server: `http://127.0.0.1:${world.port}`, key, home: temporaryDirectory(t) };
  return async (words: string) => {
    const { code, out, err } = await runClient(program, words, needs);
    assert.equal(code, 0, err);
    return { lines: out.split('\n').slice(0, -1), said: err.trimEnd().split('\n').at(-1) ?? '' };
  };
}

const namesFound: readonly (readonly [words: string, names: readonly string[]])[] = [
  ["--regex '^h[0-9]\\.hosts\\.example\\.$'", names(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)],
  ["--regex 'H1[01]?[.]HOSTS'", names(1, 10, 11)],
  ["--glob 'h?.hosts.*' -t A -l 3 -O 2", names(2, 3, 4)],
  ["--glob 'h1*.hosts.example.'", names(1, 10, 11)],
  ["--glob 'h[!2-9].hosts.example.' -s rrnames", names(0, 1)],
  ["--regex 'hosts' --exclude '^h[2-9]|^h1[0-9]+'", names(0, 1)],
  ["--glob 'h*.hosts.*' --exclude 'h1*' -l 2", names(0, 2)],
  ['--regex hosts -t AAAA', []],
  ["--glob 'h*.hosts.example.' -A 2020-09-26 -B 2020-10-20", names(0, 1, 2, 3)],
  ["--glob 'h*.hosts.example.' -c -B '2021-05-04 00:00:00' -A 2020-12-20", names(9, 10, 11)],
  ['--regex hosts -A 2021-05-04', []],
  ["--regex '^new\\.' -q -U -4", ['new.example.']],
];

test('the program finds names by regex, glob, type, exclusion, limit, offset and time', async (t) => {
  const program = programFor(t);
  if (program === undefined) return;
  const run = runner(t, program);
  for (const [words, expected] of namesFound) {
    const { lines, said } = await run(words);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).rrname),
      expected,
      `${words}: ${said}`,
    );
  }
});

test('the program writes names and data as JSON, as a batch, and as a batch without repetition', async (t) => {
  const program = programFor(t);
  if (program === undefined) return;
  const run = runner(t, program);
  const lines = async (words: string) => (await run(words)).lines;
  assert.deepEqual(await lines("--glob 'www.example.*' -j --mode terse"), [
    '{"rrname":"www.example.com.","rrtype":"A"}',
  ]);
  assert.deepEqual(await lines("--glob 'example.com.' -F"), [
    'rrset/name/example.com./NS',
    'rrset/name/example.com./MX',
    'rrset/name/example.com./TXT',
  ]);
  assert.deepEqual(await lines("--glob 'example.com.' -T -l 2"), [
    'rrset/name/example.com.',
    '# rrset/name/example.com./NS',
    '# rrset/name/example.com./MX',
  ]);
  assert.deepEqual(await lines("-s rdata --regex 'spf1 -all' -j"), [
    `{"rdata":"\\"v=spf1 -all\\"","rrtype":"TXT","raw_rdata":"${spf}"}`,
  ]);
  assert.deepEqual(await lines("-s d --glob '*.example.net.' -F"), [
    `rdata/raw/${mx}/MX`,
    '# rdata/name/10 mail.example.net./MX',
    'rdata/name/ns1.example.net./NS',
    'rdata/name/ns2.example.net./NS',
  ]);
  assert.deepEqual(await lines('-s rdata --glob \'"v=*"\' -t TXT -T'), [
    `rdata/raw/${spf}`,
    '# rdata/name/"v=spf1 -all"/TXT',
  ]);
});

test('the batch that the program writes is looked up by dnsdbq', { timeout: 900_000 }, async (t) => {
  const program = programFor(t);
  if (program === undefined || !needsPackage(t, 'dnsdbq', 'dnsdbq')) return;
  const batch = await runner(t, program)("-s rdata --regex 'example[.]net|spf1' -F");
  const needs = {
    server: `http://127.0.0.1:${world.port}`,
    key: world.user.key,
    home: temporaryDirectory(t),
  };
  const answered = await dnsdbq('-f -j', { ...needs, input: `${batch.lines.join('\n')}\n` });
  assert.deepEqual(
    recordsOf(answered)
      .map(({ rrname, rrtype, rdata }) => [rrname, rrtype, ...[rdata].flat()].join(' '))
      .sort(),
    [
      'example.com. MX 10 mail.example.net.',
      'example.com. NS ns1.example.net.',
      'example.com. NS ns2.example.net.',
      'example.com. TXT "v=spf1 -all"',
    ],
  );
});

test('the program says why a search has no results', async (t) => {
  const program = programFor(t);
  if (program === undefined) return;
  const said = async (words: string, key?: string) => (await runner(t, program, key)(words)).said;
  assert.equal(await said('--regex nothing-like-it'), 'Query status: NOERROR (no results found for query.)');
  assert.match(await said("--regex 'a('"), /^Query status: ERROR \(Error: pattern: .+\)$/);
  assert.match(await said('--regex a -t A6X'), /^Query status: ERROR \(Error: rrtype: .+\)$/);
  assert.match(await said('--regex a -O 9000000'), /^Query status: ERROR \(Error: offset value greater than/);
  assert.equal(await said('--regex a', 'wrong'), 'Query status: ERROR (Error: the API key is not valid)');
  const quota = { type: 'time', limit: 1, period: 86_400 } as const;
  const { key } = await world.server.user({ pdns: { quota, allowedAddresses: [], apiVersions: [2] } });
  assert.equal(await said("--regex '^www'", key), '');
  assert.equal(await said("--regex '^www'", key), 'Query status: ERROR (Error: Rate limit exceeded)');
});
