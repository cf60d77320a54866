/** Walks that are broken off as often as they can be, and go on in runs that are opened anew. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { BlockCache } from '../../../../src/store/embedded/rrset/block-cache.ts';
import { Manifest } from '../../../../src/store/embedded/rrset/manifest.ts';
import { OpenRuns } from '../../../../src/store/embedded/rrset/open-runs.ts';
import { walkOf } from '../../../../src/store/embedded/rrset/walk-of.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import type { Row, Scan } from '../../../../src/store/rrset-store.ts';
import { record } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/rrset-arbitraries.ts';
import { rowsFor, shown } from '../../../harness/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

/** Without any time, a walk gives way after every few dozen keys. */
const noTime = Number.NEGATIVE_INFINITY;

async function runsOf(t: TestContext, batches: readonly (readonly Parameters<typeof shown>[0][])[]) {
  const directory = temporaryDirectory(t);
  const store = openRrsetStore(directory, { now: () => any.nowSeconds * 1000 });
  for (const batch of batches) await record(store, batch as never);
  await store.close();
  const manifest = new Manifest(join(directory, 'rrsets'));
  const runs = new OpenRuns(join(directory, 'rrsets'), manifest, new BlockCache(1 << 20));
  t.after(() => {
    runs.close();
    manifest.close();
  });
  return runs.current();
}

function walked(runs: Awaited<ReturnType<typeof runsOf>>, scan: Scan): { rows: Row[]; turns: number } {
  const walk = walkOf(scan);
  const rows: Row[] = [];
  for (let turns = 1; ; turns += 1) {
    walk.rebind(runs);
    if (walk.gather(rows, rows.length + 1000, noTime)) return { rows, turns };
  }
}

test('a walk that is broken off again and again gives every row once', async (t) => {
  const observations = fc.sample(any.observation, { numRuns: 1200, seed: 11 });
  const runs = await runsOf(t, [observations.slice(0, 800), observations.slice(800)]);
  fc.assert(
    fc.property(any.scan, (scan) => {
      const { rows } = walked(runs, scan);
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
const everything = { keepsType: () => true, fences: {} };

test('a walk over children gives way also where no child has rows of its own', async (t) => {
  const deep = Array.from({ length: 1000 }, (_, number) => ({
    ...base,
    owner: any.wire(`www.n${number}.com.`),
    type: 1,
    rdata: [any.rdata(1, '192.0.2.1')],
  }));
  const runs = await runsOf(t, [deep]);
  const selection = { by: 'owner', name: any.wire('com.'), span: 'child' } as const;
  const { rows, turns } = walked(runs, { selection, filter: everything, merged: true, nowSeconds: 3 });
  assert.deepEqual(rows, []);
  assert.ok(turns > 10, `${turns} turns`);
});

test('a walk over data gives way also where nothing of it is a name', async (t) => {
  const mail = Array.from({ length: 1000 }, (_, number) => ({
    ...base,
    owner: any.wire('com.'),
    type: 15,
    rdata: [any.rdata(15, `10 m${number}.example.com.`)],
  }));
  const runs = await runsOf(t, [mail]);
  const selection = { by: 'rdata-prefix', bytes: Uint8Array.of(0) } as const;
  const filter = { ...everything, keepsType: (type: number) => type === 2 };
  const { rows, turns } = walked(runs, { selection, filter, merged: true, nowSeconds: 3 });
  assert.deepEqual(rows, []);
  assert.ok(turns > 25, `${turns} turns`);
});
