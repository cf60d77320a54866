import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isPackedRrset, unpackRrset } from '../../../src/model/dns/packed-rrset.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { ObservationBatch } from '../../../src/store/rrset/observation-batch.ts';
import * as any from '../../harness/arbitraries/rrset-arbitraries.ts';

function packed(set: Rrset): Uint8Array {
  const batch = new ObservationBatch(16);
  batch.add(set);
  return Uint8Array.from(batch.contents());
}

test('an RRset is the same after packing', () => {
  fc.assert(
    fc.property(any.observation, (set) => {
      const bytes = packed(set);
      assert.ok(isPackedRrset(bytes, bytes.length));
      assert.deepEqual(unpackRrset(bytes), { ...set, rdata: set.rdata.map((one) => Uint8Array.from(one)) });
    }),
    { numRuns: 200 },
  );
});

test('a packed RRset that is cut off or continued is noticed', () => {
  for (const set of fc.sample(any.observation, { numRuns: 20, seed: 5 })) {
    const bytes = packed(set);
    for (let end = 0; end < bytes.length; end += 1) assert.ok(!isPackedRrset(bytes, end));
    const longer = Uint8Array.from([...bytes, 0, 0]);
    assert.ok(!isPackedRrset(longer, longer.length));
  }
});
