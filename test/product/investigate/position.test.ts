import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Positions } from '../../../src/product/investigate/position.ts';

const key = randomBytes(32);
const positions = new Positions(key);
const owner = { accountId: 'a', digest: Buffer.alloc(32, 1) };

test('INV-S03 a position is 32 hex digits and leads back to where it was made for', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.array(fc.nat()), (offset, ids) => {
      const place = { walk: positions.walkOf(owner, ids), offset };
      const text = positions.text(owner, place);
      assert.match(text, /^[0-9a-f]{32}$/);
      assert.deepEqual(positions.find(owner, text), place);
      assert.deepEqual(new Positions(key).find(owner, text.toUpperCase()), place);
    }),
  );
});

test('INV-S04 a position with any bit altered, of another account, search or server is none', () => {
  const text = positions.text(owner, { walk: positions.walkOf(owner, [1, 2]), offset: 500 });
  const bytes = Buffer.from(text, 'hex');
  for (let bit = 0; bit < 128; bit += 1) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.equal(positions.find(owner, altered.toString('hex')), undefined);
  }
  assert.equal(positions.find({ ...owner, accountId: 'b' }, text), undefined);
  assert.equal(positions.find({ ...owner, digest: Buffer.alloc(32, 2) }, text), undefined);
  assert.equal(new Positions(randomBytes(32)).find(owner, text), undefined);
  for (const other of ['', text.slice(1), `${text}00`, 'x'.repeat(32), '\0'.repeat(32)])
    assert.equal(positions.find(owner, other), undefined);
});

test('the same results of the same search are the same walk, others are another', () => {
  const walk = positions.walkOf(owner, [1, 2, 3]);
  assert.equal(positions.walkOf(owner, [1, 2, 3]), walk);
  assert.notEqual(positions.walkOf(owner, [1, 3, 2]), walk);
  assert.notEqual(positions.walkOf({ ...owner, accountId: 'b' }, [1, 2, 3]), walk);
});
