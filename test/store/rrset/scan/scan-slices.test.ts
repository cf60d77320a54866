import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { planScan } from '../../../../src/store/rrset/scan/plan-scan.ts';
import type { ResumableScan } from '../../../../src/store/rrset/scan/resumable-scan.ts';
import { ScanBuffers } from '../../../../src/store/rrset/scan/scan-buffers.ts';
import { ScanSlices } from '../../../../src/store/rrset/scan/scan-slices.ts';
import type { Row, Scan } from '../../../../src/store/rrset-store.ts';
import { all } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { hostileTexts } from '../../../harness/fixtures/hostile-texts.ts';
import { storedSegments } from '../../../harness/fixtures/open-segments.ts';
import { shown } from '../../../harness/reference/rrset-reference.ts';

const everything: Scan = {
  selection: { by: 'owner', name: any.wire('.'), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds: any.nowSeconds,
};

test('scans that alternate with fewer buffers than scans return every row once', async (t) => {
  const observations = fc.sample(any.observation, { numRuns: 600, seed: 12 });
  const { segments } = await storedSegments(t, [observations.slice(0, 400), observations.slice(400)]);
  const resources = { segments, buffers: new ScanBuffers(2) };
  const scans = fc.sample(any.scan, { numRuns: 40, seed: 13 });
  const running = scans.map((scan) => new ScanSlices(planScan(scan), resources, 7));
  const found: Row[][] = scans.map(() => []);
  for (const left = new Set(running.keys()); left.size > 0; ) {
    for (const index of left) {
      const step = await running[index]?.next();
      if (step?.done !== false) left.delete(index);
      else found[index]?.push(...step.value);
    }
  }
  for (const [index, scan] of scans.entries()) {
    const alone = new ScanSlices(planScan(scan), { segments, buffers: new ScanBuffers(1) }, 1000);
    assert.deepEqual(found[index]?.map(shown), (await all(alone)).map(shown));
  }
});

test('only the scans that worked last hold buffers, and a scan that has ended or was abandoned holds none', async (t) => {
  const { segments } = await storedSegments(t, [fc.sample(any.observation, { numRuns: 200, seed: 14 })]);
  const resources = { segments, buffers: new ScanBuffers(3) };
  const holding = new Set<number>();
  const counted = (index: number): ResumableScan<Row> => {
    const scan = planScan(everything);
    return {
      tables: ['forward'],
      rebind: (opened) => {
        holding.add(index);
        scan.rebind(opened);
      },
      gather: (rows, rowsMax, untilMs) => scan.gather(rows, rowsMax, untilMs),
      release: () => {
        holding.delete(index);
        scan.release();
      },
    };
  };
  const scans = Array.from({ length: 100 }, (_, index) => new ScanSlices(counted(index), resources, 5));
  for (const scan of scans) await scan.next();
  assert.deepEqual([...holding], [97, 98, 99]);
  await scans[98]?.return();
  for await (const _ of scans[99] as (typeof scans)[number]);
  assert.deepEqual([...holding], [97]);
});

test('a slice of large records ends early', async (t) => {
  const { segments } = await storedSegments(t, [hostileTexts(60)]);
  const scan = new ScanSlices(planScan(everything), { segments, buffers: new ScanBuffers(1) }, 80);
  let rows = 0;
  for await (const slice of scan) {
    const bytes = slice.reduce((sum, { rdata }) => sum + (rdata[0]?.length ?? 0), 0);
    assert.ok(bytes < 40_000, `${bytes} bytes in a slice`);
    rows += slice.length;
  }
  assert.equal(rows, 60);
});
