/** Perceptual hashes of images, and the index of their quarters. */
import { nearbyQuarters, quartersOf } from '../../../model/picture/difference-hash.ts';
import { hashesPerQuarterMax, nearestHashes } from '../../image/nearest-hashes.ts';
import type { AlikePicture } from '../../image-store.ts';
import type { Sql, Transaction } from '../postgres/database.ts';

export async function addQuarters(sql: Transaction, perceptualHash: string): Promise<void> {
  const rows = quartersOf(perceptualHash).map((bits, quarter) => ({
    quarter,
    bits,
    perceptual_hash: perceptualHash,
  }));
  await sql`insert into perceptual_quarter ${sql(rows)} on conflict do nothing`;
}

/** Of hashes that no image has any more. */
export async function removeUnusedQuarters(
  sql: Transaction,
  perceptualHashes: readonly string[],
): Promise<void> {
  const used = await sql<{ hash: string }[]>`
    select distinct perceptual_hash as hash from image
    where perceptual_hash = any(${perceptualHashes}) and perceptual_hash > ''`;
  const isUsed = new Set(used.map(({ hash }) => hash));
  const unused = [...new Set(perceptualHashes)].filter((hash) => hash !== '' && !isUsed.has(hash));
  const quarters = unused.flatMap((hash) =>
    quartersOf(hash).map((bits, quarter) => ({ quarter, bits, hash })),
  );
  if (quarters.length === 0) return;
  await sql`
    delete from perceptual_quarter using unnest(
      ${quarters.map(({ quarter }) => quarter)}::integer[], ${quarters.map(({ bits }) => bits)}::integer[],
      ${quarters.map(({ hash }) => hash)}::text[]) as unused (quarter, bits, hash)
    where perceptual_quarter.quarter = unused.quarter and perceptual_quarter.bits = unused.bits
      and perceptual_hash = unused.hash`;
}

export async function listAlike(sql: Sql, hash: string, limit: number): Promise<readonly AlikePicture[]> {
  const near = [...nearbyQuarters(hash)];
  const found = await sql<{ hash: string }[]>`
    select distinct nearby.hash from unnest(
      ${near.map(([quarter]) => quarter)}::integer[], ${near.map(([, bits]) => bits)}::integer[]) as asked (quarter, bits)
    cross join lateral (select perceptual_hash as hash from perceptual_quarter
      where quarter = asked.quarter and bits = asked.bits limit ${hashesPerQuarterMax}) as nearby`;
  const nearest = nearestHashes(
    hash,
    found.map((row) => row.hash),
  );
  const alike = await sql<AlikePicture[]>`
    select domain, captured_ms as "capturedMs", asked.hash as "perceptualHash", asked.distance
    from unnest(${nearest.map(([other]) => other)}::text[], ${nearest.map(([, distance]) => distance)}::integer[])
      with ordinality as asked (hash, distance, number)
    cross join lateral (select domain, captured_ms from image join capture using (hash)
      where perceptual_hash = asked.hash and perceptual_hash > '' and not is_replaced limit ${limit}) as shown
    order by asked.number limit ${limit}`;
  return [...alike];
}
