/**
 * A scan on a node. Its first slice compares the list of segments with the database, so that it shows what any node committed before. A lookup that is read
 * synchronously does not: it shows what the node was notified of, which is at most a moment older.
 */
import { Problem } from '../../../model/problem.ts';
import { DamagedData } from '../../damage.ts';
import type { Slices } from '../../rrset-store.ts';
import type { CachedSegments } from './cached-segments.ts';

type Source<Item> = Slices<Item> & AsyncIterableIterator<readonly Item[]>;

export class FreshSlices<Item> implements Slices<Item>, AsyncIterableIterator<readonly Item[]> {
  readonly #segments: CachedSegments;
  readonly #source: Source<Item>;
  #isFresh = false;
  /** Thrown by `next`, which can wait until the file is removed. */
  #damage: DamagedData | undefined;

  constructor(segments: CachedSegments, source: Source<Item>) {
    this.#segments = segments;
    this.#source = source;
  }

  readAllSync(): readonly Item[] | undefined {
    // The rest of a result that begins synchronously is of the same age.
    this.#isFresh = true;
    try {
      return this.#source.readAllSync?.();
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error;
      this.#damage = error;
      return undefined;
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Item[], undefined>> {
    try {
      if (this.#damage) throw this.#damage;
      if (!this.#isFresh) await this.#segments.refresh();
      this.#isFresh = true;
      return await this.#source.next();
    } catch (error) {
      throw await replacedFault(this.#segments, error);
    }
  }

  async return(): Promise<IteratorResult<readonly Item[], undefined>> {
    return (await this.#source.return?.()) ?? { done: true, value: undefined };
  }
}

/** A damaged file of the cache is fetched again by the next scan; damage in the object store stays what it is. */
export async function replacedFault(segments: CachedSegments, error: unknown): Promise<unknown> {
  if (!(error instanceof DamagedData) || !(await segments.discard(error.file))) return error;
  return new Problem('try-again', `${error.message}, and is fetched again; try again`, { cause: error });
}
