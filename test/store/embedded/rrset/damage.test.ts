/** Damaged files: what needs them fails and says so, everything else works, and nothing wrong is ever returned. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { DamagedData } from '../../../../src/store/damage.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import { verifyStart, verifyTable } from '../../../../src/store/rrset/segment/verify-table.ts';
import type { RrsetStore, Scan, Selection } from '../../../../src/store/rrset-store.ts';
import { all, record } from '../../../conformance/rrset-store.ts';
import * as any from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { rowsFor, shown } from '../../../harness/reference/rrset-reference.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const clock = { now: () => any.nowSeconds * 1000 };
const observations = fc.sample(any.observation, { numRuns: 700, seed: 21 });

const scanOf = (selection: Selection): Scan => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds: any.nowSeconds,
});
const byOwner = scanOf({ by: 'owner', name: any.wire('.'), span: 'below' });
const byRdata = scanOf({ by: 'rdata-prefix', bytes: new Uint8Array(0) });
const byLeftLabels = scanOf({ by: 'owner', name: any.wire('www.'), span: 'right' });
const recent = { ...byOwner, filter: { ...byOwner.filter, fences: { lastAfter: any.nowSeconds - 100 } } };
const scans: readonly Scan[] = [
  byOwner,
  byRdata,
  byLeftLabels,
  recent,
  scanOf({ by: 'owner', name: any.wire('www.example.com.'), span: 'none' }),
];

/** A store of three segments, with several leaves in each table of the largest. */
const intact = temporaryDirectory({ after });
const expected = scans.map((scan) => rowsFor(observations, scan).sort());

before(async () => {
  const store = openRrsetStore(intact, clock);
  for (const [from, to] of [
    [0, 500],
    [500, 620],
    [620, 700],
  ])
    await record(store, observations.slice(from, to));
  await store.close();
});

function copyOf(t: TestContext): string {
  const data = temporaryDirectory(t);
  cpSync(intact, data, { recursive: true });
  return data;
}

function tableFiles(data: string): string[] {
  const directory = join(data, 'rrsets');
  return readdirSync(directory)
    .filter((file) => !file.startsWith('manifest'))
    .sort()
    .map((file) => join(directory, file));
}

function largestForward(data: string): string {
  return tableFiles(data)
    .filter((file) => file.endsWith('forward'))
    .sort((left, right) => readFileSync(right).length - readFileSync(left).length)[0] as string;
}

function flip(path: string, chance: number, bit: number): number {
  const bytes = readFileSync(path);
  const at = Math.min(bytes.length - 1, Math.floor(chance * bytes.length));
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(path, bytes);
  return at;
}

/** Every scan, each with its rows or the damage it met. */
async function outcomes(store: RrsetStore): Promise<(string[] | DamagedData)[]> {
  return Promise.all(
    scans.map(async (scan) => {
      try {
        return (await all(store.scan(scan))).map(shown).sort();
      } catch (error) {
        if (error instanceof DamagedData) return error;
        throw error;
      }
    }),
  );
}

/** All rows are right, or the scan failed with damage of one of these files. */
async function assertRightOrRefused(data: string, damaged: readonly string[]): Promise<number> {
  const store = openRrsetStore(data, clock);
  let refused = 0;
  try {
    for (const [index, outcome] of (await outcomes(store)).entries()) {
      if (outcome instanceof DamagedData) {
        refused += 1;
        assert.ok(damaged.includes(outcome.file), `${outcome.message} instead of ${damaged.join(' or ')}`);
      } else assert.deepEqual(outcome, expected[index]);
    }
  } finally {
    await store.close();
  }
  return refused;
}

async function damagesOf(store: RrsetStore): Promise<string[]> {
  const found: string[] = [];
  for await (const { file, offset, problem } of store.verify()) found.push(`${file} ${offset} ${problem}`);
  return found;
}

const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

test('one flipped bit anywhere leads to right rows or a refusal that names the file, and is found by reading the file', async (t) => {
  const data = copyOf(t);
  const files = tableFiles(data);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), chance, fc.nat(7), async (file, position, bit) => {
      const path = files[file] as string;
      const original = readFileSync(path);
      flip(path, position, bit);
      try {
        refused += await assertRightOrRefused(data, [path]);
        const { damages } = verifyTable(path, Number.NaN, verifyStart);
        assert.deepEqual([...new Set(damages.map((damage) => damage.file))], [path]);
      } finally {
        writeFileSync(path, original);
      }
    }),
    { numRuns: 120 },
  );
  assert.ok(refused > 100, `${refused} scans were refused`);
});

