import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { needsBrowser } from '../../harness/browser/open-browser.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

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

test('doctor reports no problem in a sound installation, with exit code 0', async (t) => {
  if (!needsBrowser(t)) return;
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  const { code, findings } = await examine(['--data', data]);
  assert.deepEqual(notOk(findings), []);
  assert.equal(code, 0);
});

test('doctor warns about a weak configuration with advice for each check, with exit code 0', async (t) => {
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
  for (const check of [
    'API keys are encrypted in transit',
    'only SHA-256 signatures are accepted',
    'metrics are restricted to the operator',
  ]) {
    assert.ok(names.includes(check), `${check} is not among ${names.join()}`);
  }
  assert.ok(names.includes('an account exists'));
});

test('doctor accepts a server on the network whose public URL is https', async (t) => {
  const settings = ['http.host=0.0.0.0', 'http.publicUrl=https://names.example'];
  const { findings } = await examine(['--data', temporaryDirectory(t), '--set', ...settings]);
  assert.equal(findings.find(({ check }) => check === 'API keys are encrypted in transit')?.state, 'ok');
});

test('doctor fails on a damaged data directory with exit code 1 and names the damage', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  writeFileSync(join(data, 'secret.key'), 'garbage\n');
  const { code, findings } = await examine(['--data', data]);
  assert.equal(code, 1);
  const failed = findings.filter(({ state }) => state === 'fail');
  assert.equal(failed.length, 1);
  assert.match(failed[0]?.advice ?? '', /secret\.key/);
});

test('doctor fails if the server secret does not decrypt the stored keys', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  const { code, findings } = await examine(['--data', data, '--set', `secret=${'ab'.repeat(32)}`]);
  assert.equal(code, 1);
  assert.ok(findings.some(({ check, state }) => /secret/.test(check) && state === 'fail'));
});

test('doctor prints a table, and on an empty directory says that the first start creates the data', async (t) => {
  const { code, out } = await nameglass(['doctor', '--data', temporaryDirectory(t)]);
  assert.equal(code, 0);
  assert.match(out, /^CHECK +STATE/);
  assert.match(out, /the data directory can be opened +warn +.* has no data yet; the first start creates it/);
});

test('doctor says how many records have scores of the current risk model and settings', async (t) => {
  if (!needsBrowser(t)) return;
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', canaryKey()]);
  const domains = openDomainStore(data, new TestClock());
  await domains.upsert([{ record: { domain: 'stored.example' }, source: 'test', seenMs: 0 }]);
  await domains.close();
  const { code, findings } = await examine(['--data', data]);
  const [found] = notOk(findings);
  assert.deepEqual([code, found?.state], [0, 'warn']);
  assert.match(found?.check ?? '', /current risk model/);
  assert.match(found?.advice ?? '', /^0 of 1 records were compared/);
});
