import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createUser } from '../../../src/product/account/operate.ts';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { openDomainStore } from '../../../src/store/embedded/domain-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

/** A data directory with two users of one account and one record. */
async function world(t: TestContext): Promise<string> {
  const data = temporaryDirectory(t);
  const clock = new TestClock();
  const accounts = openAccountStore(data, keyVault(openServerSecret(data, '')));
  for (const username of ['alice', 'bob'])
    await createUser(
      {
        username,
        account: 'acme',
        permissions: ['read'],
        apiKey: canaryKey(),
        batchKey: canaryBatchKey(),
        channels: 'all',
      },
      { accounts, clock },
    );
  await accounts.close();
  const domains = openDomainStore(data, clock);
  await domains.upsert([{ record: { domain: 'a.example' }, source: 'test', seenMs: clock.now() }]);
  await domains.close();
  return data;
}

test('tag adds, removes and prints the tags of a domain', async (t) => {
  const data = await world(t);
  const tag = (...words: string[]) => nameglass(['tag', ...words, '--data', data]);
  const labels = (out: string) => JSON.parse(out).tags.map((one: { label: string }) => one.label);

  const added = await tag('A.example', '--user', 'alice', '--add', 'one,two');
  assert.deepEqual([added.code, added.err], [0, '']);
  assert.match(added.out, /TAG +SCOPE +SINCE\n/);
  await tag('a.example', '--user', 'alice', '--add', 'ours', '--team');
  const removed = await tag('a.example', '--user', 'alice', '--remove', 'TWO', '--json');
  assert.deepEqual(labels(removed.out).sort(), ['one', 'ours']);
  const seen = await tag('a.example', '--user', 'bob', '--json');
  assert.deepEqual(labels(seen.out), ['ours']);
});

test('tag reports unknown users and domains and invalid arguments', async (t) => {
  const data = await world(t);
  for (const [words, code, message] of [
    [['a.example', '--user', 'nobody'], 1, /there is no user nobody/],
    [['unknown.example', '--user', 'alice', '--add', 'x'], 1, /there is no record of unknown\.example/],
    [['a b', '--user', 'alice'], 2, /domain: "a b" is not a domain name/],
    [['a.example', '--user', 'alice', '--add', 'x'.repeat(65)], 2, /--add: must be tags/],
    [['a.example'], 2, /required option '--user/],
  ] as const) {
    const result = await nameglass(['tag', ...words, '--data', data]);
    assert.equal(result.code, code, result.err);
    assert.match(result.err, message);
  }
});
