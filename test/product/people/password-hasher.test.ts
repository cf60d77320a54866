import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PasswordHasher, passwordCost } from '../../../src/product/people/password-hasher.ts';

const cheap = { memoryKib: 8, passes: 1 };

test('by default a hash costs 19 MiB and two passes of argon2id', async () => {
  assert.deepEqual(passwordCost, { memoryKib: 19_456, passes: 2 });
  const stored = await new PasswordHasher().hash('correct horse battery');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('a hash of the reference implementation is verified', async () => {
  // printf password | argon2 somesalt -id -t 2 -m 16 -p 1
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  const hasher = new PasswordHasher(cheap);
  assert.equal(await hasher.verify('password', stored), true);
  assert.equal(await hasher.verify('Password', stored), false);
});

test('only the password itself verifies, in composed and decomposed form', async () => {
  const hasher = new PasswordHasher(cheap);
  const stored = await hasher.hash('café au lait crème');
  assert.equal(await hasher.verify('café au lait crème'.normalize('NFD'), stored), true);
  assert.equal(await hasher.verify('cafe au lait creme', stored), false);
  assert.notEqual(await hasher.hash('café au lait crème'), stored);
});

test('without a hash, or with something that is none, nothing verifies', async () => {
  const hasher = new PasswordHasher(cheap);
  for (const stored of [undefined, '', 'none', '$argon2id$v=19$m=8,t=1,p=1$$'])
    assert.equal(await hasher.verify('', stored), false);
});

test('four are computed at once, twenty wait, and the rest is refused for now', async () => {
  const hasher = new PasswordHasher(cheap);
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash('x')));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 24);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  assert.equal(refused?.reason.code, 'unavailable');
  await hasher.hash('works again');
});
