/** Scans that are interrupted as often as possible, and resume in segments that are reopened. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { Manifest } from '../../../../src/store/embedded/rrset/manifest.ts';
import { OpenSegments } from '../../../../src/store/embedded/rrset/open-segments.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import { planScan } from '../../../../src/store/rrset/scan/plan-scan.ts';
import { BlockCache } from '../../../../src/store/rrset/segment/block-cache.ts';
import type { Row, RowFilter, Scan } from '../../../../src/store/rrset-store.ts';
import { record } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { rowsFor, shown } from '../../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

/** With no time left, a scan yields after every few dozen keys. */
const noTime = Number.NEGATIVE_INFINITY;

async function segmentsOf(t: TestContext, batches: readonly (readonly Parameters<typeof shown>[0][])[]) {
  const directory = temporaryDirectory(t);
  const store = openRrsetStore(directory, { now: () => any.nowSeconds * 1000 });
  for (const batch of batches) await record(store, batch as never);
  await store.close();
  const manifest = new Manifest(join(directory, 'rrsets'));
  const segments = new OpenSegments(join(directory, 'rrsets'), manifest, new BlockCache(1 << 20));
  t.after(() => {
    segments.close();
    manifest.close();
  });
  return segments.current();
}

function scanAll(
  segments: Awaited<ReturnType<typeof segmentsOf>>,
  scan: Scan,
): { rows: Row[]; slices: number } {
  const resumable = planScan(scan);
  const rows: Row[] = [];
  for (let slices = 1; ; slices += 1) {
    resumable.rebind(segments);
    if (resumable.gather(rows, rows.length + 1000, noTime)) return { rows, slices };
  }
}

test('a scan that is interrupted again and again returns every row once', async (t) => {
  const observations = fc.sample(any.observation, { numRuns: 1200, seed: 11 });
  const segments = await segmentsOf(t, [observations.slice(0, 800), observations.slice(800)]);
  fc.assert(
    fc.property(any.scan, (scan) => {
      const { rows } = scanAll(segments, scan);
      assert.deepEqual(rows.map(shown).sort(), rowsFor(observations, scan).sort());
    }),
    { numRuns: 150 },
  );
});

const base = {
  origin: 'sensor',
  bailiwick: any.wire('.'),
  firstSeconds: 1,
  lastSeconds: 2,
  count: 1,
} as const;
const everything: RowFilter = { types: 'any', fences: {} };

test('a scan of children yields even where no child has rows of its own', async (t) => {
  const deep = Array.from({ length: 1000 }, (_, number) => ({
    ...base,
    owner: any.wire(`www.n${number}.com.`),
    type: 1,
    rdata: [any.rdata(1, '192.0.2.1')],
  }));
  const segments = await segmentsOf(t, [deep]);
  const selection = { by: 'owner', name: any.wire('com.'), span: 'child' } as const;
  const { rows, slices } = scanAll(segments, { selection, filter: everything, merged: true, nowSeconds: 3 });
  assert.deepEqual(rows, []);
  assert.ok(slices > 10, `${slices} slices`);
});

test('a scan of rdata yields even where none of it is a name', async (t) => {
  const mail = Array.from({ length: 1000 }, (_, number) => ({
    ...base,
    owner: any.wire('com.'),
    type: 15,
    rdata: [any.rdata(15, `10 m${number}.example.com.`)],
  }));
  const segments = await segmentsOf(t, [mail]);
  const selection = { by: 'rdata-prefix', bytes: Uint8Array.of(0) } as const;
  const filter = { ...everything, types: { only: new Set([2]) } };
  const { rows, slices } = scanAll(segments, { selection, filter, merged: true, nowSeconds: 3 });
  assert.deepEqual(rows, []);
  assert.ok(slices > 25, `${slices} slices`);
});
