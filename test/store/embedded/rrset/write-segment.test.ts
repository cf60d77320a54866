import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import { writingThreads } from '../../../../src/store/rrset/segment-writer.ts';
import { all, record } from '../../../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

test('each table of a mebibyte and more has a thread of its own, and one thread writes all of less', () => {
  assert.deepEqual(writingThreads(2 ** 20 - 1), ['first', 'first', 'first']);
  assert.deepEqual(writingThreads(2 ** 20), ['first', 'second', 'third']);
});

test('batches and compactions that threads share are complete', async (t) => {
  const store = openRrsetStore(temporaryDirectory(t), { now: () => nowSeconds * 1000 });
  t.after(() => store.close());
  const observations = Array.from({ length: 40 }, (_, number) => ({
    origin: 'sensor' as const,
    owner: wire(`n${number}.example.`),
    type: 65_280,
    bailiwick: wire('example.'),
    rdata: [new Uint8Array(randomBytes(60_000))],
    firstSeconds: nowSeconds,
    lastSeconds: nowSeconds,
    count: 1,
  }));
  await record(store, observations.slice(0, 20));
  await record(store, observations.slice(20));
  const stored = async () => {
    const scan = store.scan({
      selection: { by: 'owner', name: wire('example.'), span: 'below' },
      filter: { types: 'any', fences: {} },
      merged: true,
      nowSeconds,
    });
    const rows = await all(scan);
    return rows.map(({ rdata }) => Buffer.from(rdata[0] as Uint8Array).toString('hex')).sort();
  };
  const expected = observations
    .map(({ rdata }) => Buffer.from(rdata[0] as Uint8Array).toString('hex'))
    .sort();
  assert.deepEqual(await stored(), expected);
  await store.compact();
  assert.deepEqual(await stored(), expected);
  assert.equal((await store.statistics()).segments, 1);
});
