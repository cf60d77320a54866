/**
 * images.db and the files below `images/`. A row is written when its file is there for good, and a file is removed while the database
 * is held, so that a row never lacks its file. What a killed process leaves is a file without a row, which pruning removes.
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Capture, ImageStore } from '../image-store.ts';
import { openDatabase, write } from './database.ts';
import { captureRows, screenshotOf } from './image/capture-rows.ts';
import { ImageFiles } from './image/image-files.ts';

/** What is forgotten in one step. */
const capturesAtOnce = 50;
const filesAtOnce = 500;
const reasonLengthMax = 500;

export function openImageStore(data: string): ImageStore {
  const database = openDatabase(join(data, 'images.db'), 'images', 'full');
  const files = new ImageFiles(join(data, 'images'));
  const rows = captureRows(database);

  /** Undefined where somebody has removed the file that nobody showed yet. */
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

  const removeStrays = (names: readonly string[]) =>
    write(database, () => {
      for (const name of names) if (!rows.knows(name)) files.remove(name);
    });

  return {
    async keep(capture) {
      for (;;) {
        const before = rows.newest(capture.domain);
        const known = before?.pixelHash === capture.image.pixelHash && files.has(before.hash);
        // What looks the same is not written again, even where other bytes stand for it.
        const hash = known ? before.hash : await files.put(capture.image.bytes, capture.atMs);
        const kept = await addRow(capture, hash);
        if (kept) return kept;
      }
    },
    noteFailure: (domain, atMs, reason) =>
      write(database, () => rows.fail(domain, atMs, reason.toWellFormed().slice(0, reasonLengthMax))),
    findScreenshots: async (domains) =>
      domains.map((domain) => {
        const row = rows.newest(domain);
        return row && screenshotOf(row);
      }),
    async findImage(domain, capturedMs) {
      const row = rows.at(domain, capturedMs);
      const bytes = row && (await files.find(row.hash));
      if (!bytes) return undefined;
      const { mimetype, width, height, pixelHash } = row;
      return { bytes, mimetype, width, height, pixelHash };
    },
    listCaptures: async (domain, limit) => rows.list(domain, limit).map(screenshotOf),
    async prune(beforeMs) {
      let pruned = 0;
      for (;;) {
        const { forgotten, unused } = await write(database, () => rows.forget(beforeMs, capturesAtOnce));
        await removeStrays(unused);
        pruned += forgotten;
        if (forgotten < capturesAtOnce) break;
        await turn();
      }
      for await (const names of files.scanNames()) {
        for (let at = 0; at < names.length; at += filesAtOnce) {
          const some = names.slice(at, at + filesAtOnce).filter((name) => !rows.knows(name));
          if (some.length > 0) await removeStrays(some);
          await turn();
        }
      }
      await files.removeAbandoned(beforeMs);
      return pruned;
    },
    statistics: async () => rows.statistics(),
    close: async () => void database.close(),
  };
}
