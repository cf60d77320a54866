/**
 * What the checksums of passive DNS blocks cost: the time that verifying the blocks takes by itself, as a part of the time that a scan
 * of all rows takes, and of a lookup that finds its blocks in no cache. A block in the cache was verified when it got there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseName } from '../../src/model/dns/name.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';
import {
  blockSeed,
  fileSeed,
  headerBytes,
  isBodyIntact,
  isHeaderIntact,
} from '../../src/store/rrset/segment/block-checksum.ts';
import { readUint32 } from '../../src/store/rrset/segment/byte-order.ts';
import { footerBytes } from '../../src/store/rrset/segment/table-footer.ts';
import type { RrsetStore, Scan } from '../../src/store/rrset-store.ts';

const lookupsMax = 2000;
const rounds = 5;
const clock = { now: () => Date.now() };

export interface ChecksumCost {
  /** For one block of about 4 KiB. */
  readonly microsecondsPerBlock: number;
  /** For one row of a scan, the checksums and all of it. */
  readonly scanChecksumMicroseconds: number;
  readonly scanMicroseconds: number;
  readonly uncachedLookupMicroseconds: number;
}

export async function measureChecksumCost(directory: string, rrsets: number): Promise<ChecksumCost> {
  const data = join(directory, 'checksums');
  await fill(data, rrsets);
  const [file] = readdirSync(join(data, 'rrsets')).filter((name) => name.endsWith('.forward')) as [string];
  const checked = measureChecksums(join(data, 'rrsets', file));
  const scanMs = await bestOf(() => inStore(data, (store) => timeScan(store, rrsets)));
  // A store that was just opened has nothing in its cache.
  const lookups = Math.min(lookupsMax, rrsets);
  const uncachedMs = await bestOf(() => inStore(data, (store) => timeLookups(store, lookups, rrsets)));
  return {
    microsecondsPerBlock: (checked.ms / checked.blocks) * 1000,
    scanChecksumMicroseconds: (checked.ms / rrsets) * 1000,
    scanMicroseconds: (scanMs / rrsets) * 1000,
    uncachedLookupMicroseconds: (uncachedMs / lookups) * 1000,
  };
}

const ownerOf = (number: number) => parseName(`www.domain-${number}.com.`) as Uint8Array;

async function fill(data: string, rrsets: number): Promise<void> {
  await inStore(data, async (store) => {
    const intake = await store.openIntake();
    for (let number = 0; number < rrsets; number += 1) {
      await intake.add({
        origin: 'sensor',
        owner: ownerOf(number),
        type: 1,
        bailiwick: ownerOf(number).subarray(4),
        rdata: [Uint8Array.of(192, number >>> 16, (number >>> 8) & 255, number & 255)],
        firstSeconds: 1_700_000_000 + number,
        lastSeconds: 1_700_000_000 + 2 * number,
        count: 1 + (number % 100),
      });
    }
    await intake.flush();
    await store.compact();
  });
}

async function inStore<Result>(data: string, work: (store: RrsetStore) => Promise<Result> | Result) {
  const store = openRrsetStore(data, clock);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function bestOf(measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) best = Math.min(best, await measure());
  return best;
}

/** The best of several rounds over all blocks of a file in memory. */
function measureChecksums(path: string): { blocks: number; ms: number } {
  const bytes = new Uint8Array(readFileSync(path));
  const seed = fileSeed(path);
  let best = Number.POSITIVE_INFINITY;
  let blocks = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    blocks = 0;
    for (let offset = 0; offset < bytes.length - footerBytes; blocks += 1) {
      const length = headerBytes + readUint32(bytes, offset);
      const seedOfBlock = blockSeed(seed, offset);
      const isIntact =
        isHeaderIntact(bytes, offset, seedOfBlock) && isBodyIntact(bytes, offset, length, seedOfBlock);
      if (!isIntact) throw new Error(`the block at byte ${offset} of ${path} is damaged`);
      offset += length;
    }
    best = Math.min(best, performance.now() - began);
  }
  return { blocks, ms: best };
}

const scanOf = (selection: Scan['selection']): Scan => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: true,
  nowSeconds: Math.floor(Date.now() / 1000),
});

async function timeScan(store: RrsetStore, rrsets: number): Promise<number> {
  const began = performance.now();
  let rows = 0;
  const scan = scanOf({ by: 'owner', name: new Uint8Array(1), span: 'below' });
  for await (const slice of store.scan(scan)) rows += slice.length;
  if (rows !== rrsets) throw new Error(`the scan returned ${rows} rows instead of ${rrsets}`);
  return performance.now() - began;
}

/** Of names all over the store. */
async function timeLookups(store: RrsetStore, lookups: number, rrsets: number): Promise<number> {
  const began = performance.now();
  for (let number = 0; number < lookups; number += 1) {
    const slices = store.scan(scanOf({ by: 'owner', name: ownerOf((number * 97) % rrsets), span: 'none' }));
    let rows = slices.readAllSync?.()?.length ?? 0;
    if (rows === 0) for await (const slice of slices) rows += slice.length;
    if (rows !== 1) throw new Error(`a lookup found ${rows} rows instead of one`);
  }
  return performance.now() - began;
}