test('a file that ends anywhere else leads to right rows or a refusal that names the file', async (t) => {
  const data = copyOf(t);
  const files = tableFiles(data);
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), chance, fc.boolean(), async (file, position, longer) => {
      const path = files[file] as string;
      const original = readFileSync(path);
      if (longer) writeFileSync(path, Buffer.concat([original, original.subarray(0, 1 + position * 200)]));
      else truncateSync(path, Math.floor(position * original.length));
      try {
        const refused = await assertRightOrRefused(data, [path]);
        assert.ok(refused > 0);
        assert.equal(verifyTable(path, Number.NaN, verifyStart).damages.length, 1);
      } finally {
        writeFileSync(path, original);
      }
    }),
    { numRuns: 40 },
  );
});

test('files of two segments that changed places are refused', async (t) => {
  const data = copyOf(t);
  for (const table of ['forward', 'inverse', 'distinct']) {
    const [one, other] = tableFiles(data).filter((file) => file.endsWith(table)) as [string, string];
    renameSync(one, `${one}.aside`);
    renameSync(other, one);
    renameSync(`${one}.aside`, other);
    assert.ok((await assertRightOrRefused(data, tableFiles(data))) > 0);
    for (const path of [one, other]) {
      assert.match(verifyTable(path, Number.NaN, verifyStart).damages[0]?.problem ?? '', /checksum/);
    }
  }
});

test('a missing file fails only what needs it, and is named when everything is verified', async (t) => {
  const data = copyOf(t);
  const [missing] = tableFiles(data).filter((file) => file.endsWith('inverse')) as [string];
  rmSync(missing);
  const store = openRrsetStore(data, clock);
  t.after(() => store.close());
  assert.deepEqual((await all(store.scan(byOwner))).map(shown).sort(), expected[0]);
  await assert.rejects(all(store.scan(byRdata)), { name: 'DamagedData', file: missing });
  assert.deepEqual(await damagesOf(store), [`${missing} undefined it is missing`]);
  await record(store, observations.slice(0, 1));
  await assert.rejects(all(store.scan(byRdata)), { name: 'DamagedData', file: missing });
});

test('with one damaged leaf, lookups of names in other leaves are answered', async (t) => {
  const data = copyOf(t);
  const largest = largestForward(data);
  flip(largest, 0.001, 3);
  const store = openRrsetStore(data, clock);
  t.after(() => store.close());
  const names = [...new Set(observations.map(({ owner }) => Buffer.from(owner).toString('hex')))];
  let refused = 0;
  for (const name of names) {
    const scan = scanOf({ by: 'owner', name: Buffer.from(name, 'hex'), span: 'none' });
    try {
      assert.deepEqual((await all(store.scan(scan))).map(shown).sort(), rowsFor(observations, scan).sort());
    } catch (error) {
      assert.ok(error instanceof DamagedData, String(error));
      refused += 1;
    }
  }
  assert.ok(refused > 0 && refused < names.length / 2, `${refused} of ${names.length} lookups were refused`);
});

test('every damaged part of a file is named with its offset', async (t) => {
  const data = copyOf(t);
  const path = largestForward(data);
  const offsets = [0.1, 0.5, 0.9].map((part) => flip(path, part, 2));
  const { damages } = verifyTable(path, Number.NaN, verifyStart);
  assert.ok(readFileSync(path).length > 12_288);
  assert.equal(damages.length, 3);
  for (const [index, { offset = -1 }] of damages.entries()) {
    const at = offsets[index] as number;
    assert.ok(offset <= at && at - offset < 8192, `${offset} for a damage at ${at}`);
  }
});

test('segments without a manifest are not opened as an empty store, and stay', (t) => {
  const data = copyOf(t);
  const manifest = join(data, 'rrsets', 'manifest.db');
  rmSync(manifest);
  const files = tableFiles(data);
  assert.throws(() => openRrsetStore(data, clock), { name: 'DamagedData', file: manifest });
  assert.deepEqual(tableFiles(data), files);
});

test('verification compares intact files with their checksums in the manifest', (t) => {
  const data = copyOf(t);
  const [path] = tableFiles(data) as [string];
  const { damages, next } = verifyTable(path, 1, verifyStart);
  assert.equal(next, undefined);
  assert.deepEqual(damages, [{ file: path, problem: 'the checksum in the manifest is another' }]);
});
