/** Compaction and damage: what is damaged stays as it is, and everything else goes on. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import type { Scan } from '../../../../src/store/rrset-store.ts';
import { all, record } from '../../../conformance/rrset-store.ts';
import { nowSeconds, observation, wire } from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { rowsFor, shown } from '../../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };
const observations = fc.sample(observation, { numRuns: 200, seed: 31 });
const everything: Scan = {
  selection: { by: 'owner', name: wire('.'), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds,
};

test('a damaged segment is left out of compaction and reported once, while others are compacted and data is added', async (t) => {
  const data = temporaryDirectory(t);
  const directory = join(data, 'rrsets');
  const writer = openRrsetStore(data, clock);
  for (let from = 0; from < 150; from += 50) await record(writer, observations.slice(from, from + 50));
  await writer.close();
  const [damaged] = readdirSync(directory).filter((file) => file.endsWith('.inverse')) as [string];
  const path = join(directory, damaged);
  const bytes = readFileSync(path);
  bytes[40] = (bytes[40] as number) ^ 1;
  writeFileSync(path, bytes);

  const faults: string[] = [];
  const store = openRrsetStore(data, clock, (fault) => faults.push(fault));
  t.after(() => store.close());
  await store.compact();
  assert.equal((await store.statistics()).segments, 2);
  assert.equal(faults.length, 1);
  assert.match(faults[0] ?? '', new RegExp(`${damaged} is damaged at byte 0: the checksum of a block`));
  await record(store, observations.slice(150));
  await store.compact();
  assert.equal((await store.statistics()).segments, 2);
  assert.equal(faults.length, 1);
  assert.deepEqual(readFileSync(path), bytes);
  const rows = (await all(store.scan(everything))).map(shown).sort();
  assert.deepEqual(rows, rowsFor(observations, everything).sort());
  const found: string[] = [];
  for await (const { file, offset } of store.verify()) found.push(`${file} ${offset}`);
  assert.deepEqual(found, [`${path} 0`]);
});

test('a damaged segment of the background is not read again with every batch', async (t) => {
  const data = temporaryDirectory(t);
  const directory = join(data, 'rrsets');
  const faults: string[] = [];
  const store = openRrsetStore(data, clock, (fault) => faults.push(fault));
  t.after(() => store.close());
  await record(store, observations.slice(0, 20));
  const [damaged] = readdirSync(directory).filter((file) => file.endsWith('.forward')) as [string];
  const bytes = readFileSync(join(directory, damaged));
  bytes[30] = (bytes[30] as number) ^ 1;
  writeFileSync(join(directory, damaged), bytes);
  for (let from = 20; from < 160; from += 20) await record(store, observations.slice(from, from + 20));
  await store.compact();
  assert.equal(faults.length, 1, faults.join('\n'));
  assert.equal((await store.statistics()).segments, 2);
});
