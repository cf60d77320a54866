/** Perceptual hashes of images, and the index of their quarters. Functions that write must be called within a write transaction. */
import { nearbyQuarters, quartersOf } from '../../../model/picture/difference-hash.ts';
import { hashesPerQuarterMax, nearestHashes } from '../../image/nearest-hashes.ts';
import type { AlikePicture, Image } from '../../image-store.ts';
import type { Database } from '../database.ts';

export function perceptualRows(database: Database) {
  const setHash = database.prepare(
    'update image set perceptual_hash = ? where hash = ? and perceptual_hash is null',
  );
  const addQuarter = database.prepare(
    'insert into perceptual_quarter values (?, ?, ?) on conflict do nothing',
  );
  const removeQuarter = database.prepare(
    'delete from perceptual_quarter where quarter = ? and bits = ? and perceptual_hash = ?',
  );
  // With the condition of the partial index, so that it is used.
  const isUsed = database
    .prepare("select 1 from image where perceptual_hash = ? and perceptual_hash > '' limit 1")
    .pluck();
  const inQuarter = database
    .prepare('select perceptual_hash from perceptual_quarter where quarter = ? and bits = ? limit ?')
    .pluck();
  const unhashed = database.prepare(
    `select hash, mimetype, width, height, pixel_hash as pixelHash from image
     where perceptual_hash is null limit ?`,
  );
  const shown = database.prepare(
    `select domain, captured_ms as capturedMs from image join capture using (hash)
     where perceptual_hash = ? and perceptual_hash > '' and replaced = 0 limit ?`,
  );

  const nearby = (hash: string) =>
    nearestHashes(
      hash,
      [...nearbyQuarters(hash)].flatMap(
        ([quarter, bits]) => inQuarter.all(quarter, bits, hashesPerQuarterMax) as string[],
      ),
    );

  return {
    set(image: string, perceptualHash: string): void {
      if (setHash.run(perceptualHash, image).changes === 0 || perceptualHash === '') return;
      for (const [quarter, bits] of quartersOf(perceptualHash).entries())
        addQuarter.run(quarter, bits, perceptualHash);
    },

    removeUnused(perceptualHash: string): void {
      if (isUsed.get(perceptualHash) !== undefined) return;
      for (const [quarter, bits] of quartersOf(perceptualHash).entries())
        removeQuarter.run(quarter, bits, perceptualHash);
    },

    listUnhashed: (limit: number) =>
      unhashed.all(limit) as (Omit<Image, 'bytes'> & { readonly hash: string })[],

    listAlike(hash: string, limit: number): readonly AlikePicture[] {
      const alike: AlikePicture[] = [];
      for (const [perceptualHash, distance] of nearby(hash)) {
        if (alike.length >= limit) break;
        const domains = shown.all(perceptualHash, limit - alike.length) as Pick<
          AlikePicture,
          'domain' | 'capturedMs'
        >[];
        alike.push(...domains.map((one) => ({ ...one, perceptualHash, distance })));
      }
      return alike;
    },
  };
}
