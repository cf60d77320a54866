import assert from 'node:assert/strict';
import { createCipheriv, hash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ClientSketch } from '../../../src/model/detect/client-sketch.ts';

/** Evenly distributed bits, as a keyed hash has: the key stream of AES. */
function hashesOf(key: string, count: number): readonly Uint8Array[] {
  const stream = createCipheriv('aes-128-ctr', hash('md5', key, 'buffer'), Buffer.alloc(16));
  const bytes = stream.update(Buffer.alloc(8 * count));
  return Array.from({ length: count }, (_, at) => bytes.subarray(8 * at, 8 * at + 8));
}

function estimated(key: string, count: number, times = 1): number {
  const sketch = new ClientSketch();
  const hashes = hashesOf(key, count);
  for (let round = 0; round < times; round += 1) for (const each of hashes) sketch.add(each);
  return sketch.estimate();
}

test('up to ten different values are counted to the number', () => {
  for (let count = 0; count <= 10; count += 1) assert.equal(estimated('few', count), count);
});

test('an estimate is within 15 % of the number, for any key', () => {
  const sizes = fc.integer({ min: 20, max: 20_000 });
  fc.assert(
    fc.property(fc.string(), sizes, (key, count) => {
      const error = Math.abs(estimated(key, count) - count);
      // More than four standard errors.
      assert.ok(error <= Math.max(3, 0.15 * count), `${estimated(key, count)} for ${count}`);
    }),
    { numRuns: 15 },
  );
});

test('the mean error of many sketches is near the standard error of 3.25 %', () => {
  const count = 5000;
  const errors = Array.from({ length: 30 }, (_, at) => estimated(`key ${at}`, count) / count - 1);
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
  assert.ok(deviation > 0.01 && deviation < 0.06, `${deviation}`);
});

test('a value that comes again changes nothing', () => {
  assert.equal(estimated('again', 300, 3), estimated('again', 300));
  const sketch = new ClientSketch();
  const [one = new Uint8Array()] = hashesOf('a', 1);
  assert.equal(sketch.add(one), true);
  assert.equal(sketch.add(one), false);
});

test('an erased sketch is empty', () => {
  const sketch = new ClientSketch();
  for (const one of hashesOf('a', 5)) sketch.add(one);
  sketch.erase();
  assert.equal(sketch.estimate(), 0);
});
