import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paletteItems } from '../../web/src/app/palette-items.ts';
import type { KeyBinding } from '../../web/src/keys/key-registry.ts';

const binding = (keys: string, label: string, more: Partial<KeyBinding> = {}): KeyBinding => ({
  keys,
  label,
  group: 'General',
  run: () => undefined,
  ...more,
});
const bindings = [
  binding('w', 'Watch'),
  binding('g d', 'Recent decisions'),
  binding('b', 'Block', { disabled: 'no' }),
];

test('without a text the palette lists what the keyboard can do now', () => {
  assert.deepEqual(
    paletteItems('', bindings).map(({ label, keys }) => [label, keys]),
    [
      ['Watch', 'w'],
      ['Recent decisions', 'g d'],
    ],
  );
});

test('words find commands in any order', () => {
  assert.equal(paletteItems('deci rec', bindings)[0]?.label, 'Recent decisions');
});

test('a pasted URL leads to its domain first, shown defanged', () => {
  const [first] = paletteItems('hxxps://cloudpantry-help[.]example/login', bindings);
  assert.deepEqual(first?.act, { href: '/domain/cloudpantry-help.example' });
  assert.equal(first?.subject, 'cloudpantry-help[.]example');
});

const firstAddress = (pasted: string) => {
  const act = paletteItems(pasted, bindings)[0]?.act;
  return act && 'href' in act ? act.href : undefined;
};

const pages: readonly (readonly [what: string, pasted: string, address: string])[] = [
  ['an address', '127[.]0[.]0[.]1', '/ip/127.0.0.1'],
  ['an IPv6 address', '2001:db8::1', '/ip/2001%3Adb8%3A%3A1'],
  ['an e-mail address', 'abuse[@]velt[.]example', '/mail/abuse%40velt.example'],
  [
    'the SHA-1 of a certificate',
    'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709',
    '/cert/da39a3ee5e6b4b0d3255bfef95601890afd80709',
  ],
  [
    'a search hash',
    'AatWKsnILFayUqpQqlGKLEnMTk1R0lEqS8wpTVWqBQA',
    '/search/h/AatWKsnILFayUqpQqlGKLEnMTk1R0lEqS8wpTVWqBQA',
  ],
  ['a list of names', 'one[.]example, two.example', '/search?domain=one.example&domain=two.example'],
  ['a list of addresses', '192.0.2.1 192.0.2.2', '/search?ip=192.0.2.1&ip=192.0.2.2'],
];

for (const [what, pasted, address] of pages) {
  test(`${what} that is pasted leads to its page first`, () => {
    assert.equal(firstAddress(pasted), address);
  });
}

test('a pasted name can be searched for, in passive DNS and in Triage as well', () => {
  const addresses = paletteItems('cloudpantry[.]example', []).map(({ act }) => 'href' in act && act.href);
  assert.ok(addresses.includes('/search?domain=cloudpantry.example'));
  assert.ok(addresses.includes('/pdns?name=cloudpantry.example'));
  assert.ok(addresses.includes('/ns/cloudpantry.example'));
  assert.ok(addresses.includes('/triage?q=cloudpantry.example'));
});
