/** Segments of version 0.1.0, whose blocks have no checksums, stay readable, and are verified as whole files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { DamagedData } from '../../../../src/store/damage.ts';
import { Manifest } from '../../../../src/store/embedded/rrset/manifest.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import type { RrsetStore, Scan, Selection } from '../../../../src/store/rrset-store.ts';
import { all, record } from '../../../conformance/rrset-store.ts';
import { nowSeconds, wire } from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { oldFormatObservations, writeOldFormat } from '../../../harness/fixtures/old-format-rrsets.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { rowsFor, shown } from '../../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const clock = { now: () => nowSeconds * 1000 };
const observations = oldFormatObservations();
const scans: readonly Scan[] = (
  [
    { by: 'owner', name: wire('.'), span: 'below' },
    { by: 'rdata-prefix', bytes: Uint8Array.of(192) },
    { by: 'owner', name: wire('host-7.'), span: 'right' },
  ] satisfies Selection[]
).map((selection) => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds,
}));

function oldStore(t: TestContext): string {
  const data = temporaryDirectory(t);
  writeOldFormat(data);
  return data;
}

const rowsOf = async (store: RrsetStore, scan: Scan) => (await all(store.scan(scan))).map(shown).sort();

async function damagedFiles(store: RrsetStore): Promise<string[]> {
  const files: string[] = [];
  for await (const { file } of store.verify()) files.push(file);
  return files;
}

test('a store of version 0.1.0 is read, and found intact', async (t) => {
  const store = openRrsetStore(oldStore(t), clock);
  t.after(() => store.close());
  for (const scan of scans) assert.deepEqual(await rowsOf(store, scan), rowsFor(observations, scan).sort());
  assert.deepEqual(await damagedFiles(store), []);
});

test('a lookup in files of the old format waits until they are verified, and later ones do not', async (t) => {
  const store = openRrsetStore(oldStore(t), clock);
  t.after(() => store.close());
  const scan = {
    ...(scans[0] as Scan),
    selection: { by: 'owner', name: wire('host-1.example-1.com.'), span: 'none' },
  } as const;
  assert.equal(store.scan(scan).readAllSync?.(), undefined);
  assert.equal((await rowsOf(store, scan)).length, 1);
  assert.equal(store.scan(scan).readAllSync?.()?.length, 1);
});

test('one flipped bit in a file of the old format leads to a refusal of what needs the file', async (t) => {
  const data = oldStore(t);
  const directory = join(data, 'rrsets');
  const files = readdirSync(directory).filter((file) => !file.startsWith('manifest'));
  const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), chance, fc.nat(7), async (file, position, bit) => {
      const path = join(directory, file);
      const original = readFileSync(path);
      const bytes = Buffer.from(original);
      const at = Math.floor(position * bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      writeFileSync(path, bytes);
      const store = openRrsetStore(data, clock);
      try {
        let refused = 0;
        for (const scan of scans) {
          try {
            assert.deepEqual(await rowsOf(store, scan), rowsFor(observations, scan).sort());
          } catch (error) {
            if (!(error instanceof DamagedData)) throw error;
            assert.equal(error.file, path);
            refused += 1;
          }
        }
        assert.ok(refused > 0);
      } finally {
        await store.close();
        writeFileSync(path, original);
      }
    }),
    { numRuns: propertyRuns(16) },
  );
});

test('verification names a damaged file of the old format', async (t) => {
  const data = oldStore(t);
  const directory = join(data, 'rrsets');
  const path = join(directory, readdirSync(directory).find((file) => file.endsWith('inverse')) as string);
  const bytes = readFileSync(path);
  bytes[100] = (bytes[100] as number) ^ 4;
  writeFileSync(path, bytes);
  const store = openRrsetStore(data, clock);
  t.after(() => store.close());
  assert.deepEqual(await damagedFiles(store), [path]);
});

test('compaction rewrites segments of the old format, also one that is alone', async (t) => {
  const data = oldStore(t);
  const formats = () => {
    const manifest = new Manifest(join(data, 'rrsets'));
    const found = manifest.list().map(({ format }) => format);
    manifest.close();
    return found;
  };
  assert.deepEqual(formats(), [1, 1]);
  const store = openRrsetStore(data, clock);
  t.after(() => store.close());
  await record(store, observations);
  await record(store, observations);
  await store.compact();
  assert.ok(
    formats().every((format) => format === 2),
    String(formats()),
  );
  const thrice = [...observations, ...observations, ...observations];
  for (const scan of scans) assert.deepEqual(await rowsOf(store, scan), rowsFor(thrice, scan).sort());
  assert.deepEqual(await damagedFiles(store), []);
});
