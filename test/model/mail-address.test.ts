import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMailAddress } from '../../src/model/mail-address.ts';

test('a single plain address is accepted, and nothing else', () => {
  for (const good of ['a@b', 'soc+nameglass@example.com', "o'neil@mail.example", 'root@localhost'])
    assert.ok(isMailAddress(good), good);
  const several = [
    '',
    'a',
    '@b',
    'a@',
    'a@b, c@d',
    'a@b;c@d',
    'A <a@b>',
    '<a@b>',
    '"a b"@c',
    'a@b@c',
    'a@-b',
  ];
  const broken = ['a@b\r\nBcc: c@d', 'a@b\n', 'a\0@b', 'ä@b', `${'a'.repeat(65)}@b`, 'a@[127.0.0.1]', 'a @b'];
  for (const bad of [...several, ...broken]) assert.ok(!isMailAddress(bad), bad);
});
