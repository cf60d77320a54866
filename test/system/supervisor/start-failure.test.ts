/** What cannot start says so in one line, as if there were one process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const created = async (t: TestContext) => {
  const data = temporaryDirectory(t);
  assert.equal((await nameglass(['account', 'create', '--data', data, '--username', 'ann'])).code, 0);
  return data;
};

/** Besides the log. */
const spokenLines = (err: string) => err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

async function failsLike(data: string, flags: readonly string[], expected: RegExp): Promise<void> {
  const all = await nameglass(['serve', '--port', '0', '--data', data, ...flags]);
  const alone = await nameglass(['serve', '--port', '0', '--data', data, '--role', 'api', ...flags]);
  assert.match(spokenLines(all.err).join('\n'), expected);
  assert.deepEqual([all.code, spokenLines(all.err), all.out], [alone.code, spokenLines(alone.err), '']);
}

test('a damaged secret ends the start with the same line and exit code as in one process', async (t) => {
  const data = await created(t);
  writeFileSync(join(data, 'secret.key'), 'not hexadecimal\n');
  await failsLike(data, [], /^nameglass: .*secret/);
});

test('a data directory of a later version does so too', async (t) => {
  const data = await created(t);
  const database = new Database(join(data, 'jobs.db'));
  database.pragma('user_version = 9999');
  database.close();
  await failsLike(data, [], /^nameglass: /);
});

test('what only the worker needs ends the start as well', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const settings = ['--set', 'dnstap.host=127.0.0.1', `dnstap.port=${port}`];
  const start = ['serve', '--port', '0', '--data', temporaryDirectory(t)];
  const { code, err } = await nameglass([...start, ...settings]);
  assert.equal(code, 1);
  assert.equal(spokenLines(err).length, 1, err);
  assert.match(err, new RegExp(`^nameglass: .*${port}`, 'm'));
});

test('a demonstration whose simulated Internet cannot start says so, and its processes end', async (t) => {
  const data = temporaryDirectory(t);
  const env = { TMPDIR: join(data, 'missing') };
  const { code, err, out } = await nameglass(['serve', '--demo', '--port', '0', '--data', data], { env });
  assert.deepEqual([code, out], [1, '']);
  assert.match(spokenLines(err).join('\n'), /^nameglass: ENOENT: .*missing.nameglass-world-[^\n]*$/);
});

test('the argument of supervised processes is no command for people', async () => {
  const { code, err } = await nameglass(['supervised-process', 'api']);
  assert.equal(code, 2);
  assert.match(err, /unknown command/);
});
