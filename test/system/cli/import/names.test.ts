import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nameWorld } from '../../../harness/fixtures/name-fixture.ts';
import { nameglass, type Outcome, type RunOptions } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const importing = (data: string, words: string, options?: RunOptions): Promise<Outcome> =>
  nameglass(['import', 'names', '--data', data, ...words.split(' ')], options);

const three = 'www.example.com\n*.Bücher.example\n\n# a remark\nexample.com.\n';

test('FEED-39 names of a list are published once on domaindiscovery, while other processes have the data open', async (t) => {
  const data = temporaryDirectory(t);
  const { intake, published, hosts } = nameWorld(t, data);
  await intake.ingest('ct:one', { names: ['known.example'], seenMs: 0 });
  const input = `${three}login.known.example\n`;
  const { code, out, err } = await importing(data, '- --source partner --seen 2026-01-31', { input });
  assert.deepEqual([code, out, err], [0, 'imported: 4 names, 2 new domains\n', '']);
  assert.deepEqual((await published()).toSorted(), ['example.com', 'known.example', 'xn--bcher-kva.example']);
  assert.deepEqual(await hosts(), ['login.known.example']);
});

test('a list may be compressed, and importing it again changes nothing', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'names.gz');
  writeFileSync(file, gzipSync(three));
  for (const new_domains of [2, 0]) {
    const { out } = await importing(data, `${file} --json`);
    assert.deepEqual(JSON.parse(out), { read: 5, names: 3, new_domains, malformed: 0 });
  }
  const { published } = nameWorld(t, data);
  assert.equal((await published()).length, 2);
});

test('more names than fit into one batch are all published', async (t) => {
  const data = temporaryDirectory(t);
  const input = Array.from({ length: 25_000 }, (_, index) => `n${index % 21_000}.example`).join('\n');
  const { out } = await importing(data, '- --json', { input });
  assert.deepEqual(JSON.parse(out), { read: 25_000, names: 25_000, new_domains: 21_000, malformed: 0 });
  const { published } = nameWorld(t, data);
  assert.equal(new Set(await published()).size, 21_000);
});

test('lines without a name are reported with their number, escaped, and skipped', async (t) => {
  const input = `nonsense\n192.0.2.1\n\u001b[31m.example\n${three}`;
  const { code, out, err } = await importing(temporaryDirectory(t), '- --faults-shown 2', { input });
  assert.deepEqual([code, out], [0, 'imported: 3 names, 2 new domains; 3 malformed lines skipped\n']);
  const reason = 'is not a host or domain name';
  assert.equal(err, `line 1: ${reason}\nline 2: ${reason}\n… and 1 more (--faults-shown N shows more)\n`);
});

const misuses: readonly (readonly [words: string, input: string, code: number, says: RegExp])[] = [
  ['-', 'nonsense\n', 1, /no line of - could be read/],
  ['/nonexistent/file', '', 1, /there is no file/],
  ['- --source \u0007', three, 2, /Expected a name/],
  ['- --seen yesterday', three, 2, /Expected epoch seconds/],
];
for (const [words, input, expected, says] of misuses) {
  test(`import names ${JSON.stringify(words)} gives exit code ${expected}`, async (t) => {
    const { code, err } = await importing(temporaryDirectory(t), words, { input });
    assert.deepEqual([code, says.test(err)], [expected, true], err);
  });
}

test('an empty input imports nothing and is no error', async (t) => {
  const { code, out } = await importing(temporaryDirectory(t), '-', { input: '\n' });
  assert.deepEqual([code, out], [0, 'imported: 0 names, 0 new domains\n']);
});
