import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rrset } from '../../../../src/model/dns/rrset.ts';
import { NewlyObservedScanner } from '../../../../src/store/rrset/scan/newly-observed-scanner.ts';
import { SeenBefore } from '../../../../src/store/rrset/scan/seen-before.ts';
import type { NewlyObservedRrset } from '../../../../src/store/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { storedSegments } from '../../../harness/fixtures/open-segments.ts';

const txt = 16;

function seen(origin: Rrset['origin'], owner: string, text: string): Rrset {
  const rdata = [Buffer.from(`${String.fromCharCode(text.length)}${text}`)];
  const sighting = { firstSeconds: 100, lastSeconds: 100, count: 1 };
  return {
    origin,
    owner: any.wire(owner),
    type: txt,
    bailiwick: any.wire('example.com.'),
    rdata,
    ...sighting,
  };
}

test('an RRset whose evaluation is interrupted by the end of a slice is part of a later slice', async (t) => {
  // Of this name only zone files are known, so the search for a sensor reads all of them.
  const inZones = Array.from({ length: 100 }, (_, index) =>
    seen('zone', 'www.example.com.', `zone ${index}`),
  );
  const { segments } = await storedSegments(t, [
    [seen('sensor', 'mail.example.com.', 'known'), ...inZones],
    [seen('sensor', 'mail.example.com.', 'new'), seen('sensor', 'www.example.com.', 'new')],
  ]);
  const open = segments.current();
  const batch = open.reduce((a, b) => (a.summary.sequence > b.summary.sequence ? a : b)).summary;
  const scanner = new NewlyObservedScanner({ ...batch, silenceSeconds: 10, seenBefore: new SeenBefore() });
  const slices: number[] = [];
  for (let done = false; !done; ) {
    const items: NewlyObservedRrset[] = [];
    scanner.rebind(open);
    done = scanner.gather(items, 100, Number.NEGATIVE_INFINITY);
    slices.push(items.length);
  }
  assert.ok(slices.length > 2, 'it was interrupted');
  assert.equal(
    slices.reduce((sum, items) => sum + items),
    2,
  );
});
