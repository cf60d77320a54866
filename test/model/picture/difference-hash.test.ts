import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  alikeBitsMax,
  differenceHash,
  hammingDistance,
  hashColumns,
  hashRows,
  isDifferenceHash,
  isTelling,
  nearbyQuarters,
  quartersOf,
} from '../../../src/model/picture/difference-hash.ts';

const hash = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map((bits) => bits.toString(16).padStart(16, '0'));
const flips = fc.uniqueArray(fc.nat(63), { maxLength: alikeBitsMax });

function flipped(from: string, bits: readonly number[]): string {
  const changed = bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), BigInt(`0x${from}`));
  return changed.toString(16).padStart(16, '0');
}

test('each bit says whether a pixel is brighter than its left neighbour', () => {
  const rising = Uint8Array.from({ length: hashColumns * hashRows }, (_, at) => at % hashColumns);
  assert.equal(differenceHash(rising), 'f'.repeat(16));
  assert.equal(differenceHash(rising.map((grey) => 255 - grey)), '0'.repeat(16));
  const first = new Uint8Array(hashColumns * hashRows);
  first[1] = 1;
  assert.equal(differenceHash(first), `80${'0'.repeat(14)}`);
});

test('a hash is 16 hex digits in lower case', () => {
  assert.deepEqual(
    ['00ff00ff00ff00ff', '00FF00FF00FF00FF', '00ff', '00ff00ff00ff00fg'].map(isDifferenceHash),
    [true, false, false, false],
  );
});

test('the distance is the number of bits that differ', () => {
  fc.assert(
    fc.property(hash, fc.uniqueArray(fc.nat(63)), (one, bits) => {
      assert.equal(hammingDistance(one, flipped(one, bits)), bits.length);
    }),
  );
});

test('hashes within the bound share a quarter but for one bit', () => {
  fc.assert(
    fc.property(hash, flips, (one, bits) => {
      const other = quartersOf(flipped(one, bits));
      assert.ok([...nearbyQuarters(one)].some(([quarter, value]) => other[quarter] === value));
    }),
  );
});

test('an empty page says nothing', () => {
  assert.deepEqual(['0000000000000000', '0000000000000100', '00ff00ff00ff00ff'].map(isTelling), [
    false,
    false,
    true,
  ]);
});
