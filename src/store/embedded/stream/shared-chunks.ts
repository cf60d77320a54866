/**
 * Parts of streams that were read and checked, for several readers at once: clients fetch the latest minutes of a channel at about the same
 * time, and each part is then read and checked once. A chunk is what a stream has between two offsets, so it never changes.
 */
import type { Offset, StreamName } from '../../stream-store.ts';

/** At most. */
export const chunkBytes = 1 << 20;

/** One is being consumed, one may still be on its way to the socket, one is being filled; as many again are kept for readers behind. */
const chunksPerReader = 6;

export interface ChunkAddress {
  readonly stream: StreamName;
  readonly from: Offset;
  readonly to: Offset;
}

/** In use until it is released. */
export interface SharedChunk {
  readonly bytes: Buffer;
  release(): void;
}

interface Entry {
  readonly key: string;
  /** All of it, of which a chunk may need a part. */
  readonly memory: Buffer;
  readonly bytes: Buffer;
  readonly loaded: Promise<void>;
  users: number;
}

export class SharedChunks {
  readonly #chunksMax: number;
  /** In the order in which they were last in use. */
  readonly #entries = new Map<string, Entry>();
  #readers = 0;
  /** Of entries, and of failed ones that somebody still waits for. */
  #allocated = 0;

  constructor(bytesMax: number) {
    this.#chunksMax = Math.floor(bytesMax / chunkBytes);
  }

  /** To be called by every reader before its first chunk; the result once, when it releases its last. */
  join(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
      this.#trim(this.#limit());
    };
  }

  /**
   * The chunk in memory, or else loaded; readers that want it meanwhile wait for the same load, and fail with it. Undefined if all of the
   * memory is in use.
   */
  acquire(
    { stream, from, to }: ChunkAddress,
    load: (into: Buffer) => Promise<void>,
  ): Promise<SharedChunk> | undefined {
    const key = `${stream} ${from} ${to}`;
    const entry = this.#entries.get(key) ?? this.#load(key, to - from, load);
    if (!entry) return undefined;
    entry.users += 1;
    return this.#use(entry);
  }

  #limit(): number {
    return Math.min(this.#chunksMax, this.#readers * chunksPerReader);
  }

  #load(key: string, length: number, load: (into: Buffer) => Promise<void>): Entry | undefined {
    const limit = this.#limit();
    const freed = this.#trim(limit - 1);
    if (this.#allocated >= limit) return undefined;
    const memory = freed ?? Buffer.allocUnsafeSlow(chunkBytes);
    const bytes = memory.subarray(0, length);
    const entry = { key, memory, bytes, loaded: load(bytes), users: 0 };
    this.#allocated += 1;
    this.#entries.set(key, entry);
    return entry;
  }

  async #use(entry: Entry): Promise<SharedChunk> {
    try {
      await entry.loaded;
    } catch (error) {
      // The next reader tries again.
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
      entry.users -= 1;
      if (entry.users === 0) this.#allocated -= 1;
      throw error;
    }
    let isReleased = false;
    return {
      bytes: entry.bytes,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#release(entry);
      },
    };
  }

  #release(entry: Entry): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
  }

  /** Forgets chunks that nobody uses until so many are left. Gives the memory of the last one. */
  #trim(left: number): Buffer | undefined {
    let freed: Buffer | undefined;
    for (const [key, { users, memory }] of this.#entries) {
      if (this.#allocated <= left) break;
      if (users > 0) continue;
      this.#entries.delete(key);
      this.#allocated -= 1;
      freed = memory;
    }
    return freed;
  }
}
