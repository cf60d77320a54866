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
  assert.deepEqual(first?.act, { domain: 'cloudpantry-help.example' });
  assert.equal(first?.subject, 'cloudpantry-help[.]example');
});

test('a pasted address leads to the domains at it', () => {
  assert.deepEqual(paletteItems('127[.]0[.]0[.]1', bindings)[0]?.act, { search: { ip: ['127.0.0.1'] } });
});
