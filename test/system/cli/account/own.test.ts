import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

async function twoAccounts(t: TestContext) {
  const data = temporaryDirectory(t);
  const run = (...args: string[]) => nameglass(['account', ...args, '--data', data]);
  for (const username of ['alice', 'bob'])
    assert.equal((await run('create', '--username', username)).code, 0);
  const shown = async (username: string) => JSON.parse((await run('show', username, '--json')).out);
  return { run, shown };
}

test('account own gives channels to an account, and disown takes them', async (t) => {
  const { run, shown } = await twoAccounts(t);
  const given = await run('own', 'alice', '41,42', '43', '45');
  assert.deepEqual([given.code, given.err], [0, '']);
  assert.match(
    given.out,
    /^alice owns the channels 41-43, 45\.\nNot declared yet: 41, 42, 43, 45\. Add them to batch\.channels/,
  );
  assert.deepEqual((await shown('alice')).own_channels, [41, 42, 43, 45]);
  await run('own', 'bob', '42');
  assert.deepEqual(
    [(await shown('alice')).own_channels, (await shown('bob')).own_channels],
    [[41, 43, 45], [42]],
  );
  assert.match((await run('show', 'alice')).out, /own_channels +41, 43, 45/);
  assert.equal((await run('disown', 'alice', '41,42,43')).out, 'alice owns 45.\n');
  assert.equal((await run('disown', 'alice', '45')).out, 'alice owns no channels.\n');
  assert.deepEqual((await shown('bob')).own_channels, [42]);
});

test('account own refuses built-in channels, numbers out of range and unknown accounts', async (t) => {
  const { run, shown } = await twoAccounts(t);
  const builtIn = await run('own', 'alice', '42,212');
  assert.equal(builtIn.code, 2);
  assert.match(builtIn.err, /channels: 212 is filled by this server and cannot belong to an account/);
  assert.equal((await shown('alice')).own_channels, undefined);
  for (const number of ['0', '256', 'x']) assert.equal((await run('own', 'alice', number)).code, 2, number);
  assert.match((await run('own', 'nobody', '42')).err, /there is no account nobody/);
});
