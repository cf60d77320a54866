import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { storedAnswers, unlimited } from '../../harness/server/stored-answers.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const fixture = join(import.meta.dirname, '../../fixtures/data-0.1.0');
/** Of the demonstration that made the fixture; they open nothing else. */
const keys = {
  apiKey: 'ngk_9157c8cc538b792cbad7d7077ab7e4aa4497559f8285',
  batchKey: '92f7faa4-03f8-48dd-adb7-9cd1815645c3',
};
const answersOfOld: unknown = JSON.parse(
  gunzipSync(readFileSync(join(fixture, 'answers.json.gz'))).toString(),
);

function unpack(t: TestContext): { root: string; data: string } {
  const root = temporaryDirectory(t);
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  const { status } = spawnSync('tar', ['-xzf', join(fixture, 'data.tar.gz'), '-C', data]);
  assert.equal(status, 0);
  return { root, data };
}

async function succeeds(args: readonly string[]): Promise<string> {
  const { code, out, err } = await nameglass(args);
  assert.equal(code, 0, err + out);
  return out;
}

async function answersOf(t: TestContext, data: string, whileRunning?: () => Promise<unknown>) {
  const server = await serve(t, ['--role', 'api', '--data', data, '--set', ...unlimited]);
  const answers = await storedAnswers({ url: server.url, ...keys });
  await whileRunning?.();
  assert.equal(await server.stop(), 0);
  return answers;
}

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly advice: string;
}

test('doctor names the migrations of data of 0.1.0 and changes none of its databases', async (t) => {
  const { data } = unpack(t);
  const databases = readdirSync(data).filter((name) => name.endsWith('.db'));
  const before = databases.map((name) => readFileSync(join(data, name)));
  const findings = JSON.parse(
    await succeeds(['doctor', '--before-upgrade', '--json', '--data', data]),
  ) as Finding[];
  const pending = findings.find(({ check }) => /migrations that the next start makes/.test(check));
  assert.match(pending?.advice ?? '', /accounts\.db \(.*\): 0002-tenants\.sql, 0003-people\.sql/);
  assert.match(findings.find(({ state }) => state === 'warn')?.advice ?? '', /nameglass backup DIR/);
  const after = databases.map((name) => readFileSync(join(data, name)));
  assert.ok(before.every((content, index) => content.equals(after[index] as Buffer)));
});

test('data of 0.1.0 can be backed up before the upgrade, and the restored copy answers as 0.1.0 did', async (t) => {
  const { root, data } = unpack(t);
  const [backup, restored] = [join(root, 'backup'), join(root, 'restored')];
  await succeeds(['backup', backup, '--data', data]);
  await succeeds(['verify', 'backup', backup]);
  await succeeds(['restore', backup, '--data', restored, '--secret-from', join(data, 'secret.key')]);
  assert.deepEqual(await answersOf(t, restored), answersOfOld);
});

test('this version opens data of 0.1.0 and answers the same, and so does what is restored from a backup beside the server', async (t) => {
  const { root, data } = unpack(t);
  const [backup, restored] = [join(root, 'backup'), join(root, 'restored')];
  const sealed = ['--passphrase-file', join(root, 'passphrase')];
  writeFileSync(join(root, 'passphrase'), 'correct horse battery staple\n');
  const answers = await answersOf(t, data, () => succeeds(['backup', backup, '--data', data, ...sealed]));
  assert.deepEqual(answers, answersOfOld);
  await succeeds(['verify', 'all', '--data', data]);
  await succeeds(['restore', backup, '--data', restored, ...sealed]);
  await succeeds(['verify', 'all', '--data', restored]);
  assert.deepEqual(await answersOf(t, restored), answersOfOld);
});
