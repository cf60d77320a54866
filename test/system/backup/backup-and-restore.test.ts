import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { findListDamage } from '../../../src/collect/sources/zone-files/label-file.ts';
import type { BackupRequest } from '../../../src/store/backup.ts';
import { embeddedBackups } from '../../../src/store/embedded/backup/embedded-backups.ts';
import { findLastBackup } from '../../../src/store/embedded/backup/last-backup.ts';
import { checkPages } from '../../../src/store/embedded/page-checksums/check-pages.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { contentOf } from '../../conformance/stream-store.ts';
import { damageIn, flipBit } from '../../harness/damage.ts';
import { filledAtMs, fillStores, openFilled } from '../../harness/fixtures/filled-stores.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

interface Setting {
  readonly root: string;
  readonly data: string;
  readonly make: (more?: Partial<BackupRequest>) => ReturnType<typeof embeddedBackups.make>;
}

const prepared = temporaryDirectory({ after });
before(() => fillStores(prepared));

async function filled(t: TestContext): Promise<Setting> {
  const root = temporaryDirectory(t);
  const data = join(root, 'data');
  cpSync(prepared, data, { recursive: true });
  const clock = { now: () => filledAtMs };
  const request: BackupRequest = { data, to: join(root, 'backup'), without: [], version: '9.9.9', clock };
  return { root, data, make: (more) => embeddedBackups.make({ ...request, ...more }) };
}

const copySecret = (from: string, to: string) =>
  writeFileSync(join(to, 'secret.key'), readFileSync(join(from, 'secret.key')));

/** Everything that the stores answer about what the fixture filled in. */
async function answersOf(data: string) {
  const stores = openFilled(data);
  try {
    return {
      key: await stores.accounts.findSigningKey('ann'),
      audit: await stores.accounts.checkAudit(),
      rrsets: (await stores.rrsets.statistics()).rrsets,
      damages: [
        ...(await damageIn(stores.rrsets.verify())),
        ...(await damageIn(stores.streams.verify())),
        ...(await damageIn(stores.archives.verify())),
        ...(await damageIn(stores.images.verify())),
      ],
      stream: await stores.streams.findState('feed-nod'),
      archives: (await stores.archives.listFiles({ archive: 'nod', prefix: '', skip: 0, limit: 9 })).length,
      image: (await stores.images.findImage('a.example', 1000))?.bytes.toString(),
      record: (await stores.domains.statistics()).records,
      monitors: (
        await stores.monitors.listMonitors('acme', { sort: [], descending: false, limit: 9, offset: 0 })
      ).total,
    };
  } finally {
    await stores.close();
  }
}

test('a restored directory answers as the original does, without a warning, and its pages have checksums', async (t) => {
  const { root, data, make } = await filled(t);
  const { files, bytes, damages, location } = await make();
  assert.deepEqual([damages, location], [[], join(root, 'backup')]);
  assert.deepEqual(await embeddedBackups.verify(location), {
    damages: [],
    files,
    bytes,
    madeAt: '2026-03-01T12:00:00.000Z',
    madeBy: '9.9.9',
  });
  const restored = join(root, 'restored');
  const summary = await embeddedBackups.restore({ from: location, data: restored });
  assert.deepEqual([summary.files, summary.hasSecret, summary.damages], [files, false, []]);
  for (const path of globSync('**/*.db', { cwd: restored })) {
    const check = await checkPages(join(restored, path));
    assert.deepEqual([check.damages, check.unknown, check.doubtful], [[], [], []], path);
  }
  copySecret(data, restored);
  assert.deepEqual(await answersOf(restored), await answersOf(data));
  assert.equal(await findListDamage(join(restored, 'sources/zone-example.names')), undefined);
});

test('lines that only the journal of streams has are in a backup that is made meanwhile', async (t) => {
  const { root, data, make } = await filled(t);
  const store = openStreamStore(data);
  const append = (text: string) =>
    store.append([{ stream: 'feed-nod', bytes: Buffer.from(text) }], filledAtMs + 60_000);
  for (const text of ['one\n', 'two\n']) await append(text);
  const expected = await contentOf(store, 'feed-nod');
  assert.match(expected, /one\ntwo\n$/);
  const { location, damages } = await make();
  assert.deepEqual(damages, []);
  assert.ok(existsSync(join(location, 'data/streams/appends.journal')));
  await append('three\n');
  await store.close();
  assert.deepEqual((await embeddedBackups.verify(location)).damages, []);
  const restored = join(root, 'restored');
  await embeddedBackups.restore({ from: location, data: restored });
  const copy = openStreamStore(restored);
  t.after(() => copy.close());
  assert.equal(await contentOf(copy, 'feed-nod'), expected);
  assert.deepEqual(await damageIn(copy.verify()), []);
});

