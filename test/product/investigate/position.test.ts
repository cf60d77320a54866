import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PositionCodec } from '../../../src/product/investigate/position.ts';

const key = randomBytes(32);
const positions = new PositionCodec(key);
const owner = { accountId: 'a', digest: Buffer.alloc(32, 1) };

test('INV-S03 a position is 32 hex digits and decodes to its snapshot and offset', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.array(fc.nat()), (offset, ids) => {
      const position = { snapshot: positions.snapshotIdOf(owner, ids), offset };
      const text = positions.encode(owner, position);
      assert.match(text, /^[0-9a-f]{32}$/);
      assert.deepEqual(positions.find(owner, text), position);
      assert.deepEqual(new PositionCodec(key).find(owner, text.toUpperCase()), position);
    }),
  );
});

test('INV-S04 a position with any bit altered, or of another account, search or server, is invalid', () => {
  const text = positions.encode(owner, { snapshot: positions.snapshotIdOf(owner, [1, 2]), offset: 500 });
  const bytes = Buffer.from(text, 'hex');
  for (let bit = 0; bit < 128; bit += 1) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.equal(positions.find(owner, altered.toString('hex')), undefined);
  }
  assert.equal(positions.find({ ...owner, accountId: 'b' }, text), undefined);
  assert.equal(positions.find({ ...owner, digest: Buffer.alloc(32, 2) }, text), undefined);
  assert.equal(new PositionCodec(randomBytes(32)).find(owner, text), undefined);
  for (const other of ['', text.slice(1), `${text}00`, 'x'.repeat(32), '\0'.repeat(32)])
    assert.equal(positions.find(owner, other), undefined);
});

test('the same results of the same search have the same snapshot id, other results another', () => {
  const id = positions.snapshotIdOf(owner, [1, 2, 3]);
  assert.equal(positions.snapshotIdOf(owner, [1, 2, 3]), id);
  assert.notEqual(positions.snapshotIdOf(owner, [1, 3, 2]), id);
  assert.notEqual(positions.snapshotIdOf({ ...owner, accountId: 'b' }, [1, 2, 3]), id);
});
