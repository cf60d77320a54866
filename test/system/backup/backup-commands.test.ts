import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { flipBit } from '../../harness/damage.ts';
import { fillStores } from '../../harness/fixtures/filled-stores.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { program } from '../../harness/server/program.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const prepared = temporaryDirectory({ after });
before(() => fillStores(prepared));

function filled(t: TestContext): { root: string; data: string } {
  const root = temporaryDirectory(t);
  const data = join(root, 'data');
  cpSync(prepared, data, { recursive: true });
  return { root, data };
}

test('backup and restore say what they did, what is missing, and what to do next', async (t) => {
  const { root, data } = filled(t);
  const [backup, restored] = [join(root, 'backup'), join(root, 'restored')];
  const made = await nameglass(['backup', backup, '--data', data]);
  assert.deepEqual([made.code, made.out], [0, '']);
  assert.match(
    made.err,
    /^\d+ files, [\d.]+ \w+: \S+\/backup\nthe server secret is not in it: keep a copy of \S+secret\.key apart/,
  );
  const done = await nameglass(['restore', backup, '--data', restored]);
  assert.deepEqual([done.code, done.err], [0, '']);
  assert.match(
    done.out,
    /made by Nameglass \S+: \S+restored\nthe server secret is missing: put the secret\.key/,
  );
  const again = await nameglass(['restore', backup, '--data', restored]);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /restored is there already, and not empty; name a new directory\n$/);
  const refused = await nameglass(['account', 'list', '--data', restored]);
  assert.deepEqual([refused.code, /secret\.key is missing/.test(refused.err)], [1, true]);
});

test('the secret goes to a file apart, which is private and never overwritten by another secret', async (t) => {
  const { root, data } = filled(t);
  const apart = join(root, 'apart.key');
  const back = (name: string) =>
    nameglass(['backup', join(root, name), '--data', data, '--secret-to', apart]);
  assert.equal((await back('one')).code, 0);
  assert.equal(readFileSync(apart, 'utf8'), readFileSync(join(data, 'secret.key'), 'utf8'));
  assert.equal(statSync(apart).mode & 0o777, 0o600);
  assert.equal((await back('two')).code, 0);
  writeFileSync(apart, 'another\n');
  assert.equal((await back('three')).code, 1);
  assert.equal(readFileSync(apart, 'utf8'), 'another\n');
  assert.equal(existsSync(join(root, 'three')), false);
  writeFileSync(apart, readFileSync(join(data, 'secret.key')));
  const restored = join(root, 'restored');
  const done = await nameglass(['restore', join(root, 'one'), '--data', restored, '--secret-from', apart]);
  assert.match(done.out, /next: nameglass serve --data \S+restored\n$/);
});

test('the archive of a backup unpacks with tar to a directory that verifies, and is a file to restore from', async (t) => {
  const { root, data } = filled(t);
  const archive = join(root, 'backup.tar');
  const [unpacked, restored] = [join(root, 'unpacked'), join(root, 'restored')];
  const script = `"${process.execPath}" "${program}" backup - --data "${data}" > "${archive}" && mkdir "${unpacked}" && tar -xf "${archive}" -C "${unpacked}"`;
  const { status } = spawnSync('sh', ['-c', script]);
  assert.equal(status, 0);
  const verified = await nameglass(['verify', 'backup', unpacked, '--json']);
  assert.deepEqual([verified.code, JSON.parse(verified.out).damages], [0, []]);
  const done = await nameglass(['restore', archive, '--data', restored, '--json']);
  assert.deepEqual([done.code, JSON.parse(done.out).hasSecret], [0, false]);
});

test('a backup into a pipe that is closed early fails with a sentence, leaves nothing and is not remembered', async (t) => {
  const { data } = filled(t);
  const child = spawn(process.execPath, [program, 'backup', '-', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const message = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 1);
  assert.match(await message, /^nameglass: the archive could not be written: \S+ EPIPE\n$/);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.includes('backup')),
    [],
  );
});

test('options that make no sense are refused before anything is written, with exit code 2', async (t) => {
  const { root, data } = filled(t);
  const short = join(root, 'short');
  writeFileSync(short, 'short\n');
  for (const [args, message] of [
    [['--without', 'pictures'], /--without: pictures is not one of images, archives/],
    [['--passphrase-file', short], /must have at least 12 characters/],
  ] as const) {
    const { code, err } = await nameglass(['backup', join(root, 'backup'), '--data', data, ...args]);
    assert.equal(code, 2);
    assert.match(err, message);
  }
  assert.deepEqual(readdirSync(root).sort(), ['data', 'short']);
});

