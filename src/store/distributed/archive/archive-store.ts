/**
 * Archives in S3, listed in PostgreSQL. A file is uploaded under a key of its own before its row is inserted; of several writers of one name the first
 * row counts, and the objects of the others are swept. So is the object of a file that was pruned, a day later: who has it open reads on.
 */
import { createHash } from 'node:crypto';
import { isArchiveFileName } from '../../../model/archive-names.ts';
import type { ArchiveFile, ArchiveStore, FileSelection, OpenFile } from '../../archive-store.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import type { PostgresDatabase, Sql } from '../postgres/database.ts';
import type { ObjectReader } from '../s3/object-reader.ts';
import type { Objects } from '../s3/open-objects.ts';

interface FileRow {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly block_checksums: Buffer;
  readonly made_ms: number;
  readonly object: string;
}

const archiveForm = /^[a-z0-9_]{1,64}$/;
/** Sorts behind every name with a prefix. */
const lastCharacter = '\u{10ffff}';
/** Read or removed in one step. */
const batchSize = 500;

export function openArchiveStore(database: PostgresDatabase, objects: Objects): ArchiveStore {
  return new DistributedArchiveStore(database, objects);
}

class DistributedArchiveStore implements ArchiveStore {
  readonly #database: PostgresDatabase;
  readonly #objects: Objects;

  constructor(database: PostgresDatabase, objects: Objects) {
    this.#database = database;
    this.#objects = objects;
  }

  async addFile(name: string, chunks: AsyncIterable<Uint8Array>, madeMs: number): Promise<void> {
    if (!isArchiveFileName(name)) throw new Error(`${name} is not a valid archive file name`);
    if (await this.#findRow(name)) return;
    const { key, bytes, sha256, blockChecksums } = await this.#objects.stored.upload(
      `archives/${name}`,
      chunks,
    );
    await this.#database.write(async (sql) => {
      const added = await sql`
        insert into archive_file (name, day, bytes, sha256, block_checksums, made_ms, object)
        values (${name}, ${dayOf(name)}, ${bytes}, ${sha256}, ${blockChecksums}, ${madeMs}, ${key})
        on conflict do nothing`;
      if (added.count === 1) await this.#objects.stored.name(sql, [key]);
    });
  }

  async listFiles({ archive, prefix, skip, limit }: FileSelection): Promise<readonly ArchiveFile[]> {
    if (!archiveForm.test(archive)) return [];
    const first = `${archive}/${prefix}`;
    const rows = await this.#database.read(
      (sql) => sql<FileRow[]>`
        select name, bytes, sha256, made_ms from archive_file
        where name >= ${first} and name < ${first + lastCharacter}
        order by name desc offset ${skip} limit ${limit}`,
    );
    return rows.map(fileOf);
  }

  async findFile(name: string): Promise<ArchiveFile | undefined> {
    const row = await this.#findRow(name);
    return row && fileOf(row);
  }

  async openFile(name: string): Promise<OpenFile | undefined> {
    const row = await this.#findRow(name);
    if (!row) return undefined;
    const { reader } = this.#objects;
    const object = objectOf(row);
    await reader.assertStored(object);
    return {
      file: fileOf(row),
      read: (from, to) => reader.read(object, from, to),
      close: async () => undefined,
    };
  }

  async pruneFiles(beforeDay: string): Promise<void> {
    for (;;) {
      const removed = await this.#database.write(async (sql) => {
        const rows = await sql<Pick<FileRow, 'object'>[]>`
          delete from archive_file where name = any(array(
            select name from archive_file where day < ${beforeDay} order by name limit ${batchSize} for update))
          returning object`;
        await this.#objects.stored.drop(
          sql,
          rows.map(({ object }) => object),
        );
        return rows.length;
      });
      if (removed < batchSize) return;
    }
  }

  async *verify(onProgress?: (done: number, all: number) => void): AsyncGenerator<Damage> {
    const [{ all } = { all: 0 }] = await this.#database.read(
      (sql) => sql<{ all: number }[]>`select count(*) as all from archive_file`,
    );
    const reader = this.#objects.newReader();
    let done = 0;
    for (let rows = await this.#rowsAfter(''); rows.length > 0; ) {
      for (const row of rows) {
        const damage = await this.#findDamage(row, reader);
        // It may have been pruned and swept meanwhile.
        if (damage && (await this.#findRow(row.name))) yield damage;
        done += 1;
        onProgress?.(done, Math.max(done, all));
      }
      rows = await this.#rowsAfter(rows.at(-1)?.name ?? '');
    }
  }

  async #findDamage(row: FileRow, reader: ObjectReader): Promise<Damage | undefined> {
    const object = objectOf(row);
    const hash = createHash('sha256');
    try {
      await reader.assertStored(object);
      for await (const chunk of reader.read(object, 0, row.bytes)) hash.update(chunk);
    } catch (error) {
      if (error instanceof DamagedData) return error;
      throw error;
    }
    if (hash.digest('hex') === row.sha256) return undefined;
    return { file: row.object, offset: 0, problem: 'an archive does not match its SHA-256' };
  }

  async #findRow(name: string): Promise<FileRow | undefined> {
    if (!isArchiveFileName(name)) return undefined;
    const [row] = await this.#database.read(
      (sql) => sql<FileRow[]>`select ${columns(sql)} from archive_file where name = ${name}`,
    );
    return row;
  }

  #rowsAfter(name: string): Promise<readonly FileRow[]> {
    return this.#database.read(
      (sql) => sql<FileRow[]>`
        select ${columns(sql)} from archive_file where name > ${name} order by name limit ${batchSize}`,
    );
  }
}

const columns = (sql: Sql) => sql`name, bytes, sha256, block_checksums, made_ms, object`;

function fileOf({ name, bytes, sha256, made_ms: modifiedMs }: FileRow): ArchiveFile {
  return { name, bytes, sha256, modifiedMs };
}

function objectOf({ object, bytes, block_checksums: blockChecksums }: FileRow) {
  return { key: object, bytes, blockChecksums };
}

/** `nod/2026-02-20/…` */
function dayOf(name: string): string {
  return name.split('/')[1] as string;
}