test('a backup on a stream is a tar archive that restores to the same, and leaves nothing in the data directory', async (t) => {
  const { root, data, make } = await filled(t);
  const names = readdirSync(data).sort();
  const stream = new PassThrough();
  const archive = buffer(stream);
  const { location, files } = await make({ to: stream });
  stream.end();
  assert.equal(location, 'standard output');
  const bytes = await archive;
  assert.equal(bytes.length % 512, 0);
  const restored = join(root, 'restored');
  const summary = await embeddedBackups.restore({ from: Readable.from(piecesOf(bytes)), data: restored });
  assert.equal(summary.files, files);
  copySecret(data, restored);
  assert.deepEqual(await answersOf(restored), await answersOf(data));
  assert.deepEqual(readdirSync(data).sort(), [...names, 'last-backup.json'].sort());
});

/** Of sizes that fit no block. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001);
}

test('a stream that is cut off anywhere, or has a flipped bit, is refused, and nothing is left of it', async (t) => {
  const { root, make } = await filled(t);
  const stream = new PassThrough();
  const archive = buffer(stream);
  await make({ to: stream });
  stream.end();
  const bytes = await archive;
  const refused = async (damaged: Buffer, what: string) => {
    const request = { from: Readable.from(piecesOf(damaged)), data: join(root, 'restored') };
    await assert.rejects(embeddedBackups.restore(request), what);
    assert.deepEqual(readdirSync(root).sort(), ['data'], what);
  };
  for (const part of [0, 0.2, 0.5, 0.9, 0.99])
    await refused(bytes.subarray(0, Math.floor(bytes.length * part)), `cut at ${part}`);
  for (const part of [0.1, 0.4, 0.7, 0.97]) {
    const flipped = Buffer.from(bytes);
    // Files are padded with zeros to whole blocks: a flip there changes nothing.
    const at = flipped.findIndex((byte, index) => index > bytes.length * part && byte !== 0);
    flipped[at] = (flipped[at] as number) ^ 1;
    await refused(flipped, `flipped at ${at}`);
  }
});

test('every file of a backup that has a flipped bit, is cut off or is missing is named, and restores to nothing', async (t) => {
  const { root, make } = await filled(t);
  const { location } = await make();
  const files = globSync('**/*', { cwd: location, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length >= 20, `${files.length} files`);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const content = readFileSync(path);
    const damages: Readonly<Record<string, () => void>> = {
      'flipped bit': () => flipBit(path, Math.floor(content.length / 2), 3),
      'last byte missing': () => truncateSync(path, content.length - 1),
      missing: () => rmSync(path),
    };
    for (const [what, damage] of Object.entries(damages)) {
      if (content.length === 0 && what !== 'missing') continue;
      damage();
      const check = await embeddedBackups.verify(location);
      assert.deepEqual([...new Set(check.damages.map(({ file }) => file))], [path], `${path}: ${what}`);
      writeFileSync(path, content);
    }
  }
  flipBit(join(location, 'data/accounts.db'), 5000);
  const restored = join(root, 'restored');
  await assert.rejects(
    embeddedBackups.restore({ from: location, data: restored }),
    /data\/accounts\.db at byte 0: /,
  );
  assert.deepEqual(readdirSync(root).sort(), ['backup', 'data']);
});

test('neither a backup nor a restore goes into a directory that is not empty', async (t) => {
  const { root, data, make } = await filled(t);
  await make();
  await assert.rejects(make(), /backup is there already, and not empty/);
  await assert.rejects(
    embeddedBackups.restore({ from: join(root, 'backup'), data }),
    /data is there already, and not empty/,
  );
});

