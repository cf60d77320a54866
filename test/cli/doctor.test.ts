import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canaryKey } from '../harness/artifacts.ts';
import { nameglass } from '../harness/spawned.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly advice: string;
}

async function examine(args: string[]): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, out, err } = await nameglass(['doctor', '--json', ...args]);
  assert.equal(err, '');
  return { code, findings: JSON.parse(out) };
}

const notOk = (findings: Finding[]) => findings.filter(({ state }) => state !== 'ok');

test('doctor finds nothing in a sound set-up and ends with exit code 0', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  const { code, findings } = await examine(['--data', data]);
  assert.deepEqual(notOk(findings), []);
  assert.equal(code, 0);
});

test('doctor warns of a weak set-up with advice for each point, and ends with exit code 0', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  await nameglass(['account', 'remove', '--data', data, 'alice']);
  chmodSync(data, 0o755);
  const weak = ['http.host=0.0.0.0', 'auth.signatureDigests=md5', 'http.operatorAddresses=0.0.0.0/0'];
  const { code, findings } = await examine(['--data', data, '--set', ...weak]);
  assert.equal(code, 0);
  const warned = notOk(findings);
  assert.ok(warned.every(({ state, advice }) => state === 'warn' && advice !== ''));
  const names = warned.map(({ check }) => check);
  for (const check of ['keys travel encrypted', 'only SHA-256 signatures', 'metrics are for the operator']) {
    assert.ok(names.includes(check), `${check} is not among ${names.join()}`);
  }
  assert.ok(names.includes('there is an account'));
});

test('doctor is content with a server on the network whose public URL is https', async (t) => {
  const settings = ['http.host=0.0.0.0', 'http.publicUrl=https://names.example'];
  const { findings } = await examine(['--data', temporaryDirectory(t), '--set', ...settings]);
  assert.equal(findings.find(({ check }) => check === 'keys travel encrypted')?.state, 'ok');
});

test('doctor fails on a damaged data directory with exit code 1 and says what is wrong', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  writeFileSync(join(data, 'secret.key'), 'garbage\n');
  const { code, findings } = await examine(['--data', data]);
  assert.equal(code, 1);
  const failed = findings.filter(({ state }) => state === 'fail');
  assert.equal(failed.length, 1);
  assert.match(failed[0]?.advice ?? '', /secret\.key/);
});

test('doctor fails when the server secret is not the one that the keys were kept under', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  const { code, findings } = await examine(['--data', data, '--set', `secret=${'ab'.repeat(32)}`]);
  assert.equal(code, 1);
  assert.ok(findings.some(({ check, state }) => /secret/.test(check) && state === 'fail'));
});

test('doctor prints a table for people, and on an empty directory says what makes it', async (t) => {
  const { code, out } = await nameglass(['doctor', '--data', temporaryDirectory(t)]);
  assert.equal(code, 0);
  assert.match(out, /^CHECK +STATE/);
  assert.match(out, /the data directory opens +warn +nothing is in .* yet; the first start makes it/);
});
