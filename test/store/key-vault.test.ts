import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { keyVault, openServerSecret } from '../../src/store/key-vault.ts';
import { anyCharacter } from '../harness/arbitraries/any-character.ts';
import { canaryKey } from '../harness/artifacts.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { startWorkers } from '../harness/workers/start-store-workers.ts';

const vault = keyVault(Buffer.alloc(32, 7));
const anyText = fc.string({ unit: anyCharacter });

test('the secret is created on first use and then stays the same', (t) => {
  const directory = temporaryDirectory(t);
  const secret = openServerSecret(directory, '');
  assert.equal(secret.length, 32);
  assert.deepEqual(openServerSecret(directory, ''), secret);
  assert.equal(readFileSync(join(directory, 'secret.key'), 'utf8'), `${secret.toString('hex')}\n`);
});

test('two installations have different secrets', (t) => {
  const secrets = [1, 2].map(() => openServerSecret(temporaryDirectory(t), '').toString('hex'));
  assert.equal(new Set(secrets).size, 2);
});

test('only the owner can read and write the secret file, whatever the umask', (t) => {
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const directory = join(temporaryDirectory(t), 'data');
  openServerSecret(directory, '');
  assert.equal(statSync(join(directory, 'secret.key')).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test('nothing but the secret file is left in the directory', (t) => {
  const directory = temporaryDirectory(t);
  openServerSecret(directory, '');
  assert.deepEqual(readdirSync(directory), ['secret.key']);
});

test('a configured secret is used, and no file is created', (t) => {
  const directory = temporaryDirectory(t);
  assert.deepEqual(openServerSecret(directory, 'ab'.repeat(32)), Buffer.alloc(32, 0xab));
  assert.equal(existsSync(join(directory, 'secret.key')), false);
});

test('a missing secret is not created anew where there are accounts, and the message says what to do', (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'accounts.db'), '');
  assert.throws(() => openServerSecret(directory, ''), {
    code: 'unavailable',
    message: /secret\.key is missing, and the stored keys are encrypted with it; restore it, or set/,
  });
  assert.equal(existsSync(join(directory, 'secret.key')), false);
});

const damaged: Readonly<Record<string, string>> = {
  'is empty': '',
  'was cut short': 'ab'.repeat(31),
  'lacks one digit': 'ab'.repeat(32).slice(1),
  'has a letter that is no hex digit': `${'ab'.repeat(31)}xy`,
  'has a digit too many': `${'ab'.repeat(32)}a`,
  'has other text behind the digits': `${'ab'.repeat(32)} and more`,
};
for (const [how, content] of Object.entries(damaged)) {
  test(`a secret file that ${how} is refused with its path, and left unchanged`, (t) => {
    const path = join(temporaryDirectory(t), 'secret.key');
    writeFileSync(path, content);
    assert.throws(() => openServerSecret(join(path, '..'), ''), {
      message: `${path} is damaged: it must hold 64 hex digits`,
    });
    assert.equal(readFileSync(path, 'utf8'), content);
  });
}

test('four processes that start concurrently share one secret', async (t) => {
  const workers = await startWorkers(t, 4);
  for (let round = 0; round < 20; round += 1) {
    const directory = temporaryDirectory(t);
    const secrets = await Promise.all(workers.map((worker) => worker.run({ task: 'secret', directory })));
    assert.deepEqual([...new Set(secrets)], [openServerSecret(directory, '').toString('hex')]);
    assert.deepEqual(readdirSync(directory), ['secret.key']);
  }
});

test('a key sealed for a user opens for that user', () => {
  fc.assert(
    fc.property(anyText, anyText, (key, username) => {
      assert.equal(vault.open(vault.seal(key, username), username), key);
    }),
  );
});

test('a sealed key does not open for another username', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (key, username, other) => {
      fc.pre(username !== other);
      assert.throws(() => vault.open(vault.seal(key, username), other));
    }),
  );
});

test('a sealed key does not open with any one bit flipped', () => {
  const sealed = vault.seal(canaryKey(), 'ada');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => vault.open(changed, 'ada'));
  }
});

test('a sealed key does not open when truncated or extended', () => {
  const sealed = vault.seal(canaryKey(), 'ada');
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => vault.open(sealed.subarray(0, length), 'ada'));
  }
  assert.throws(() => vault.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'ada'));
});

test('a sealed key does not open with another secret, and the message says what to do', () => {
  const sealed = vault.seal(canaryKey(), 'ada');
  assert.throws(() => keyVault(Buffer.alloc(32, 8)).open(sealed, 'ada'), {
    message:
      'the stored key of ada cannot be decrypted with this server secret; ' +
      'restore the secret.key that it was stored with, or reset the key',
  });
});

test('sealing a key twice gives two different ciphertexts, and neither contains the key', () => {
  const key = canaryKey();
  const [first, second] = [vault.seal(key, 'ada'), vault.seal(key, 'ada')];
  assert.notDeepEqual(first, second);
  assert.ok(!first.includes(key) && !second.includes(key));
});
