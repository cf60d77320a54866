/** One flipped bit in any file of a store with all kinds of tables and its manifest: right rows or a refusal that names the file. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { RrsetStore, Scan, TextScan } from '../../../src/store/rrset-store.ts';
import { record } from '../../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../../harness/arbitraries/rrset-arbitraries.ts';
import { shown, shownText } from '../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };
/** Enough for a trigram index. */
const size = 52_000;
const flips = 80;

function observationOf(number: number): Rrset {
  return {
    origin: 'sensor',
    owner: wire(`h${number}.${number % 500 === 0 ? 'needle' : 'hay'}-${number % 97}.example.`),
    type: 1,
    bailiwick: wire('example.'),
    rdata: [Uint8Array.of(10, number >>> 16, (number >>> 8) & 255, number & 255)],
    firstSeconds: nowSeconds - number,
    lastSeconds: nowSeconds,
    count: 1 + (number % 9),
  };
}

const scans: readonly Scan[] = [
  { by: 'owner' as const, name: wire('example.'), span: 'below' as const },
  { by: 'rdata-prefix' as const, bytes: Uint8Array.of(10, 0, 1) },
  { by: 'owner' as const, name: wire('h5.hay-5.example.'), span: 'none' as const },
].map((selection) => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds,
}));
const search: TextScan = {
  over: 'names',
  pattern: { kind: 'regex', text: 'needle' },
  filter: { fences: {} },
};

/** A digest of the rows of each scan, or the message of the error it ended with. */
async function outcomes(data: string): Promise<string[]> {
  const store = openRrsetStore(data, clock);
  const digestOf = async (lines: AsyncIterable<readonly string[]>) => {
    const hash = createHash('sha256');
    try {
      for await (const slice of lines) hash.update(slice.join(''));
      return `rows ${hash.digest('hex')}`;
    } catch (error) {
      return String(error);
    }
  };
  try {
    const found: string[] = [];
    for (const scan of scans) found.push(await digestOf(mapped(store.scan(scan), shown)));
    found.push(await digestOf(mapped(store.scanText(search), shownText)));
    found.push((await damagedFiles(store)).join(' '));
    return found;
  } finally {
    await store.close();
  }
}

async function* mapped<Item>(slices: AsyncIterable<readonly Item[]>, text: (item: Item) => string) {
  for await (const slice of slices) yield slice.map((item) => `${text(item)}\n`);
}

async function damagedFiles(store: RrsetStore): Promise<string[]> {
  const files = new Set<string>();
  for await (const { file } of store.verify()) files.add(file);
  return [...files];
}

test('one flipped bit in any file leads to right rows or a refusal that names the file, and verification finds it', async (t) => {
  const data = temporaryDirectory(t);
  const store = openRrsetStore(data, clock);
  const numbers = Array.from({ length: size }, (_, number) => number);
  await record(store, numbers.slice(0, size / 2).map(observationOf));
  await record(store, numbers.slice(size / 2, size - 1000).map(observationOf));
  await store.compact();
  await record(store, numbers.slice(size - 1000).map(observationOf));
  await store.close();
  const directory = join(data, 'rrsets');
  // Checksums of database pages belong to `verify databases` (bit-rot/bit-rot.test.ts).
  const files = readdirSync(directory)
    .filter((file) => !file.endsWith('.db-crc'))
    .map((file) => join(directory, file));
  assert.ok(files.some((file) => file.endsWith('.trigram')));
  const expected = await outcomes(data);
  assert.equal(expected.at(-1), '');

  let refused = 0;
  const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  for (const [path, position, bit] of fc.sample(
    fc.tuple(fc.constantFrom(...files), chance, fc.nat(7)),
    flips,
  )) {
    const original = readFileSync(path);
    const bytes = Buffer.from(original);
    const at = Math.floor(position * bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << bit);
    writeFileSync(path, bytes);
    const isManifest = path.endsWith('manifest.db');
    const flipped = `bit ${bit} of byte ${at} of ${path}`;
    const found = await outcomes(data).catch((error: unknown) => [String(error)]);
    writeFileSync(path, original);
    for (const [index, outcome] of found.slice(0, -1).entries()) {
      if (outcome === expected[index]) continue;
      refused += 1;
      assert.match(outcome, /^(DamagedData|Error|SqliteError)/, flipped);
      assert.ok(outcome.includes(path), `${outcome} after ${flipped}`);
    }
    // SQLite has no checksums of its own, and a flipped bit in an unused part of its file changes nothing.
    if (isManifest)
      assert.ok(found.at(-1) === '' || found.at(-1)?.includes(path), `${found.at(-1)} after ${flipped}`);
    else assert.equal(found.at(-1), path, flipped);
  }
  assert.ok(refused > flips / 2, `${refused} scans were refused`);
});
