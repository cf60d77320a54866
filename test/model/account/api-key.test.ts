import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  findKeyFault,
  findUsernameFault,
  isBatchKeyForm,
  keyDigest,
  newApiKey,
  newBatchKey,
  newId,
} from '../../../src/model/account/api-key.ts';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const many = <Item>(make: () => Item) => Array.from({ length: 1000 }, make);

test('a new API key has a prefix, 160 bits in hex and a checksum of four digits', () => {
  for (const key of many(newApiKey)) assert.match(key, /^ngk_[0-9a-f]{44}$/);
});

test('the checksum of a new API key is the start of the SHA-256 of everything before it', () => {
  for (const key of many(newApiKey)) assert.equal(key.slice(-4), sha256(key.slice(0, -4)).slice(0, 4));
});

test('new keys and ids are unique', () => {
  for (const make of [newApiKey, newBatchKey, newId]) assert.equal(new Set(many(make)).size, 1000);
});

test("a new API key is acceptable as an operator's own key", () => {
  assert.equal(findKeyFault(newApiKey()), undefined);
});

test('a new batch key has the form of a batch key', () => {
  for (const key of many(newBatchKey)) assert.ok(isBatchKeyForm(key));
});

test('an id has ten letters and digits, and all of them occur', () => {
  const ids = many(newId);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9]{10}$/);
  assert.equal(new Set(ids.join('')).size, 62);
});

test('a key is found by its SHA-256 in hex', () => {
  const key = canaryKey();
  assert.equal(keyDigest(key), sha256(key));
  assert.equal(keyDigest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('');

for (const accepted of [canaryKey(), 'k'.repeat(8), 'k'.repeat(256), printable]) {
  test(`a key of ${accepted.length} printable characters is accepted`, () => {
    assert.equal(findKeyFault(accepted), undefined);
  });
}

const characters = 'a key must be printable ASCII without spaces';
const keyFaults: Readonly<Record<string, readonly [key: string, fault: string]>> = {
  'too short a key': ['k'.repeat(7), 'a key must have at least 8 characters'],
  'too long a key': ['k'.repeat(257), 'a key must have at most 256 characters'],
  'an empty key': ['', characters],
  'a key with a space': ['my secret key', characters],
  'a key with a line break at its end': ['12345678\n', characters],
  'a key with a control character': ['12345678\u0007', characters],
  'a key with DEL': ['12345678\u007f', characters],
  'a key with a letter beyond ASCII': ['schlüssel', characters],
};
for (const [what, [key, fault]] of Object.entries(keyFaults)) {
  test(`${what} is refused with a reason`, () => {
    assert.equal(findKeyFault(key), fault);
  });
}

for (const username of ['a', '7', 'ada.l', 'ada_l', 'ada@example.com', 'a-b', 'a'.repeat(64)]) {
  test(`the username ${username} is accepted`, () => {
    assert.equal(findUsernameFault(username), undefined);
  });
}

for (const username of ['', '.ada', '-ada', '_ada', '@ada', 'a b', 'a/b', 'ädä', 'ada\n', 'a'.repeat(65)]) {
  test(`the username ${JSON.stringify(username)} is refused`, () => {
    assert.equal(
      findUsernameFault(username),
      'a username must have 1 to 64 letters, digits or . _ @ -, and start with a letter or digit',
    );
  });
}

test('a batch key is a UUID in either letter case, and nothing else', () => {
  const key = canaryBatchKey();
  assert.deepEqual([isBatchKeyForm(key), isBatchKeyForm(key.toUpperCase())], [true, true]);
  for (const other of ['', key.slice(1), `${key}0`, `{${key}}`, key.replaceAll('-', ''), `${key}\n`]) {
    assert.equal(isBatchKeyForm(other), false);
  }
});
