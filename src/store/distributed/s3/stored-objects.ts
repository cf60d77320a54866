/**
 * Objects that rows of the database name. An object is listed in `unused_object` before it is uploaded, and from there it is removed in the transaction
 * of the row that names it. So a crash at any moment leaves either a named object or one that `sweep` deletes a day later. Keys are never used twice.
 */
import { randomUUID } from 'node:crypto';
import { Problem } from '../../../model/problem.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { ObjectDigest, type ObjectParts, partsOf } from './object-parts.ts';
import { partBytes, type S3Client } from './s3-client.ts';
import type { Payload } from './s3-requests.ts';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** CRC-32 of every 64 KiB. */
  readonly blockChecksums: Buffer;
}

/** Deleted in one step of a sweep. */
const batchSize = 100;

export class StoredObjects {
  readonly #database: PostgresDatabase;
  readonly #s3: S3Client;

  constructor(database: PostgresDatabase, s3: S3Client) {
    this.#database = database;
    this.#s3 = s3;
  }

  /** Durable when this resolves, for a day: until then a transaction must `name` it. */
  async upload(folder: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const key = `${folder}/${randomUUID()}`;
    await this.#database.writeRepeatable(
      (sql) => sql`insert into unused_object (key) values (${key}) on conflict do nothing`,
    );
    const digest = new ObjectDigest();
    const parts = partsOf(chunks, partBytes, digest);
    const first = await parts.next();
    if (first.done) await this.#s3.putObject(key, first.value);
    else await this.#uploadParts(key, first.value, parts);
    return { key, ...digest.finish() };
  }

  /** In the transaction of the row that names them from now on. */
  async name(sql: Transaction, keys: readonly string[]): Promise<void> {
    const named = await sql`delete from unused_object where key = any(${keys}) and not is_deleting`;
    if (named.count !== keys.length)
      throw new Problem('try-again', 'an object was uploaded too long ago; try again');
  }

  /** In the transaction that removes the row that named them. Readers that have one open go on for a day. */
  async drop(sql: Transaction, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await sql`insert into unused_object (key) select unnest(${keys}::text[])`;
  }

  /** Deletes objects that no row has named for a day. Returns how many. */
  async sweep(): Promise<number> {
    for (let deleted = 0; ; ) {
      const old = await this.#database.writeRepeatable(
        (sql) => sql<{ key: string; upload_id: string | null }[]>`
          update unused_object set is_deleting = true where key = any(array(
            select key from unused_object where since < now() - interval '1 day' order by since limit ${batchSize}))
          returning key, upload_id`,
      );
      if (old.length === 0) return deleted;
      for (const { key, upload_id: uploadId } of old) {
        if (uploadId !== null) await this.#s3.abortUpload(key, uploadId);
        await this.#s3.deleteObject(key);
      }
      const keys = old.map(({ key }) => key);
      await this.#database.writeRepeatable((sql) => sql`delete from unused_object where key = any(${keys})`);
      deleted += old.length;
    }
  }

  async #uploadParts(key: string, first: Payload, parts: ObjectParts): Promise<void> {
    const uploadId = await this.#s3.beginUpload(key);
    await this.#database.writeRepeatable(
      (sql) => sql`update unused_object set upload_id = ${uploadId} where key = ${key}`,
    );
    const tags = [await this.#s3.putPart(key, uploadId, 1, first)];
    for (;;) {
      const { value, done } = await parts.next();
      tags.push(await this.#s3.putPart(key, uploadId, tags.length + 1, value));
      if (done) break;
    }
    await this.#s3.completeUpload(key, uploadId, tags);
  }
}
