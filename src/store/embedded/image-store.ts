/**
 * images.db, and the files below `images/`. A row is written after its file is durable, and a file is removed within a write transaction,
 * so that no row lacks its file. A killed process may leave a file without a row, which pruning removes.
 */
import { join } from 'node:path';
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { type Damage, DamagedData } from '../damage.ts';
import { screenshotOf, storedReason } from '../image/capture-row.ts';
import type { Capture, Image, ImageStore } from '../image-store.ts';
import { openDatabase, write } from './database.ts';
import { captureRows } from './image/capture-rows.ts';
import { ImageFiles } from './image/image-files.ts';
import { perceptualRows } from './image/perceptual-rows.ts';
import { imageFiles, RangeLeases } from './stream/range-leases.ts';

/** Deleted per transaction. */
const captureBatchSize = 50;
const fileBatchSize = 500;

async function* verifyImages(
  rows: ReturnType<typeof captureRows>,
  files: ImageFiles,
  onProgress?: (done: number, all: number) => void,
): AsyncGenerator<Damage> {
  const all = rows.countImages();
  let done = 0;
  for (let names = rows.hashesAfter(''); names.length > 0; names = rows.hashesAfter(names.at(-1) as string)) {
    for (const name of names) {
      try {
        if (!(await files.find(name)) && rows.knows(name)) yield files.missing(name);
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        yield error;
      }
      done += 1;
      onProgress?.(done, all);
    }
  }
}

/** Empty for an image that is lost, damaged or cannot be decoded: verification reports those. */
async function hashFile(
  { hash, ...image }: Omit<Image, 'bytes'> & { readonly hash: string },
  files: ImageFiles,
  hashOf: (image: Image) => Promise<string>,
): Promise<string> {
  try {
    const bytes = await files.find(hash);
    return bytes ? await hashOf({ ...image, bytes }) : '';
  } catch {
    return '';
  }
}

export function openImageStore(data: string): ImageStore {
  const database = openDatabase(join(data, 'images.db'), 'images', 'full');
  const files = new ImageFiles(join(data, 'images'));
  const rows = captureRows(database);
  const perceptual = perceptualRows(database);
  const inOneTransaction = database.transaction((work: () => void) => work());

  /** Undefined if a concurrent prune removed the file before it had a row. */
  const addRow = (capture: Capture, hash: string) =>
    write(database, () => {
      const before = rows.newest(capture.domain);
      if (before?.pixelHash === capture.image.pixelHash && files.has(before.hash)) {
        rows.confirm(before, capture.atMs);
        return 'same';
      }
      if (!files.has(hash)) return undefined;
      rows.add(capture, hash, before);
      return before ? 'changed' : 'first';
    });

  /** While a backup copies files, none is removed; a later prune finds them. */
  const removeUnreferenced = (names: readonly string[], leases: RangeLeases) =>
    write(database, () => {
      if (leases.isHeld(imageFiles)) return;
      for (const name of names) if (!rows.knows(name)) files.remove(name);
    });

  const prune = async (beforeMs: number, leases: RangeLeases) => {
    let pruned = 0;
    for (;;) {
      const { removed, unused } = await write(database, () =>
        rows.removeReplaced(beforeMs, captureBatchSize),
      );
      await removeUnreferenced(unused, leases);
      pruned += removed;
      if (removed < captureBatchSize) break;
      await yieldToEventLoop();
    }
    for await (const names of files.scanNames()) {
      for (let at = 0; at < names.length; at += fileBatchSize) {
        const some = names.slice(at, at + fileBatchSize).filter((name) => !rows.knows(name));
        if (some.length > 0) await removeUnreferenced(some, leases);
        await yieldToEventLoop();
      }
    }
    await files.removeAbandoned(beforeMs);
    return pruned;
  };

  return {
    async saveCapture(capture) {
      for (;;) {
        const before = rows.newest(capture.domain);
        const known = before?.pixelHash === capture.image.pixelHash && (await files.isIntact(before.hash));
        // The same pixels are not stored again, even if they are encoded differently.
        const hash = known ? before.hash : await files.write(capture.image.bytes, capture.atMs);
        const outcome = await addRow(capture, hash);
        if (outcome) return outcome;
      }
    },
    recordFailure: (domain, atMs, reason) =>
      write(database, () => rows.fail(domain, atMs, storedReason(reason))),
    findScreenshots: (domains) =>
      mapInSlices(
        domains,
        (domain) => {
          const row = rows.newest(domain);
          return row && screenshotOf(row);
        },
        inOneTransaction,
      ),
    findFailures: (domains) => mapInSlices(domains, (domain) => rows.failureOf(domain), inOneTransaction),
    listAlike: async (hash, limit) => perceptual.listAlike(hash, limit),
    async hashImages(limit, hashOf) {
      const unhashed = perceptual.listUnhashed(limit);
      for (const image of unhashed) {
        const hash = await hashFile(image, files, hashOf);
        await write(database, () => perceptual.set(image.hash, hash));
      }
      return unhashed.length;
    },
    async findImage(domain, capturedMs) {
      const row = rows.at(domain, capturedMs);
      if (!row) return undefined;
      const bytes = await files.find(row.hash);
      if (!bytes) {
        // Pruned meanwhile, or lost.
        if (!rows.at(domain, capturedMs)) return undefined;
        throw files.missing(row.hash);
      }
      const { mimetype, width, height, pixelHash } = row;
      return { bytes, mimetype, width, height, pixelHash };
    },
    listCaptures: async (domain, limit) => rows.list(domain, limit).map(screenshotOf),
    async pruneImages(beforeMs) {
      const leases = new RangeLeases(join(data, 'streams'));
      try {
        return await prune(beforeMs, leases);
      } finally {
        leases.close();
      }
    },
    statistics: async () => rows.statistics(),
    verify: (onProgress) => verifyImages(rows, files, onProgress),
    close: async () => void database.close(),
  };
}
