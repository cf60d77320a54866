import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  paddingOf,
  parseHeader,
  tarEnd,
  tarHeaders,
} from '../../../../src/store/embedded/backup/tar-format.ts';
import { readTar } from '../../../../src/store/embedded/backup/tar-reader.ts';

async function* one(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield Buffer.concat(parts);
}

async function filesIn(archive: AsyncIterable<Uint8Array>): Promise<[path: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const { path, chunks } of readTar(archive)) {
    let text = '';
    for await (const chunk of chunks) text += Buffer.from(chunk).toString();
    found.push([path, text]);
  }
  return found;
}

function archived(path: string, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([
    tarHeaders({ path, bytes: bytes.length }, 0),
    bytes,
    Buffer.alloc(paddingOf(bytes.length)),
  ]);
}

test('files of an archive are read as they were written, whatever the length of their names', async () => {
  const files: [string, string][] = [
    ['data/a', 'text'],
    [`data/${'long/'.repeat(40)}name`, 'x'.repeat(512)],
    ['data/grün', ''],
  ];
  const archive = Buffer.concat([...files.map(([path, text]) => archived(path, text)), tarEnd]);
  assert.deepEqual(await filesIn(one(archive)), files);
});

test('a size beyond 8 GiB is in a header of its own', async () => {
  const bytes = 9 * 2 ** 30;
  const files = readTar(one(tarHeaders({ path: 'data/large', bytes }, 0)));
  assert.equal((await files.next()).value?.bytes, bytes);
});

test('a header with a flipped bit is refused', () => {
  const header = tarHeaders({ path: 'data/a', bytes: 4 }, 0);
  header[3] = (header[3] as number) ^ 1;
  assert.throws(() => parseHeader(header), /does not match its checksum/);
});

test('a link or a device in an archive is refused', async () => {
  const header = tarHeaders({ path: 'data/a', bytes: 0 }, 0);
  header.write('2', 156);
  header.write(' '.repeat(8), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  await assert.rejects(filesIn(one(header, tarEnd)), /data\/a is not a file/);
});

test('an archive that ends without its last blocks is refused', async () => {
  await assert.rejects(filesIn(one(archived('data/a', 'text'))), /it ends too early/);
});
