import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canaryBatchKey, canaryKey } from '../../../harness/artifacts.ts';
import { nameglass, serve } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const words = (line: string) => line.split(' ');

test('account create accepts every documented option, with lists separated by spaces', async (t) => {
  const data = temporaryDirectory(t);
  const [key, batchKey] = [canaryKey(), canaryBatchKey()];
  const user = `--username alice --account acme --key ${key} --batch-key ${batchKey}`;
  const grants = '--permissions read triage escalate --pdns-quota daily:500 --channels 204 212';
  const made = await nameglass(words(`account create --data ${data} ${user} ${grants} --json`));
  assert.equal(made.code, 0, made.err);
  const { created, products, ...rest } = JSON.parse(made.out);
  assert.deepEqual(rest, {
    username: 'alice',
    account: 'acme',
    active: true,
    permissions: ['read', 'triage', 'escalate'],
    api_owner: true,
    key_expires: null,
    key_allow: 'any',
    key_products: 'all',
    created_by: 'operator',
    channels: [204, 212],
    pdns: { quota: { type: 'time', limit: 500, period: 86_400 }, allowedAddresses: [], apiVersions: [1, 2] },
    api_key: key,
    batch_key: batchKey,
  });
  assert.ok(Date.parse(created) > 0);
  assert.ok(products.length > 0);
});

test('account create accepts lists separated by commas, and by commas and spaces', async (t) => {
  const data = temporaryDirectory(t);
  const grants = '--permissions read,manage admin --channels 204,212 213';
  const pdns = '--pdns-allow 192.0.2.0/24,198.51.100.7 2001:db8::/32 --pdns-versions 1,2';
  const made = await nameglass(
    words(`account create --data ${data} --username bob --key ${canaryKey()} --json ${grants} ${pdns}`),
  );
  assert.equal(made.code, 0, made.err);
  const user = JSON.parse(made.out);
  assert.deepEqual(user.permissions, ['read', 'manage', 'admin']);
  assert.deepEqual(user.channels, [204, 212, 213]);
  assert.deepEqual(user.pdns.allowedAddresses, ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32']);
  assert.deepEqual(user.pdns.apiVersions, [1, 2]);
});

test('account create without options creates a read-only user in a new account with new keys', async (t) => {
  const data = temporaryDirectory(t);
  const made = await nameglass(['account', 'create', '--data', data, '--username', 'carol', '--json']);
  assert.equal(made.code, 0, made.err);
  const user = JSON.parse(made.out);
  assert.equal(user.account, 'carol');
  assert.deepEqual(user.permissions, ['read']);
  assert.equal(user.channels, 'all');
  assert.deepEqual(user.pdns.quota, { type: 'unlimited' });
  assert.match(user.api_key, /^ngk_[0-9a-f]{44}$/);
  assert.match(user.batch_key, /^[0-9a-f-]{36}$/);
});

test('account create prints the new keys', async (t) => {
  const data = temporaryDirectory(t);
  const [key, batchKey] = [canaryKey(), canaryBatchKey()];
  const options = ['--username', 'dora', '--key', key, '--batch-key', batchKey];
  const { out, err } = await nameglass(['account', 'create', '--data', data, ...options]);
  assert.match(out, new RegExp(`API key +${key}\n`));
  assert.match(out, new RegExp(`batch key +${batchKey}\n`));
  assert.equal(err, '');
});

test('--key - reads the key from standard input', async (t) => {
  const data = temporaryDirectory(t);
  const key = canaryKey();
  const options = ['--username', 'erin', '--key', '-', '--json'];
  const made = await nameglass(['account', 'create', '--data', data, ...options], { input: `${key}\n` });
  assert.equal(made.code, 0, made.err);
  assert.equal(JSON.parse(made.out).api_key, key);
});

test('--key - with empty standard input is bad usage', async (t) => {
  const options = ['--data', temporaryDirectory(t), '--username', 'erin', '--key', '-'];
  const made = await nameglass(['account', 'create', ...options], { input: '' });
  assert.equal(made.code, 2);
  assert.match(made.err, /^nameglass: key: .*\n$/);
});

test('a user created while a server runs on the same directory works immediately in all three APIs', async (t) => {
  const data = temporaryDirectory(t);
  const { url } = await serve(t, ['--data', data]);
  const [key, batchKey] = [canaryKey(), canaryBatchKey()];
  const headers = { 'x-api-key': key };
  assert.equal((await fetch(`${url}/v1/account/`, { headers })).status, 403);

  const options = ['--username', 'frank', '--key', key, '--batch-key', batchKey, '--channels', '204'];
  const made = await nameglass(['account', 'create', '--data', data, ...options]);
  assert.equal(made.code, 0, made.err);

  assert.equal((await fetch(`${url}/v1/account/`, { headers })).status, 200);
  assert.equal((await fetch(`${url}/pdns/v2/rate_limit`, { headers })).status, 200);
  const body = JSON.stringify({ apikey: batchKey });
  const profile = await fetch(`${url}/batchd/v1/validate`, { method: 'POST', body });
  assert.equal(profile.status, 200);
  assert.deepEqual(Object.keys(((await profile.json()) as { profile: { batch: object } }).profile.batch), [
    'ch204',
  ]);
});