test('a restore into an empty directory that is there, such as a volume, fills it', async (t) => {
  const { root, make } = await filled(t);
  const { location } = await make();
  const volume = join(root, 'volume');
  mkdirSync(join(volume, 'lost+found'), { recursive: true });
  await embeddedBackups.restore({ from: location, data: volume });
  const names = readdirSync(volume);
  assert.ok(names.includes('accounts.db') && names.includes('rrsets'));
  assert.ok(!names.some((name) => name.startsWith('.restoring')));
});

test('images and archives can be left out, and the rest is consistent without them', async (t) => {
  const { root, data, make } = await filled(t);
  const { location } = await make({ without: ['images', 'archives'] });
  const restored = join(root, 'restored');
  const { without } = await embeddedBackups.restore({ from: location, data: restored });
  assert.deepEqual(without, ['images', 'archives']);
  copySecret(data, restored);
  const answers = await answersOf(restored);
  assert.deepEqual([answers.damages, answers.image, answers.archives], [[], undefined, 0]);
});

test('the secret is not in a backup, unless it is sealed with a passphrase', async (t) => {
  const { root, data, make } = await filled(t);
  const secret = readFileSync(join(data, 'secret.key'), 'utf8').trim();
  const contains = (directory: string) =>
    globSync('**/*', { cwd: directory, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some(({ parentPath, name }) => {
        const content = readFileSync(join(parentPath, name));
        return content.includes(secret) || content.includes(Buffer.from(secret, 'hex'));
      });
  assert.equal(contains((await make()).location), false);
  const sealed = join(root, 'sealed');
  await make({ to: sealed, secret: { text: secret, passphrase: 'correct horse' } });
  assert.equal(contains(sealed), false);
  const restored = join(root, 'restored');
  const restore = (passphrase: string) =>
    embeddedBackups.restore({ from: sealed, data: restored, passphrase });
  await assert.rejects(restore('wrong horse'), /the passphrase does not open the secret/);
  assert.equal(existsSync(restored), false);
  assert.equal((await restore('correct horse')).hasSecret, true);
  assert.equal(readFileSync(join(restored, 'secret.key'), 'utf8').trim(), secret);
  assert.deepEqual(await answersOf(restored), await answersOf(data));
});

test('files of a backup are private, and the last backup is remembered', async (t) => {
  const { data, make } = await filled(t);
  const { location, files, bytes } = await make();
  for (const { parentPath, name } of globSync('**/*', { cwd: location, withFileTypes: true }))
    assert.equal(statSync(join(parentPath, name)).mode & 0o077, 0, join(parentPath, name));
  assert.deepEqual(findLastBackup(data), { atMs: filledAtMs, files, bytes, location });
});

test('what was damaged before the backup is named by it and by its verification', async (t) => {
  const { root, data, make } = await filled(t);
  const [image, segment, table] = [
    'images/*/*.png',
    'streams/feed-nod/*.0001.ndjson',
    'rrsets/*.forward',
  ].map((pattern) => join(data, globSync(pattern, { cwd: data })[0] as string)) as [string, string, string];
  flipBit(image, 2);
  flipBit(segment, 2);
  rmSync(table);
  const { damages, location } = await make();
  assert.deepEqual(damages.map(({ file }) => file).sort(), [image, segment, table].sort());
  const check = await embeddedBackups.verify(location);
  assert.deepEqual(check.damages.map(({ file }) => file).sort(), [image, segment, table].sort());
  assert.match(check.damages[0]?.problem ?? '', /before the backup was made/);
  const restored = await embeddedBackups.restore({ from: location, data: join(root, 'restored') });
  assert.equal(restored.damages.length, 3);
});

test('a backup of a newer version is refused by name of the version', async (t) => {
  const { root, make } = await filled(t);
  const { location } = await make();
  const manifest = join(location, 'manifest.ndjson');
  const { createHash } = await import('node:crypto');
  const lines = readFileSync(manifest, 'utf8').split('\n').slice(0, -2);
  const newer = `${lines.join('\n').replace(/"schema":(\d+)/, '"schema":99')}\n`;
  const end = { files: lines.length - 1, bytes: 0, damages: [] };
  const sha256 = createHash('sha256').update(newer).digest('hex');
  writeFileSync(manifest, `${newer}${JSON.stringify({ ...end, sha256 })}\n`);
  await assert.rejects(
    embeddedBackups.restore({ from: location, data: join(root, 'restored') }),
    /restore with Nameglass 9\.9\.9 or later/,
  );
});
