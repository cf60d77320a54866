/** Saves captures: bytes first, then the rows that name them. */
import { hash } from 'node:crypto';
import { DamagedData } from '../../damage.ts';
import type { Capture, ImageStore } from '../../image-store.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import type { Objects } from '../s3/open-objects.ts';
import { addCapture, addImage, confirm, findNewest, lockDomain, lockImages } from './image-rows.ts';

type Outcome = Awaited<ReturnType<ImageStore['saveCapture']>>;

/** What was found out, and done, before the transaction. */
interface Prepared {
  readonly hash: string;
  /** Uploaded by us; undefined where the image is stored already. */
  readonly uploaded?: string;
  /** Objects that are lost or damaged. */
  readonly damaged: readonly string[];
}

interface StoredImage {
  readonly object: string;
  readonly hash: string;
  readonly bytes: number;
}

export class CaptureSaver {
  readonly #database: PostgresDatabase;
  readonly #objects: Objects;

  constructor(database: PostgresDatabase, objects: Objects) {
    this.#database = database;
    this.#objects = objects;
  }

  async save(capture: Capture): Promise<Outcome> {
    for (;;) {
      const prepared = await this.#prepare(capture);
      const outcome = await this.#database.write((sql) => this.#addRows(sql, capture, prepared));
      // Otherwise the stored image was pruned meanwhile.
      if (outcome) return outcome;
    }
  }

  /** The same pixels are not stored again, even if they are encoded differently; nor the same bytes of another domain. */
  async #prepare({ domain, image }: Capture): Promise<Prepared> {
    const newest = await this.#database.read((sql) => findNewest(sql, [domain]));
    const before = newest.get(domain);
    const ownHash = hash('sha256', image.bytes);
    const damaged: string[] = [];
    if (before?.pixelHash === image.pixelHash) {
      if (await this.#isIntact(before)) return { hash: before.hash, damaged };
      damaged.push(before.object);
    }
    const [stored] = await this.#database.read(
      (sql) => sql<StoredImage[]>`select object, hash, bytes from image where hash = ${ownHash}`,
    );
    if (stored && !damaged.includes(stored.object)) {
      if (await this.#isIntact(stored)) return { hash: ownHash, damaged };
      damaged.push(stored.object);
    }
    const { key } = await this.#objects.stored.upload('images', chunkOf(image.bytes));
    return { hash: ownHash, uploaded: key, damaged };
  }

  /** Undefined, and nothing is changed, where it must be prepared again. */
  async #addRows(sql: Transaction, capture: Capture, prepared: Prepared): Promise<Outcome | undefined> {
    const { domain, image, atMs } = capture;
    await lockDomain(sql, domain);
    const before = (await findNewest(sql, [domain])).get(domain);
    const isSame = before?.pixelHash === image.pixelHash;
    if (isSame && !prepared.damaged.includes(before.object)) {
      await confirm(sql, before, atMs);
      return 'same';
    }
    await lockImages(sql);
    const object = await this.#objectOf(sql, prepared);
    if (object === undefined) return undefined;
    if (isSame && before.hash === prepared.hash) {
      await confirm(sql, before, atMs);
      return 'same';
    }
    await addImage(sql, image, { hash: prepared.hash, object });
    await addCapture(sql, capture, prepared.hash, before);
    return before ? 'changed' : 'first';
  }

  /** Where the image is stored. The bytes are at hand, so a damaged object is replaced. */
  async #objectOf(
    sql: Transaction,
    { hash: ownHash, uploaded, damaged }: Prepared,
  ): Promise<string | undefined> {
    const [stored] = await sql<StoredImage[]>`select object from image where hash = ${ownHash}`;
    if (stored && !damaged.includes(stored.object)) return stored.object;
    if (uploaded === undefined) return undefined;
    await this.#objects.stored.name(sql, [uploaded]);
    if (stored) {
      await sql`update image set object = ${uploaded} where hash = ${ownHash}`;
      await this.#objects.stored.drop(sql, [stored.object]);
    }
    return uploaded;
  }

  async #isIntact({ object, bytes, hash: sha256 }: StoredImage): Promise<boolean> {
    try {
      await this.#objects.reader.readWhole({ key: object, bytes, sha256 });
      return true;
    } catch (error) {
      if (error instanceof DamagedData) return false;
      throw error;
    }
  }
}

async function* chunkOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
