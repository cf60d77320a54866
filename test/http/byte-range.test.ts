import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readByteRange } from '../../src/http/byte-range.ts';

for (const [header, size, expected] of [
  ['bytes=0-0', 10, { from: 0, to: 1 }],
  ['bytes=2-4', 10, { from: 2, to: 5 }],
  ['bytes=2-', 10, { from: 2, to: 10 }],
  ['bytes=-3', 10, { from: 7, to: 10 }],
  ['bytes=-30', 10, { from: 0, to: 10 }],
  ['bytes=9-99', 10, { from: 9, to: 10 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=4-2', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['bytes=0-1,4-5', 10, 'whole'],
  ['bytes= 0-1', 10, 'whole'],
  ['lines=0-1', 10, 'whole'],
  ['bytes=0x1-2', 10, 'whole'],
  ['bytes=9999999999999999999-', 10, 'whole'],
  ['', 10, 'whole'],
  [undefined, 10, 'whole'],
] as const) {
  test(`Range: ${header} of ${size} bytes is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readByteRange(header, size), expected);
  });
}

test('every satisfiable range is within the content and not empty', () => {
  const number = fc.option(fc.nat(30), { nil: '' });
  fc.assert(
    fc.property(number, number, fc.nat(20), (first, last, size) => {
      const range = readByteRange(`bytes=${first}-${last}`, size);
      if (typeof range === 'string') return;
      assert.ok(0 <= range.from && range.from < range.to && range.to <= size);
    }),
  );
});
