import assert from 'node:assert/strict';
import { closeSync, globSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { chunks, hourName } from '../../conformance/archive-store.ts';
import { capture } from '../../conformance/image-store.ts';
import { flipBit } from '../../harness/damage.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

async function filledDirectory(t: TestContext): Promise<string> {
  const data = temporaryDirectory(t);
  const stores = openEmbeddedStores({ data, clock: { now: () => 0 } });
  const line = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(500) })}\n`);
  await stores.streams.append([{ stream: 'feed-nod', bytes: line }], 0);
  await stores.streams.append([{ stream: 'feed-nod', bytes: line }], 60_000);
  await stores.archives.addFile(hourName('2026-02-20', 17), chunks('archived'), 0);
  await stores.images.saveCapture(capture('a.example', 1000, 'pixels'));
  await stores.close();
  return data;
}

test('verify all --json prints one document, of undamaged data and of damaged', async (t) => {
  const data = await filledDirectory(t);
  const run = async () => {
    const { code, out } = await nameglass(['verify', 'all', '--json', '--data', data]);
    return { code, found: JSON.parse(out) };
  };
  assert.deepEqual(await run(), {
    code: 0,
    found: {
      damages: [],
      audit: { entries: 0, damages: [] },
      counts: { records: 0, values: 0, faults: [] },
    },
  });
  flipBit(join(data, globSync('streams/feed-nod/*0000.ndjson', { cwd: data })[0] as string), 2);
  const { code, found } = await run();
  assert.deepEqual([code, found.damages.length, found.damages[0].kind], [1, 1, 'streams']);
});

/** Zeroes what is in the middle: the first page is left alone. */
function zeroPage(path: string): void {
  const pageBytes = 8192;
  const middle = Math.floor(statSync(path).size / pageBytes / 2) * pageBytes;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes), 0, pageBytes, middle);
  closeSync(file);
}

test('verify all finds nothing in undamaged data, with exit code 0', async (t) => {
  const { code, out, err } = await nameglass(['verify', 'all', '--data', await filledDirectory(t)]);
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n').slice(0, 5), [
    'databases: intact',
    'rrsets: intact',
    'streams: intact',
    'archives: intact',
    'images: intact',
  ]);
});

const damages = {
  streams: 'streams/feed-nod/*0000.ndjson',
  archives: 'archives/*/*/*.json.gz',
  images: 'images/*/*.png',
} as const;

for (const [kind, pattern] of Object.entries(damages)) {
  for (const [how, damage] of Object.entries({
    'has a flipped bit': (path: string) => flipBit(path, 3),
    'is missing': (path: string) => rmSync(path),
  })) {
    test(`verify ${kind} and doctor name a file that ${how}, with exit code 1`, async (t) => {
      const data = await filledDirectory(t);
      const path = join(data, globSync(pattern, { cwd: data })[0] as string);
      damage(path);
      const verified = await nameglass(['verify', kind, '--data', data]);
      assert.deepEqual([verified.code, verified.err], [1, '']);
      assert.ok(verified.out.startsWith(path), verified.out);
      assert.match(verified.out, new RegExp(`\\n${kind}: 1 damage\\n$`));
      const asked = await nameglass(['doctor', '--json', '--data', data]);
      assert.equal(asked.code, 1);
      const failed = (JSON.parse(asked.out) as { state: string; advice: string }[]).filter(
        ({ state }) => state === 'fail',
      );
      assert.deepEqual([failed.length, failed[0]?.advice.startsWith(path)], [1, true], asked.out);
    });
  }
}

for (const database of ['watchlist.db', 'domains/domains.db', 'accounts.db', 'jobs.db', 'desk.db']) {
  test(`verify databases and doctor name ${database} with a zeroed page, with exit code 1`, async (t) => {
    const data = await filledDirectory(t);
    zeroPage(join(data, database));
    const verified = await nameglass(['verify', 'databases', '--json', '--data', data]);
    assert.deepEqual([verified.code, verified.err], [1, '']);
    const { damages: found } = JSON.parse(verified.out) as { damages: { file: string }[] };
    assert.deepEqual([...new Set(found.map(({ file }) => file))], [join(data, database)]);
    const asked = await nameglass(['doctor', '--data', data]);
    assert.equal(asked.code, 1);
    assert.match(
      asked.out,
      new RegExp(`the databases are intact +fail +${join(data, database)} at byte \\d+: `),
    );
  });
}

test('a command that needs a damaged database prints one line that names it, and no stack', async (t) => {
  const data = await filledDirectory(t);
  const path = join(data, 'accounts.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - 4096, 7), 0, undefined, 4096);
  closeSync(file);
  const { code, err } = await nameglass(['account', 'list', '--data', data]);
  assert.equal(code, 1);
  assert.match(
    err,
    /^nameglass: \S+\/accounts\.db is damaged at byte \d+: .*; restore it from a backup, see .*\n$/,
  );
});

test('verify counts on a damaged domains.db prints one line that names it, and no stack', async (t) => {
  const data = await filledDirectory(t);
  const path = join(data, 'domains/domains.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - 8192, 7), 0, undefined, 8192);
  closeSync(file);
  const { code, err } = await nameglass(['verify', 'counts', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: \S+\/domains\.db is damaged at byte \d+: .*\n$/);
});

test('a server does not start on a database with a flipped bit, and says what to do', async (t) => {
  const data = await filledDirectory(t);
  flipBit(join(data, 'names.db'), 8192, 2);
  const { code, err } = await nameglass(['serve', '--port', '0', '--data', data]);
  assert.equal(code, 1);
  assert.match(
    err,
    /^nameglass: \S+\/names\.db is damaged at byte 8192: bit 2 of this byte is flipped \(page 3\), and nothing was opened \(if another program changed it on purpose, "nameglass verify databases --accept" records that\); restore it from a backup, see .*\n$/,
  );
});

test('verify databases --accept records what another program has written, and commands work again', async (t) => {
  const data = await filledDirectory(t);
  const foreign = new Sqlite(join(data, 'names.db'));
  foreign.exec(
    "insert into migration values (99, 'of another program'); delete from migration where number = 99",
  );
  foreign.exec('create table of_another_program (n); drop table of_another_program');
  foreign.close();
  assert.equal((await nameglass(['account', 'list', '--data', data])).code, 1);
  const accepted = await nameglass(['verify', 'databases', '--accept', '--data', data]);
  assert.deepEqual(accepted, { code: 0, out: 'databases: recorded as they are\n', err: '' });
  assert.equal((await nameglass(['account', 'list', '--data', data])).code, 0);
  assert.equal((await nameglass(['verify', 'databases', '--data', data])).code, 0);
});

test('verify databases --accept leaves a database whose structure is damaged as it is, with exit code 1', async (t) => {
  const data = await filledDirectory(t);
  zeroPage(join(data, 'watchlist.db'));
  const { code, out } = await nameglass(['verify', 'databases', '--accept', '--json', '--data', data]);
  assert.equal(code, 1);
  const { damages: found } = JSON.parse(out) as { damages: { file: string }[] };
  assert.deepEqual([...new Set(found.map(({ file }) => file))], [join(data, 'watchlist.db')]);
  assert.equal((await nameglass(['verify', 'databases', '--data', data])).code, 1);
});
