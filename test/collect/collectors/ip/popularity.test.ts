import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Popularity, readPopularity } from '../../../../src/collect/collectors/ip/popularity.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

test('ranks of many names are found, from a plain and from a compressed list', async (t) => {
  const directory = temporaryDirectory(t);
  const names = Array.from({ length: 60_000 }, (_, index) => `site-${index * 7}.example${index % 13}.com`);
  const text = `rank,domain\n${names.map((name, index) => `${index + 1},${name}\r\n`).join('')}`;
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    const path = join(directory, `list${bytes.length}`);
    writeFileSync(path, bytes);
    const table = await readPopularity(path);
    assert.equal(table.size, names.length);
    assert.ok(names.every((name, index) => table.find(name) === index + 1));
    for (const other of ['', 'site-1.example0.com', 'site-0.example0.co', 'xsite-0.example0.com'])
      assert.equal(table.find(other), undefined);
  }
});

test('malformed lines are skipped, names are normalised, and the first rank counts', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  const lines = [
    '5,Example.COM',
    '6,example.com',
    '0,zero.com',
    'x',
    ',',
    '7,',
    '8,a b',
    '9,bücher.example',
    `10,${'a'.repeat(9000)}`,
    '11,last.com',
  ];
  writeFileSync(path, lines.join('\n'));
  const table = await readPopularity(path);
  assert.equal(table.find('example.com'), 5);
  assert.equal(table.find('xn--bcher-kva.example'), 9);
  assert.equal(table.find('last.com'), 11);
  assert.equal(table.find('zero.com'), undefined);
  const empty = join(temporaryDirectory(t), 'empty');
  writeFileSync(empty, '');
  assert.equal((await readPopularity(empty)).find('example.com'), undefined);
});

test('a replaced list is loaded again, and a deleted one keeps its ranks', async (t) => {
  const path = join(temporaryDirectory(t), 'list');
  writeFileSync(path, '1,one.com\n');
  const errors: unknown[] = [];
  const popularity = new Popularity(path, (error) => errors.push(error));
  const rankOf = async (name: string, nowMs: number) => (await popularity.findTable(nowMs))?.find(name);
  assert.equal(await rankOf('one.com', 0), 1);
  writeFileSync(path, '22,one.com\n333,two.com\n');
  assert.equal(await rankOf('one.com', 59_999), 1);
  while ((await rankOf('one.com', 60_000)) === 1) await new Promise(setImmediate);
  assert.equal(await rankOf('one.com', 60_000), 22);
  renameSync(path, `${path}.gone`);
  assert.equal(await rankOf('one.com', 120_000), 22);
  while (errors.length === 0) await new Promise(setImmediate);
  assert.equal(await rankOf('two.com', 120_001), 333);
});