test('verify backup names a flipped bit by file and byte, with exit code 1', async (t) => {
  const { root, data } = filled(t);
  const backup = join(root, 'backup');
  await nameglass(['backup', backup, '--data', data]);
  flipBit(join(backup, 'data/watchlist.db'), 70_000);
  const { code, out } = await nameglass(['verify', 'backup', backup]);
  assert.equal(code, 1);
  assert.match(out, /^\S+\/backup\/data\/watchlist\.db at byte 65536: .*\nbackup: 1 damage/);
  const { code: other, out: nothing } = await nameglass(['verify', 'backup', root]);
  assert.equal(other, 1);
  assert.match(nothing, /manifest\.ndjson: it is missing: this is no backup, or an unfinished one/);
});

test('a database that is missing while its checksums are there is named, and nothing starts without it', async (t) => {
  const { data } = filled(t);
  rmSync(join(data, 'watchlist.db'));
  const verified = await nameglass(['verify', 'databases', '--data', data]);
  assert.equal(verified.code, 1);
  assert.match(verified.out, /^\S+\/watchlist\.db: it is missing, and its checksums are there\n/);
  const listed = await nameglass(['account', 'list', '--data', data]);
  assert.equal(listed.code, 1);
  assert.match(listed.err, /watchlist\.db is damaged: it is missing/);
  assert.equal((await nameglass(['verify', 'databases', '--accept', '--data', data])).code, 0);
  assert.equal((await nameglass(['account', 'list', '--data', data])).code, 0);
});

test('verify sources names a list of names with a flipped bit or a lost line, with exit code 1', async (t) => {
  const { data } = filled(t);
  const path = join(data, 'sources/zone-example.names');
  assert.equal((await nameglass(['verify', 'sources', '--data', data])).out, 'sources: intact\n');
  flipBit(path, 0);
  const flipped = await nameglass(['verify', 'sources', '--data', data]);
  assert.deepEqual(
    [flipped.code, flipped.out],
    [1, `${path}: it does not match its checksum\nsources: 1 damage\n`],
  );
  writeFileSync(path, readFileSync(path).subarray(2));
  const shorter = await nameglass(['verify', 'sources', '--data', data]);
  assert.deepEqual([shorter.code, shorter.out], [1, `${path}: it has 1 of 2 names\nsources: 1 damage\n`]);
});

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly advice: string;
}

test('doctor warns about an old backup, a clock that was set back, a worker that is gone and a source that fails', async (t) => {
  const { data } = filled(t);
  const now = Date.now();
  const day = 86_400_000;
  const backup = { atMs: now - 9 * day, files: 3, bytes: 100_000, location: '/backups/old' };
  writeFileSync(join(data, 'last-backup.json'), JSON.stringify(backup));
  utimesSync(join(data, 'jobs.db'), now / 1000, now / 1000 + 7200);
  const part = {
    kind: 'source',
    name: 'ct:log',
    unit: 'names',
    startedMs: 0,
    everyMs: 1000,
    failuresUsual: 0,
  };
  const failing = {
    ...part,
    failuresInRow: 9,
    lastFailureMs: now - 120_000,
    lastError: 'refused',
    total: 0,
    perMinute: [],
  };
  const report = { process: 'worker-1', role: 'worker', version: '1', startedMs: 0, atMs: now - 120_000 };
  mkdirSync(join(data, 'health'), { recursive: true });
  writeFileSync(
    join(data, 'health/worker-1.json'),
    JSON.stringify({ ...report, memoryBytes: 1, jobKinds: [], parts: [failing] }),
  );
  const { code, out } = await nameglass(['doctor', '--json', '--data', data]);
  assert.equal(code, 0, out);
  const adviceOf = (check: string) => {
    const found = (JSON.parse(out) as Finding[]).find((finding) => finding.check === check);
    assert.equal(found?.state, 'warn', check);
    return found?.advice ?? '';
  };
  assert.match(
    adviceOf('there is a recent backup'),
    /\(9 days ago\), 97\.7 KiB in \/backups\/old; make one: nameglass backup DIR/,
  );
  assert.match(
    adviceOf('the clock is not behind stored data'),
    /^jobs\.db was written 1\d\d minutes from now/,
  );
  assert.match(adviceOf('every worker reports'), /no report from worker-1/);
  assert.match(adviceOf('sources, lists and collectors work'), /source ct:log is failing \(refused\)/);
});
