/** Screenshots: rows in PostgreSQL, and the bytes of each image once in S3. No row lacks its object; an object without a row is swept. */
import { type Damage, DamagedData } from '../../damage.ts';
import { screenshotOf, storedReason } from '../../image/capture-row.ts';
import type { CaptureFailure, Image, ImageStore } from '../../image-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { ObjectReader } from '../s3/object-reader.ts';
import type { Objects } from '../s3/open-objects.ts';
import {
  findCapture,
  findNewest,
  listCaptures,
  lockDomain,
  lockImages,
  recordFailure,
  setPerceptualHash,
} from './image-rows.ts';
import { listAlike } from './perceptual-hashes.ts';
import { pruneImages } from './prune-images.ts';
import { CaptureSaver } from './save-capture.ts';

/** Read in one step of a verification. */
const batchSize = 500;

interface ImageRow {
  readonly hash: string;
  readonly bytes: number;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  readonly pixelHash: string;
  readonly object: string;
}

export function openImageStore(database: PostgresDatabase, objects: Objects): ImageStore {
  const saver = new CaptureSaver(database, objects);
  return {
    saveCapture: (capture) => saver.save(capture),
    recordFailure: (domain, atMs, reason) =>
      database.writeRepeatable(async (sql) => {
        await lockDomain(sql, domain);
        await recordFailure(sql, domain, atMs, storedReason(reason));
      }),
    findScreenshots: async (domains) => {
      const found = await database.read((sql) => findNewest(sql, domains));
      return domains.map((domain) => {
        const row = found.get(domain);
        return row && screenshotOf(row);
      });
    },
    findFailures: async (domains) => {
      const rows = await database.read(
        (sql) => sql<(CaptureFailure & { domain: string })[]>`
          select domain, failed_ms as "atMs", reason from capture_failure where domain = any(${domains})`,
      );
      const found = new Map(rows.map(({ domain, ...failure }) => [domain, failure]));
      return domains.map((domain) => found.get(domain));
    },
    listAlike: (hash, limit) => database.read((sql) => listAlike(sql, hash, limit)),
    hashImages: (limit, hashOf) => hashImages(database, objects.reader, limit, hashOf),
    findImage: (domain, capturedMs) => findImage(database, objects.reader, domain, capturedMs),
    listCaptures: async (domain, limit) =>
      (await database.read((sql) => listCaptures(sql, domain, limit))).map(screenshotOf),
    pruneImages: (beforeMs) => pruneImages(database, objects.stored, beforeMs),
    statistics: async () => {
      const [total] = await database.read(
        (sql) => sql<{ domains: number; images: number; bytes: number }[]>`
          select domains, images, bytes from image_total`,
      );
      return { domains: 0, images: 0, bytes: 0, ...total };
    },
    verify: (onProgress) => verifyImages(database, objects.newReader(), onProgress),
    close: async () => undefined,
  };
}

async function findImage(
  database: PostgresDatabase,
  reader: ObjectReader,
  domain: string,
  capturedMs: number,
): Promise<Image | undefined> {
  const find = () => database.read((sql) => findCapture(sql, domain, capturedMs));
  const row = await find();
  if (!row) return undefined;
  const { mimetype, width, height, pixelHash } = row;
  try {
    const bytes = await reader.readWhole({ key: row.object, bytes: row.bytes, sha256: row.hash });
    return { bytes, mimetype, width, height, pixelHash };
  } catch (error) {
    // Pruned meanwhile, or lost.
    if (error instanceof DamagedData && !(await find())) return undefined;
    throw error;
  }
}

async function hashImages(
  database: PostgresDatabase,
  reader: ObjectReader,
  limit: number,
  hashOf: (image: Image) => Promise<string>,
): Promise<number> {
  const unhashed = await database.read(
    (sql) => sql<ImageRow[]>`
      select hash, bytes, mimetype, width, height, pixel_hash as "pixelHash", object from image
      where perceptual_hash is null order by hash limit ${limit}`,
  );
  for (const { hash, object, ...image } of unhashed) {
    const bytes = await reader
      .readWhole({ key: object, bytes: image.bytes, sha256: hash })
      .catch(unlessDamaged);
    // Empty for an image that is lost, damaged or cannot be decoded: verification reports those.
    const perceptualHash = bytes ? await hashOf({ ...image, bytes }).catch(() => '') : '';
    await database.writeRepeatable(async (sql) => {
      await lockImages(sql);
      await setPerceptualHash(sql, hash, perceptualHash);
    });
  }
  return unhashed.length;
}

function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedData)) throw error;
}

async function* verifyImages(
  database: PostgresDatabase,
  reader: ObjectReader,
  onProgress?: (done: number, all: number) => void,
): AsyncGenerator<Damage> {
  const [{ all } = { all: 0 }] = await database.read(
    (sql) => sql<{ all: number }[]>`select count(*) as all from image`,
  );
  const rowsAfter = (hash: string) =>
    database.read(
      (sql) => sql<Pick<ImageRow, 'hash' | 'bytes' | 'object'>[]>`
        select hash, bytes, object from image where hash > ${hash} order by hash limit ${batchSize}`,
    );
  const isNamed = async (object: string, hash: string) =>
    (await database.read((sql) => sql`select 1 from image where hash = ${hash} and object = ${object}`))
      .length > 0;
  let done = 0;
  for (let rows = await rowsAfter(''); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.hash ?? '')) {
    for (const { hash, bytes, object } of rows) {
      try {
        await reader.readWhole({ key: object, bytes, sha256: hash });
      } catch (error) {
        if (!(error instanceof DamagedData)) throw error;
        // It may have been pruned and swept meanwhile.
        if (await isNamed(object, hash)) yield error;
      }
      done += 1;
      onProgress?.(done, Math.max(done, all));
    }
  }
}
