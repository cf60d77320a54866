import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { canaryBatchKey, canaryKey } from '../../../harness/artifacts.ts';
import { nameglass, serve } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

async function twoUsers(t: TestContext) {
  const [data, batchKey] = [temporaryDirectory(t), canaryBatchKey()];
  for (const [username, key] of [
    ['alice', batchKey],
    ['bob', canaryBatchKey()],
  ] as const) {
    const keys = ['--key', canaryKey(), '--batch-key', key];
    const { code, err } = await nameglass([
      'account',
      'create',
      '--data',
      data,
      '--username',
      username,
      ...keys,
    ]);
    assert.equal(code, 0, err);
  }
  const update = async (username: string, ...args: string[]) => {
    const { code, out, err } = await nameglass([
      'account',
      'update',
      username,
      ...args,
      '--json',
      '--data',
      data,
    ]);
    return { code, err, user: code === 0 ? JSON.parse(out) : undefined };
  };
  return { data, batchKey, update };
}

test('update --batch-key none revokes the keys of several users, on a running server too', async (t) => {
  const { data, batchKey, update } = await twoUsers(t);
  const server = await serve(t, ['--data', data]);
  const validate = () =>
    fetch(`${server.url}/batchd/v1/validate`, { method: 'POST', body: JSON.stringify({ apikey: batchKey }) });
  assert.equal((await validate()).status, 200);
  for (const username of ['alice', 'bob']) {
    assert.equal((await update(username, '--batch-key', 'none')).user.batch_key, 'none');
  }
  assert.equal((await validate()).status, 403);
});

test('update --key-expires never removes an expiry', async (t) => {
  const { update } = await twoUsers(t);
  assert.equal(
    (await update('alice', '--key-expires', '2030-01-01')).user.key_expires,
    '2030-01-01T00:00:00.000Z',
  );
  assert.equal((await update('alice', '--key-expires', 'never')).user.key_expires, null);
});

test('update binds the keys of a user to addresses and products, and ends that again', async (t) => {
  const { update } = await twoUsers(t);
  const before = (await update('alice', '--key-allow', 'any')).user;
  const bound = ['--key-allow', '192.0.2.0/24,2001:db8::1', '--key-products', 'intel-enrich'];
  const { user } = await update('alice', ...bound);
  assert.deepEqual([user.key_allow, user.key_products], [['192.0.2.0/24', '2001:db8::1'], ['intel-enrich']]);
  for (const wrong of [
    ['--key-allow', 'office'],
    ['--key-products', 'nothing'],
  ])
    assert.equal((await update('alice', ...wrong)).code, 2);
  const free = ['--key-allow', 'any', '--key-products', 'all'];
  assert.deepEqual((await update('alice', ...free)).user, before);
});

test('update resets the channel and passive DNS options that it has set', async (t) => {
  const { update } = await twoUsers(t);
  const before = (await update('alice', '--channels', 'all')).user;
  const set = [
    '--channels',
    '204',
    '--pdns-burst',
    '5:60',
    '--pdns-results-max',
    '7',
    '--pdns-offset-max',
    'n/a',
  ];
  const { user: changed } = await update('alice', ...set, '--pdns-allow', '192.0.2.0/24');
  assert.deepEqual(changed.channels, [204]);
  assert.deepEqual(changed.pdns.burst, { size: 5, windowSeconds: 60 });
  assert.deepEqual([changed.pdns.resultsMax, changed.pdns.offsetMax], [7, 'none']);
  assert.deepEqual(changed.pdns.allowedAddresses, ['192.0.2.0/24']);
  const unset = ['--channels', 'all', '--pdns-burst', 'none', '--pdns-results-max', 'default'];
  const { user: after } = await update(
    'alice',
    ...unset,
    '--pdns-offset-max',
    'default',
    '--pdns-allow',
    'any',
  );
  assert.deepEqual(after, before);
});

test('update without a change is bad usage and leaves no entry in the audit log', async (t) => {
  const { data, update } = await twoUsers(t);
  const { code, err } = await update('alice');
  assert.equal(code, 2);
  assert.match(err, /^nameglass: .*nothing to change.*\n$/);
  const { out } = await nameglass(['account', 'audit', '--json', '--data', data]);
  assert.ok(!out.includes('user.update'));
});

test('an empty list option is bad usage', async (t) => {
  const { update } = await twoUsers(t);
  assert.equal((await update('alice', '--permissions=')).code, 2);
});
