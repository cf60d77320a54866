import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { openDomainStore } from '../../../../src/store/embedded/domain-store.ts';
import { nameglass, type Outcome, type RunOptions } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { TestClock } from '../../../harness/test-clock.ts';

const two =
  '{"domain":"a.example","registrar":"R"}\n{"domain":"Bücher.example","ip":[{"address":"192.0.2.1"}]}\n';

const importing = (data: string, words: string, options?: RunOptions): Promise<Outcome> =>
  nameglass(['import', 'records', '--data', data, ...words.split(' ')], options);

async function held(data: string, ...names: string[]) {
  const domains = openDomainStore(data, new TestClock());
  try {
    const records = await domains.findRecords(names);
    const changes = await domains.listChanges(names[0] ?? '', { limit: 10 });
    return { records, sources: changes.map(({ source }) => source) };
  } finally {
    await domains.close();
  }
}

test('records from standard input are stored under their punycode names', async (t) => {
  const data = temporaryDirectory(t);
  const { code, out, err } = await importing(data, '-', { input: two });
  assert.deepEqual([code, out, err], [0, 'imported: 2 records added, 0 changed, 0 unchanged\n', '']);
  const { records } = await held(data, 'a.example', 'xn--bcher-kva.example');
  assert.deepEqual([records[0]?.registrar, records[1]?.ip?.[0]?.address], ['R', '192.0.2.1']);
});

test('the example in docs/api/record.md can be imported', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/api/record.md'), 'utf8');
  const input = /^echo '(.*)' \| nameglass import records -$/m.exec(page)?.[1] ?? '';
  const { code, out } = await importing(temporaryDirectory(t), '-', { input });
  assert.deepEqual([code, out], [0, 'imported: 1 record added, 0 changed, 0 unchanged\n']);
});

test('repeating an import changes nothing, and a different record replaces the old one', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'records');
  for (const [pack, expected] of [
    [gzipSync, { read: 2, added: 2, changed: 0, unchanged: 0, malformed: 0 }],
    [zstdCompressSync, { read: 2, added: 0, changed: 0, unchanged: 2, malformed: 0 }],
  ] as const) {
    writeFileSync(file, pack(two));
    assert.deepEqual(JSON.parse((await importing(data, `${file} --json`)).out), expected);
  }
  const other = await importing(data, '- --json --source zone-walk', {
    input: '{"domain":"a.example","registrar":"Other"}\n',
  });
  assert.deepEqual(JSON.parse(other.out), { read: 1, added: 0, changed: 1, unchanged: 0, malformed: 0 });
  const { records, sources } = await held(data, 'a.example');
  assert.deepEqual([records[0]?.registrar, sources[0]], ['Other', 'zone-walk']);
});

test('malformed lines are reported with their number and every reason, and skipped', async (t) => {
  const data = temporaryDirectory(t);
  const input = `nonsense\n\n[1]\n{"domain":"c.example","colour":"red","ip":[{"address":"x"}]}\n${two}`;
  const { code, out, err } = await importing(data, '-', { input });
  assert.deepEqual(
    [code, out],
    [0, 'imported: 2 records added, 0 changed, 0 unchanged; 3 malformed lines skipped\n'],
  );
  assert.equal(
    err,
    'line 1: is not valid JSON\nline 3: is not a JSON object\n' +
      'line 4: colour: is not a member of a record; ip[0].address: must be an IP address\n',
  );
});

test('more records than fit into one batch are all stored, and the last record of a domain wins', async (t) => {
  const data = temporaryDirectory(t);
  const lines = Array.from(
    { length: 5000 },
    (_, index) => `{"domain":"n${index % 4500}.example","registrar":"R${index}"}`,
  );
  const { out } = await importing(data, '- --json', { input: lines.join('\n') });
  const { read, added, changed, unchanged } = JSON.parse(out);
  assert.deepEqual([read, added, added + changed + unchanged], [5000, 4500, 5000]);
  const { records } = await held(data, 'n0.example', 'n499.example', 'n4499.example');
  assert.deepEqual(
    records.map((record) => record?.registrar),
    ['R4500', 'R4999', 'R4499'],
  );
});

const misuses: readonly (readonly [words: string, input: string, code: number, says: RegExp])[] = [
  ['-', 'nonsense\n{"domain":7}\n', 1, /no line of - could be read/],
  ['/nonexistent/file', '', 1, /there is no file/],
  ['- --source \u0007', two, 2, /Expected a name/],
  ['- --faults-shown x', two, 2, /Expected a whole number/],
];
for (const [words, input, expected, says] of misuses) {
  test(`import records ${JSON.stringify(words)} gives exit code ${expected} and stores nothing`, async (t) => {
    const data = temporaryDirectory(t);
    const { code, err } = await importing(data, words, { input });
    assert.deepEqual([code, says.test(err)], [expected, true], err);
    if (existsSync(join(data, 'domains')))
      assert.deepEqual((await held(data, 'a.example')).records, [undefined]);
  });
}

test('an empty input imports nothing and is no error', async (t) => {
  const data = temporaryDirectory(t);
  const { code, out } = await importing(data, '-', { input: '\n\n' });
  assert.deepEqual([code, out], [0, 'imported: 0 records added, 0 changed, 0 unchanged\n']);
});
