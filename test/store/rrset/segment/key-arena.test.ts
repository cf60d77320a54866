import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KeyArena } from '../../../../src/store/rrset/segment/key-arena.ts';

function arenaOf(keys: readonly Uint8Array[]): KeyArena {
  const arena = new KeyArena(16, 1);
  for (const [index, key] of keys.entries()) {
    arena.observe(index, index, index + 2 ** 40, 3);
    const at = arena.reserve(key.length);
    arena.bytes.set(key, at);
    arena.push(at + key.length);
  }
  return arena;
}

function sortedBy(arena: KeyArena, keys: readonly Uint8Array[]): string[] {
  return [...arena.sorted()].map((entry) => Buffer.from(keys[arena.firstOf(entry)] ?? []).toString('hex'));
}

const expected = (keys: readonly Uint8Array[]) =>
  keys.toSorted((left, right) => Buffer.compare(left, right)).map((key) => Buffer.from(key).toString('hex'));

/** Few different bytes, zeros among them, so that keys share prefixes and extend each other. */
const key = fc.array(fc.constantFrom(0, 1, 2, 255), { maxLength: 14 }).map((bytes) => Uint8Array.from(bytes));

test('keys are sorted by bytes, a key before its extensions', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (keys) => {
      assert.deepEqual(sortedBy(arenaOf(keys), keys), expected(keys));
    }),
  );
});

test('many equal keys, and keys that differ only in trailing zeros, are sorted', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => new Uint8Array(4 + (index % 9)));
  assert.deepEqual(sortedBy(arenaOf(keys), keys), expected(keys));
});

test('long keys with a long common prefix are sorted without a stack overflow', () => {
  const keys = Array.from({ length: 50 }, (_, index) => new Uint8Array(60_000).fill(7).fill(index, 59_999));
  assert.deepEqual(sortedBy(arenaOf(keys.toReversed()), keys.toReversed()), expected(keys));
});

test('sameKey is true for equal keys only', () => {
  const arena = arenaOf([Uint8Array.of(1, 2), Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0)]);
  const [one, same, longer] = arena.sorted() as unknown as [number, number, number];
  assert.equal(arena.sameKey(one, same), true);
  assert.equal(arena.sameKey(one, longer), false);
});

test('each key keeps its sighting', () => {
  const arena = arenaOf([Uint8Array.of(2), Uint8Array.of(1)]);
  const sightings = [...arena.sorted()].map((entry) => [
    arena.firstOf(entry),
    arena.lastOf(entry),
    arena.countOf(entry),
    arena.unitOf(entry),
  ]);
  assert.deepEqual(sightings, [
    [1, 1, 1 + 2 ** 40, 3],
    [0, 0, 2 ** 40, 3],
  ]);
});
