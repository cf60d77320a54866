import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMailAddresses } from '../../../src/model/registration/find-mail-addresses.ts';

test('a mail address with a Unicode host is found in punycode', () => {
  assert.deepEqual(findMailAddresses('E-Mail: Info@Müller.de, sales@büro.müller.example.'), [
    'info@xn--mller-kva.de',
    'sales@xn--bro-hoa.xn--mller-kva.example',
  ]);
  assert.deepEqual(findMailAddresses('почта: info@почта.рф'), ['info@xn--80a1acny.xn--p1ai']);
});

test('a mail address ends where text in another script follows it', () => {
  assert.deepEqual(findMailAddresses('邮箱info@x.cn联系电话'), ['info@x.cn']);
  assert.deepEqual(findMailAddresses('メール:info@x.jp。'), ['info@x.jp']);
});

test('texts around an @ that are no addresses are not found', () => {
  for (const text of ['@', 'a@', '@müller.de', 'a@ü', 'a@müller', '@@@', 'ü@ü@ü'])
    assert.deepEqual(findMailAddresses(text), [], text);
});
