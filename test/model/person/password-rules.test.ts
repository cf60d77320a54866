import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPasswordFault } from '../../../src/model/person/password-rules.ts';

test('a password of fewer than 12 characters is refused, counted as characters', () => {
  assert.match(findPasswordFault('tiny Horse7', 'ada') ?? '', /at least 12/);
  assert.match(findPasswordFault('🐎🐎🐎🐎🐎🐎', 'ada') ?? '', /at least 12/);
  assert.match(findPasswordFault('x7'.repeat(200), 'ada') ?? '', /at most 256/);
});

test('passwords that everybody tries are refused, with digits, signs and letters exchanged', () => {
  const guessable = [
    'password1234',
    'P@ssw0rd2026!',
    'Passw0rd!Passw0rd!',
    'qwertyuiop123',
    '123456789012',
    'Welcome-2026-Admin',
    'letmeinletmein',
    'changeme-please',
    'ada.lovelace123',
    'Nameglass2026!',
    '2026-11-16-12',
    'aaaaaaaaaaaaaa',
  ];
  const accepted = guessable.filter((password) => findPasswordFault(password, 'ada.lovelace') === undefined);
  assert.deepEqual(accepted, []);
});

test('long passwords of unrelated words or random characters are accepted', () => {
  for (const password of [
    'correct horse battery',
    'k9#Lq2!vTz0pWm',
    'trois petits cochons',
    'パスワードではない文です長い',
  ])
    assert.equal(findPasswordFault(password, 'ada'), undefined, password);
});
