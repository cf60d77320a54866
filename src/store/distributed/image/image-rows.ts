/** Statements on images and captures. Those that write belong into a transaction; all but `confirm` and `recordFailure` after `lockImages`. */
import { type CaptureRow, captureTime } from '../../image/capture-row.ts';
import type { Capture, Image } from '../../image-store.ts';
import type { Sql, Transaction } from '../postgres/database.ts';
import { addQuarters } from './perceptual-hashes.ts';

/** With the object in S3. */
export interface StoredCapture extends CaptureRow {
  readonly object: string;
  readonly bytes: number;
}

const captureColumns = (sql: Sql) => sql`
  domain, captured_ms as "capturedMs", seen_ms as "seenMs", attempted_ms as "attemptedMs", url,
  ip_address as "ipAddress", hash, mimetype, width, height, pixel_hash as "pixelHash",
  perceptual_hash as "perceptualHash", object, bytes`;

/** One node at a time changes the captures of a domain. */
export async function lockDomain(sql: Transaction, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`capture ${domain}`}, 0))`;
}

export async function lockImages(sql: Transaction): Promise<void> {
  await sql`select one from image_total for update`;
}

export async function findNewest(sql: Sql, domains: readonly string[]): Promise<Map<string, StoredCapture>> {
  const rows = await sql<StoredCapture[]>`
    select ${captureColumns(sql)} from capture join image using (hash)
    where domain = any(${domains}) and not is_replaced`;
  return new Map(rows.map((row) => [row.domain, row]));
}

export async function listCaptures(sql: Sql, domain: string, limit: number): Promise<StoredCapture[]> {
  return sql<StoredCapture[]>`
    select ${captureColumns(sql)} from capture join image using (hash)
    where domain = ${domain} order by captured_ms desc limit ${limit}`;
}

export async function findCapture(
  sql: Sql,
  domain: string,
  capturedMs: number,
): Promise<StoredCapture | undefined> {
  if (!Number.isSafeInteger(capturedMs)) return undefined;
  const [row] = await sql<StoredCapture[]>`
    select ${captureColumns(sql)} from capture join image using (hash)
    where domain = ${domain} and captured_ms = ${capturedMs}`;
  return row;
}

export async function confirm(sql: Transaction, row: CaptureRow, atMs: number): Promise<void> {
  await sql`
    update capture set seen_ms = greatest(seen_ms, ${atMs}), attempted_ms = greatest(attempted_ms, ${atMs})
    where domain = ${row.domain} and captured_ms = ${row.capturedMs}`;
  await sql`delete from capture_failure where domain = ${row.domain}`;
}

export async function recordFailure(
  sql: Transaction,
  domain: string,
  atMs: number,
  reason: string,
): Promise<void> {
  await sql`update capture set attempted_ms = greatest(attempted_ms, ${atMs})
    where domain = ${domain} and not is_replaced`;
  await sql`insert into capture_failure (domain, failed_ms, reason) values (${domain}, ${atMs}, ${reason})
    on conflict (domain) do update set failed_ms = excluded.failed_ms, reason = excluded.reason`;
}

/** Counts one more capture of an image; `object` is where it is stored, if it has no row yet. */
export async function addImage(
  sql: Transaction,
  image: Image,
  { hash, object }: { readonly hash: string; readonly object: string },
): Promise<void> {
  const { bytes, mimetype, width, height, pixelHash, perceptualHash } = image;
  const [added] = await sql<{ captures: number }[]>`
    insert into image (hash, bytes, mimetype, width, height, pixel_hash, captures, object)
    values (${hash}, ${bytes.length}, ${mimetype}, ${width}, ${height}, ${pixelHash}, 1, ${object})
    on conflict (hash) do update set captures = image.captures + 1 returning captures`;
  const newBytes = added?.captures === 1 ? bytes.length : 0;
  await sql`update image_total set images = images + 1, bytes = bytes + ${newBytes}`;
  if (perceptualHash !== undefined) await setPerceptualHash(sql, hash, perceptualHash);
}

/** After `addImage`. */
export async function addCapture(
  sql: Transaction,
  { domain, atMs, url, ipAddress }: Capture,
  hash: string,
  before: CaptureRow | undefined,
): Promise<void> {
  const capturedMs = captureTime(atMs, before);
  if (before)
    await sql`update capture set is_replaced = true
      where domain = ${domain} and captured_ms = ${before.capturedMs}`;
  else await sql`update image_total set domains = domains + 1`;
  await sql`
    insert into capture (domain, captured_ms, seen_ms, attempted_ms, url, ip_address, hash)
    values (${domain}, ${capturedMs}, ${capturedMs}, ${capturedMs}, ${url}, ${ipAddress ?? null}, ${hash})`;
  await sql`delete from capture_failure where domain = ${domain}`;
}

/** Has no effect on an image that has one. */
export async function setPerceptualHash(
  sql: Transaction,
  hash: string,
  perceptualHash: string,
): Promise<void> {
  const set = await sql`
    update image set perceptual_hash = ${perceptualHash} where hash = ${hash} and perceptual_hash is null`;
  if (set.count > 0 && perceptualHash !== '') await addQuarters(sql, perceptualHash);
}
