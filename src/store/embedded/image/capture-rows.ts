/** The tables of images.db. Functions that write must be called within a write transaction. */
import { type CaptureRow, captureTime } from '../../image/capture-row.ts';
import type { Capture, CaptureFailure, Image } from '../../image-store.ts';
import type { Database } from '../database.ts';
import { perceptualRows } from './perceptual-rows.ts';

const columns = `domain, captured_ms as capturedMs, seen_ms as seenMs, attempted_ms as attemptedMs, url,
  ip_address as ipAddress, hash, mimetype, width, height, pixel_hash as pixelHash, perceptual_hash as perceptualHash`;

export function captureRows(database: Database) {
  const perceptual = perceptualRows(database);
  const newestOf = database.prepare(
    `select ${columns} from capture join image using (hash) where domain = ? order by captured_ms desc limit ?`,
  );
  const captureAt = database.prepare(
    `select ${columns} from capture join image using (hash) where domain = ? and captured_ms = ?`,
  );
  const knows = database.prepare('select 1 from image where hash = ?').pluck();
  const putImage = database.prepare(
    `insert into image values (:hash, :bytes, :mimetype, :width, :height, :pixelHash, 1, null)
     on conflict do update set captures = captures + 1`,
  );
  const putCapture = database.prepare(
    'insert into capture values (:domain, :atMs, :atMs, :atMs, :url, :ipAddress, :hash, 0)',
  );
  const replace = database.prepare('update capture set replaced = 1 where domain = ? and captured_ms = ?');
  const seen = database.prepare(
    `update capture set seen_ms = max(seen_ms, :atMs), attempted_ms = max(attempted_ms, :atMs)
     where domain = :domain and captured_ms = :capturedMs`,
  );
  const attempted = database.prepare(
    `update capture set attempted_ms = max(attempted_ms, :atMs) where domain = :domain
     and captured_ms = (select max(captured_ms) from capture where domain = :domain)`,
  );
  const putFailure = database.prepare(
    'insert into failure values (:domain, :atMs, :reason) on conflict do update set failed_ms = :atMs, reason = :reason',
  );
  const failureOf = database.prepare('select failed_ms as atMs, reason from failure where domain = ?');
  const deleteFailure = database.prepare('delete from failure where domain = ?');
  const replacedBefore = database.prepare(
    'select domain, captured_ms as capturedMs, hash from capture where replaced = 1 and captured_ms < ? order by captured_ms limit ?',
  );
  const removeCapture = database.prepare('delete from capture where domain = ? and captured_ms = ?');
  const release = database.prepare(
    'update image set captures = captures - 1 where hash = ? returning captures, bytes, perceptual_hash as perceptualHash',
  );
  const removeImage = database.prepare('delete from image where hash = ?');
  const count = database.prepare(
    'update tally set domains = domains + ?, images = images + ?, bytes = bytes + ?',
  );
  const hashesAfter = database
    .prepare('select hash from image where hash > ? order by hash limit 500')
    .pluck();
  const countImages = database.prepare('select count(*) from image').pluck();
  const tally = database.prepare('select domains, images, bytes from tally');

  return {
    newest: (domain: string) => newestOf.get(domain, 1) as CaptureRow | undefined,
    list: (domain: string, limit: number) => newestOf.all(domain, limit) as CaptureRow[],
    at: (domain: string, capturedMs: number) => captureAt.get(domain, capturedMs) as CaptureRow | undefined,
    failureOf: (domain: string) => failureOf.get(domain) as CaptureFailure | undefined,
    knows: (hash: string) => knows.get(hash) !== undefined,

    add({ domain, atMs, url, ipAddress, image }: Capture, hash: string, before?: CaptureRow): void {
      const bytes = image.bytes.length;
      count.run(before ? 0 : 1, 1, knows.get(hash) === undefined ? bytes : 0);
      putImage.run({ ...imageColumns(image), hash, bytes });
      if (image.perceptualHash !== undefined) perceptual.set(hash, image.perceptualHash);
      if (before) replace.run(domain, before.capturedMs);
      putCapture.run({
        domain,
        url,
        ipAddress: ipAddress ?? null,
        hash,
        atMs: captureTime(atMs, before),
      });
      deleteFailure.run(domain);
    },

    confirm({ domain, capturedMs }: CaptureRow, atMs: number): void {
      seen.run({ domain, capturedMs, atMs });
      deleteFailure.run(domain);
    },

    fail(domain: string, atMs: number, reason: string): void {
      attempted.run({ domain, atMs });
      putFailure.run({ domain, atMs, reason });
    },

    /** Removes up to `limit` replaced captures older than the given time. Returns the hashes that are no longer referenced. */
    removeReplaced(beforeMs: number, limit: number): { readonly removed: number; readonly unused: string[] } {
      const old = replacedBefore.all(beforeMs, limit) as Pick<CaptureRow, 'domain' | 'capturedMs' | 'hash'>[];
      const unused: string[] = [];
      for (const { domain, capturedMs, hash } of old) {
        removeCapture.run(domain, capturedMs);
        const left = release.get(hash) as { captures: number; bytes: number; perceptualHash: string | null };
        count.run(0, -1, left.captures === 0 ? -left.bytes : 0);
        if (left.captures > 0) continue;
        removeImage.run(hash);
        if (left.perceptualHash) perceptual.removeUnused(left.perceptualHash);
        unused.push(hash);
      }
      return { removed: old.length, unused };
    },

    hashesAfter: (hash: string) => hashesAfter.all(hash) as string[],
    countImages: () => countImages.get() as number,

    statistics: () => tally.get() as { domains: number; images: number; bytes: number },
  };
}

function imageColumns({ mimetype, width, height, pixelHash }: Image) {
  return { mimetype, width, height, pixelHash };
}
