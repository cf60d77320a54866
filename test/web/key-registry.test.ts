import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyBinding, KeyRegistry } from '../../web/src/keys/key-registry.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<typeof none> = {}) => ({ ...none, key, ...held });
const binding = (keys: string, more: Partial<KeyBinding> = {}): KeyBinding => ({
  keys,
  label: keys,
  group: 'General',
  run: () => undefined,
  ...more,
});

function registryOf(...bindings: readonly KeyBinding[]): KeyRegistry {
  const registry = new KeyRegistry();
  registry.add(() => bindings);
  return registry;
}

test('a key finds its binding, and an unknown key none', () => {
  const registry = registryOf(binding('j'));
  assert.equal(registry.find(press('j'), false)?.keys, 'j');
  assert.equal(registry.find(press('q'), false), undefined);
});

test('capital letters are written with Shift, signs as they are', () => {
  const registry = registryOf(binding('Shift+X'), binding('*'));
  assert.equal(registry.find(press('X', { shiftKey: true }), false)?.keys, 'Shift+X');
  assert.equal(registry.find(press('*', { shiftKey: true }), false)?.keys, '*');
});

test('two keys after one another are one binding, and a wrong second key ends it', () => {
  const registry = registryOf(binding('g d'), binding('d'));
  assert.equal(registry.find(press('g'), false), undefined);
  assert.equal(registry.find(press('d'), false)?.keys, 'g d');
  registry.find(press('g'), false);
  assert.equal(registry.find(press('x'), false), undefined);
  assert.equal(registry.find(press('d'), false)?.keys, 'd');
});

test('while somebody types only Escape and keys with Ctrl are ours', () => {
  const registry = registryOf(binding('j'), binding('ArrowDown'), binding('Escape'), binding('Mod+k'));
  const found = [press('j'), press('ArrowDown'), press('Escape'), press('k', { ctrlKey: true })];
  assert.deepEqual(
    found.map((one) => registry.find(one, true)?.keys),
    [undefined, undefined, 'Escape', 'Mod+k'],
  );
});

test('single keys can be switched off, and the rest stays', () => {
  const registry = registryOf(binding('j'), binding('ArrowDown'), binding('Mod+k'));
  registry.charactersEnabled = false;
  const found = [press('j'), press('ArrowDown'), press('k', { metaKey: true })];
  assert.deepEqual(
    found.map((one) => registry.find(one, false)?.keys),
    [undefined, 'ArrowDown', 'Mod+k'],
  );
});

test('a disabled binding does nothing', () => {
  assert.equal(registryOf(binding('w', { disabled: 'needs triage' })).find(press('w'), false), undefined);
});

test('the newest layer comes first, and is gone when it is removed', () => {
  const registry = registryOf(binding('Escape', { label: 'page' }));
  const remove = registry.add(() => [binding('Escape', { label: 'card' })]);
  assert.equal(registry.find(press('Escape'), false)?.label, 'card');
  assert.deepEqual(
    registry.all().map(({ label }) => label),
    ['card'],
  );
  remove();
  assert.equal(registry.find(press('Escape'), false)?.label, 'page');
});
