import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { StoredObjects } from '../s3/stored-objects.ts';
import { lockImages } from './image-rows.ts';
import { removeUnusedQuarters } from './perceptual-hashes.ts';

/** Deleted in one transaction. */
const batchSize = 50;

/** Deletes replaced captures from before the given time, and images that none shows any more. Returns how many captures. */
export async function pruneImages(
  database: PostgresDatabase,
  objects: StoredObjects,
  beforeMs: number,
): Promise<number> {
  for (let pruned = 0; ; ) {
    const removed = await database.write((sql) => removeReplaced(sql, objects, beforeMs));
    pruned += removed;
    if (removed < batchSize) return pruned;
  }
}

async function removeReplaced(sql: Transaction, objects: StoredObjects, beforeMs: number): Promise<number> {
  await lockImages(sql);
  const removed = await sql<{ hash: string }[]>`
    with old as (select domain, captured_ms from capture
      where is_replaced and captured_ms < ${beforeMs} order by captured_ms limit ${batchSize})
    delete from capture using old
    where capture.domain = old.domain and capture.captured_ms = old.captured_ms returning hash`;
  if (removed.length === 0) return 0;
  const hashes = removed.map(({ hash }) => hash);
  await sql`
    update image set captures = captures - removed.number
    from (select hash, count(*) as number from unnest(${hashes}::text[]) as all_removed (hash) group by hash) as removed
    where image.hash = removed.hash`;
  const unused = await sql<{ object: string; bytes: number; perceptual_hash: string | null }[]>`
    delete from image where hash = any(${hashes}) and captures = 0 returning object, bytes, perceptual_hash`;
  const bytes = unused.reduce((sum, image) => sum + image.bytes, 0);
  await sql`update image_total set images = images - ${removed.length}, bytes = bytes - ${bytes}`;
  await objects.drop(
    sql,
    unused.map(({ object }) => object),
  );
  await removeUnusedQuarters(
    sql,
    unused.map(({ perceptual_hash: hash }) => hash ?? ''),
  );
  return removed.length;
}
