/** Images with their objects: the rows of some images and the objects that they name appear together. */
import type { CopiedRow, ReadColumn } from '../../copy/copied-rows.ts';
import { DamagedData } from '../../damage.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import type { Objects } from '../s3/open-objects.ts';
import { insertRows } from './write-tables.ts';

/** Uploaded at the same time. */
const uploadsAtOnce = 8;

interface CopiedImage {
  readonly hash: string;
  readonly row: CopiedRow;
}

export async function findImage(database: PostgresDatabase, objects: Objects, hash: string): Promise<Buffer> {
  const [row] = await database.read(
    (sql) => sql<{ object: string; bytes: number }[]>`select object, bytes from image where hash = ${hash}`,
  );
  if (!row) throw new DamagedData({ file: 'postgres/image', problem: `image ${hash} is missing` });
  return objects.reader.readWhole({ key: row.object, bytes: row.bytes, sha256: hash });
}

export class ImageWriter {
  readonly #database: PostgresDatabase;
  readonly #objects: Objects;

  constructor(database: PostgresDatabase, objects: Objects) {
    this.#database = database;
    this.#objects = objects;
  }

  /** Those that are there already, from a copy that was interrupted, are left out. */
  async put(
    columns: readonly ReadColumn[],
    images: readonly CopiedImage[],
    read: (hash: string) => Promise<Buffer>,
  ): Promise<void> {
    const known = await this.#known(images.map(({ hash }) => hash));
    const missing = images.filter(({ hash }) => !known.has(hash));
    for (let at = 0; at < missing.length; at += uploadsAtOnce) {
      const some = missing.slice(at, at + uploadsAtOnce);
      const keys = await Promise.all(some.map(async ({ hash }) => this.#upload(await read(hash))));
      await this.#database.write(async (sql) => {
        const withObject = [...columns, { name: 'object', type: 'text' as const }];
        const rows = some.map(({ row }, index) => [...row, keys[index] as string]);
        await insertRows(sql, { table: 'image', columns: withObject }, rows);
        await this.#objects.stored.name(sql, keys);
      });
    }
  }

  async #known(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#database.read(
      (sql) => sql<{ hash: string }[]>`select hash from image where hash = any(${hashes})`,
    );
    return new Set(rows.map(({ hash }) => hash));
  }

  async #upload(bytes: Buffer): Promise<string> {
    const { key } = await this.#objects.stored.upload('images', once(bytes));
    return key;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
