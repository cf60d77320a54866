import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { canaryKey } from '../../../harness/artifacts.ts';
import { nameglass, serve } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

async function oneUser(t: TestContext): Promise<{ data: string; key: string }> {
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  await done('create', '--data', data, '--username', 'alice', '--account', 'acme', '--key', key);
  return { data, key };
}

/** The output of a command that must succeed. */
async function done(command: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await nameglass(['account', command, ...args]);
  assert.equal(code, 0, err);
  assert.equal(err, '');
  return out;
}

test('account list shows every user, as a table and as JSON', async (t) => {
  const { data, key } = await oneUser(t);
  await done('create', '--data', data, '--username', 'bob', '--account', 'acme', '--permissions', 'admin');
  const [table, json] = await Promise.all([
    done('list', '--data', data),
    done('list', '--data', data, '--json'),
  ]);
  assert.match(table, /^USERNAME .*\nalice +acme +yes +read +yes .*\nbob +acme +yes +admin +no .*\n$/);
  const users = JSON.parse(json) as { username: string }[];
  assert.deepEqual(
    users.map(({ username }) => username),
    ['alice', 'bob'],
  );
  assert.ok(!(table + json).includes(key));
});

test('account list has the fields that are asked for, as CSV and as a table that a pipe gets too', async (t) => {
  const { data } = await oneUser(t);
  const fields = ['--fields', 'username,permissions'];
  const [csv, table] = await Promise.all([
    done('list', '--data', data, '--csv', ...fields),
    done('list', '--data', data, ...fields),
  ]);
  assert.equal(csv, 'username,permissions\r\nalice,read\r\n');
  assert.equal(table, 'USERNAME  PERMISSIONS\nalice     read\n');
});

test('account list without users is an empty list, and prints how to create one', async (t) => {
  const { data } = await oneUser(t);
  await done('remove', 'alice', '--data', data);
  const [text, json] = await Promise.all([
    done('list', '--data', data),
    done('list', '--data', data, '--json'),
  ]);
  assert.match(text, /account create --username/);
  assert.deepEqual(JSON.parse(json), []);
});

test('account list on a directory without data is an error and leaves it empty', async (t) => {
  const data = temporaryDirectory(t);
  const { code, err } = await nameglass(['account', 'list', '--data', data]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: there is no data of Nameglass in .*; --data says where it is\n$/);
  assert.deepEqual(readdirSync(data), []);
});

test('account show prints one user without its key', async (t) => {
  const { data, key } = await oneUser(t);
  const [text, json] = await Promise.all([
    done('show', 'alice', '--data', data),
    done('show', 'alice', '--data', data, '--json'),
  ]);
  assert.match(text, /username +alice\n/);
  assert.match(text, /account +acme\n/);
  assert.equal(JSON.parse(json).account, 'acme');
  assert.ok(!(text + json).includes(key));
});

test('account withdraw and provision change what a running server grants', async (t) => {
  const { data, key } = await oneUser(t);
  const { url } = await serve(t, ['--data', data]);
  const limitsSeen = async () => {
    const answer = await fetch(`${url}/v1/account/`, { headers: { 'x-api-key': key } });
    const { response } = (await answer.json()) as {
      response: { products: { id: string; per_minute_limit: string | null }[] };
    };
    return response.products.find(({ id }) => id === 'intel-enrich')?.per_minute_limit;
  };
  assert.equal(await limitsSeen(), '600');
  await done('withdraw', 'acme', 'intel-enrich', '--data', data);
  assert.equal(await limitsSeen(), undefined);
  await done('provision', 'acme', 'intel-enrich', '--per-minute', '7', '--data', data);
  assert.equal(await limitsSeen(), '7');
});

test('account provision accepts products separated by commas and spaces, and all', async (t) => {
  const { data } = await oneUser(t);
  await done('withdraw', 'acme', 'all', '--data', data);
  const some = await done(
    'provision',
    'acme',
    'intel-enrich,intel-investigate',
    'account-information',
    '--data',
    data,
  );
  assert.match(some, /account-information/);
  assert.match(some, /intel-enrich/);
  assert.match(some, /intel-investigate/);
  assert.match(await done('provision', 'acme', 'all', '--data', data), /^acme \(active\): all products\n$/);
});

test('account disable revokes the keys on a running server immediately, and enable restores them', async (t) => {
  const { data, key } = await oneUser(t);
  const { url } = await serve(t, ['--data', data]);
  const status = async () => (await fetch(`${url}/v1/account/`, { headers: { 'x-api-key': key } })).status;
  assert.equal(await status(), 200);
  assert.match(await done('disable', 'acme', '--data', data), /inactive/);
  assert.equal(await status(), 403);
  assert.match(await done('enable', 'acme', '--data', data), /\(active\)/);
  assert.equal(await status(), 200);
});

test('account audit prints every change, newest first, and no key', async (t) => {
  const { data, key } = await oneUser(t);
  await done('disable', 'acme', '--data', data);
  const [text, json, one] = await Promise.all([
    done('audit', '--data', data),
    done('audit', 'acme', '--data', data, '--json'),
    done('audit', '--limit', '1', '--data', data, '--json'),
  ]);
  const entries = JSON.parse(json) as { number: number; actor: string; account: string }[];
  assert.equal(entries.length, 3);
  assert.deepEqual(
    entries.map(({ number }) => number),
    entries.map(({ number }) => number).sort((a, b) => b - a),
  );
  assert.ok(entries.every(({ actor, account }) => actor === 'operator' && account === 'acme'));
  assert.equal(JSON.parse(one).length, 1);
  assert.match(text, /^TIME .*ACTOR .*ACTION/);
  assert.ok(!(text + json).includes(key));
});

test('account audit of an unknown account is an empty list', async (t) => {
  const { data } = await oneUser(t);
  assert.deepEqual(JSON.parse(await done('audit', 'nobody', '--data', data, '--json')), []);
});
