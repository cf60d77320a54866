/** The conformance suite of archive stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import type { ArchiveFile, ArchiveStore, FileSelection } from '../../src/store/archive-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenArchiveStore = (t: TestContext) => () => ArchiveStore;

const madeMs = Date.parse('2026-02-20T18:01:12Z');

export const hourName = (day: string, hour: number, archive = 'nod') => {
  const [from, to] = [hour, hour + 1].map((number) => `${String(number).padStart(2, '0')}00`);
  return `${archive}/${day}/${archive}-${day.replaceAll('-', '')}.${from}-${to}.json.gz`;
};

export async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function never(): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => assert.fail('the content was read') };
}

const add = (store: ArchiveStore, name: string, text: string) => store.addFile(name, chunks(text), madeMs);

const list = (store: ArchiveStore, selection: Partial<FileSelection> = {}) =>
  store.listFiles({ archive: 'nod', prefix: '', skip: 0, limit: 100, ...selection });

async function names(store: ArchiveStore, selection?: Partial<FileSelection>): Promise<string[]> {
  return (await list(store, selection)).map(({ name }) => name);
}

export async function textOf(store: ArchiveStore, name: string, from = 0, to?: number): Promise<string> {
  const open = (await store.openFile(name)) ?? assert.fail(`${name} is missing`);
  const read: Buffer[] = [];
  try {
    for await (const chunk of open.read(from, to ?? open.file.bytes)) read.push(Buffer.from(chunk));
  } finally {
    await open.close();
  }
  return Buffer.concat(read).toString();
}

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

export function archiveStoreConformance(name: string, open: OpenArchiveStore): void {
  describe(`${name} as an archive store`, () => {
    adding(open);
    listing(open);
    reading(open);
    pruning(open);
    hostileNames(open);
  });
}

function adding(open: OpenArchiveStore): void {
  test('an added file has its size, checksum and time, in every process and after a restart', async (t) => {
    const handle = open(t);
    const name = hourName('2026-02-20', 17);
    await handle().addFile(name, chunks('one\n', 'two\n'), madeMs);
    const expected: ArchiveFile = { name, bytes: 8, sha256: sha256('one\ntwo\n'), modifiedMs: madeMs };
    const other = handle();
    assert.deepEqual(await other.findFile(name), expected);
    assert.deepEqual(await list(other), [expected]);
    assert.equal(await textOf(other, name), 'one\ntwo\n');
  });

  test('a file under an existing name stays unchanged, and the new content is not read', async (t) => {
    const [store, name] = [open(t)(), hourName('2026-02-20', 17)];
    await add(store, name, 'first');
    await store.addFile(name, never(), madeMs + 1);
    assert.equal(await textOf(store, name), 'first');
    assert.equal((await store.findFile(name))?.modifiedMs, madeMs);
  });

  test('of several files added concurrently under one name one is kept, with its own checksum', async (t) => {
    const handle = open(t);
    const [one, other, name] = [handle(), handle(), hourName('2026-02-20', 17)];
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => add(index % 2 ? one : other, name, `contents ${index}`)),
    );
    const text = await textOf(one, name);
    assert.match(text, /^contents \d+$/);
    assert.equal((await other.findFile(name))?.sha256, sha256(text));
    assert.equal((await list(other)).length, 1);
  });

  test('when reading the content fails nothing is added, and the file can be added again', async (t) => {
    const [store, name] = [open(t)(), hourName('2026-02-20', 17)];
    const failing = async function* () {
      yield Buffer.from('half of');
      throw new Error('the source is gone');
    };
    await assert.rejects(store.addFile(name, failing(), madeMs), /the source is gone/);
    assert.deepEqual([await store.findFile(name), await list(store)], [undefined, []]);
    await add(store, name, 'all of it');
    assert.equal(await textOf(store, name), 'all of it');
  });

  test('an empty file is a file', async (t) => {
    const [store, name] = [open(t)(), hourName('2026-02-20', 17)];
    await store.addFile(name, chunks(), madeMs);
    assert.deepEqual([(await store.findFile(name))?.bytes, await textOf(store, name)], [0, '']);
  });
}

function listing(open: OpenArchiveStore): void {
  const filled = async (t: TestContext) => {
    const store = open(t)();
    const all = [
      ...[22, 23].map((hour) => hourName('2026-02-28', hour)),
      ...[0, 1, 9, 10, 23].map((hour) => hourName('2026-03-01', hour)),
      hourName('2026-03-12', 5),
    ];
    for (const name of [...all, hourName('2026-03-01', 3, 'noh')]) await add(store, name, name);
    return { store, newestFirst: all.toReversed() };
  };

  test('files are listed newest first, without those of other archives', async (t) => {
    const { store, newestFirst } = await filled(t);
    assert.deepEqual(await names(store), newestFirst);
    assert.deepEqual(await names(store, { archive: 'noh' }), [hourName('2026-03-01', 3, 'noh')]);
    assert.deepEqual(await names(store, { archive: 'nad' }), []);
  });

  test('pages of any size make up the whole list, without gaps or repeats', async (t) => {
    const { store, newestFirst } = await filled(t);
    for (const limit of [1, 2, 3, 5, 8, 9]) {
      const pages: string[] = [];
      for (let skip = 0; skip < newestFirst.length + limit; skip += limit) {
        const page = await names(store, { skip, limit });
        assert.ok(page.length <= limit);
        pages.push(...page);
      }
      assert.deepEqual(pages, newestFirst, `in pages of ${limit}`);
    }
  });

  test('a prefix selects files by what follows the archive in their names', async (t) => {
    const { store, newestFirst } = await filled(t);
    for (const prefix of [
      '2026-',
      '2026-02-',
      '2026-03-1',
      '2026-03-01',
      '2026-03-01/nod-20260301.1',
      '2027',
      'x',
    ]) {
      const expected = newestFirst.filter((name) => name.startsWith(`nod/${prefix}`));
      assert.deepEqual(await names(store, { prefix }), expected, prefix);
    }
    assert.deepEqual(await names(store, { prefix: '2026-03-01', skip: 4, limit: 9 }), [
      hourName('2026-03-01', 0),
    ]);
  });

  test('a file that another process has added is in the next listing', async (t) => {
    const handle = open(t);
    const [one, other] = [handle(), handle()];
    await add(one, hourName('2026-02-20', 16), 'a');
    assert.equal((await list(other)).length, 1);
    await add(one, hourName('2026-02-20', 17), 'b');
    assert.equal((await list(other)).length, 2);
  });
}

function reading(open: OpenArchiveStore): void {
  test('any byte range of a file can be read', async (t) => {
    const [store, name] = [open(t)(), hourName('2026-02-20', 17)];
    const text = Array.from({ length: 60_000 }, (_, index) => `line ${index}\n`).join('');
    await add(store, name, text);
    for (const [from, to] of [
      [0, text.length],
      [0, 1],
      [1, 1],
      [131_071, 131_073],
      [400_000, text.length],
    ] as const) {
      assert.equal(await textOf(store, name, from, to), text.slice(from, to), `${from}-${to}`);
    }
  });

  test('an open file stays readable when it is pruned', async (t) => {
    const [store, name] = [open(t)(), hourName('2026-02-20', 17)];
    await add(store, name, 'still here');
    const file = (await store.openFile(name)) ?? assert.fail();
    await store.pruneFiles('2026-03-01', madeMs);
    let text = '';
    for await (const piece of file.read(0, file.file.bytes)) text += Buffer.from(piece).toString();
    await file.close();
    assert.equal(text, 'still here');
    assert.equal(await store.openFile(name), undefined);
  });
}

function pruning(open: OpenArchiveStore): void {
  test('pruning removes the days before the given day in every archive, and no others', async (t) => {
    const store = open(t)();
    for (const day of ['2026-02-19', '2026-02-20', '2026-02-21']) {
      for (const archive of ['nod', 'noh']) await add(store, hourName(day, 23, archive), day);
    }
    await store.pruneFiles('2026-02-21', madeMs);
    for (const archive of ['nod', 'noh']) {
      assert.deepEqual(await names(store, { archive }), [hourName('2026-02-21', 23, archive)]);
    }
    assert.equal(await store.findFile(hourName('2026-02-20', 23)), undefined);
    await store.pruneFiles('2026-02-21', madeMs);
  });
}

export const traversals: readonly string[] = [
  '',
  '.',
  '..',
  '../secret.key',
  '../../etc/passwd',
  'nod/../../secret.key',
  'nod/2026-02-20/../../../secret.key',
  'nod/2026-02-20/nod-20260220.1700-1800.json.gz/../../../../secret.key',
  'nod/2026-02-20/nod-20260220.1700-1800.json.gz\0.txt',
  'nod/2026-02-20/nod-20260220.1700-1800.json.gz\n',
  'nod/2026-02-20/.json.gz',
  'nod/2026-02-20/noh-20260220.1700-1800.json.gz',
  'nod/2026-02-20/nod-20260221.1700-1800.json.gz',
  'nod/2026-02-20/nod-20260220.1700-1800.json.gz.sha256',
  'nod\\2026-02-20\\nod-20260220.1700-1800.json.gz',
  '/etc/passwd',
  '//etc/passwd',
  'file:///etc/passwd',
  'nod/%2e%2e/%2e%2e/secret.key',
  'nod/..%2f..%2fsecret.key',
  'nod/..%c0%af..%c0%afsecret.key',
  'NOD/2026-02-20/NOD-20260220.1700-1800.json.gz',
  '.drafts/2026-02-20/.drafts-20260220.json.gz',
  '__proto__/2026-02-20/constructor-20260220.json.gz',
];

function hostileNames(open: OpenArchiveStore): void {
  test('an invalid name does not exist, cannot be added, and never becomes a path', async (t) => {
    const store = open(t)();
    await add(store, hourName('2026-02-20', 17), 'here');
    for (const name of traversals) {
      assert.deepEqual(
        [await store.findFile(name), await store.openFile(name)],
        [undefined, undefined],
        name,
      );
      await assert.rejects(store.addFile(name, never(), madeMs), /is not a valid archive file name/, name);
      assert.deepEqual(await list(store, { archive: name }), [], name);
      assert.deepEqual(
        await names(store, { prefix: name, limit: 1 }),
        name === '' ? [hourName('2026-02-20', 17)] : [],
      );
    }
  });
}
