/**
 * Parts of streams that were read and checked, for several readers at once: clients fetch the latest minutes of a channel at about the same
 * time, and each part is then read and checked once. A chunk is what a stream has between two offsets, so it never changes.
 */
import type { Offset, StreamName } from '../../stream-store.ts';

/** Of every chunk of a segment but the last. */
export const chunkBytes = 1 << 20;

/** A smaller segment has no chunks, and a smaller rest of one belongs to the chunk before it. */
export const sharedBytesMin = 1 << 18;

/** The memory of a chunk. */
export const chunkBytesMax = chunkBytes + sharedBytesMin;

/** One is being consumed, one may still be on its way to the socket, one is being filled; as many again are kept for readers behind. */
const chunksPerReader = 6;

/** Of the memory, for readers of whom it is not known yet whether they consume anything: one that stalls keeps what it has. */
const newReadersShare = 0.5;

/** A steady one has consumed more than the system buffers for one that stalls. */
export type ReaderKind = 'new' | 'steady';

/**
 * How long the memory of a reader that has left is kept for the next one: where downloads follow one another, allocating it anew for
 * each makes V8 collect all garbage again and again.
 */
const usualKeptMs = 10_000;

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
  /** Of its users. */
  newReaders: number;
}

export class SharedChunks {
  readonly #chunksMax: number;
  readonly #keptMs: number;
  /** In the order in which they were last in use. */
  readonly #entries = new Map<string, Entry>();
  /** With those that have departed not long ago. */
  #readers = 0;
  readonly #departed: NodeJS.Timeout[] = [];
  /** Memory of chunks that were forgotten when the last reader departed. */
  readonly #spare: Buffer[] = [];
  /** Of entries, of failed ones that somebody still waits for, and spare. */
  #allocated = 0;
  /** Entries that new readers use. */
  #usedByNew = 0;

  constructor(bytesMax: number, keptMs = usualKeptMs) {
    this.#keptMs = keptMs;
    this.#chunksMax = Math.floor(bytesMax / chunkBytesMax);
  }

  /** To be called by every reader before its first chunk; the result once, when it releases its last. */
  join(): () => void {
    const departed = this.#departed.pop();
    if (departed) clearTimeout(departed);
    else this.#readers += 1;
    return () => this.#leave();
  }

  /**
   * The chunk in memory, or else loaded; readers that want it meanwhile wait for the same load, and fail with it. Undefined if all of the
   * memory that such a reader may have is in use.
   */
  acquire(
    { stream, from, to }: ChunkAddress,
    load: (into: Buffer) => Promise<void>,
    reader: ReaderKind = 'steady',
  ): Promise<SharedChunk> | undefined {
    const key = `${stream} ${from} ${to}`;
    const known = this.#entries.get(key);
    if (reader === 'new' && !known?.newReaders && this.#usedByNew >= this.#chunksMax * newReadersShare)
      return undefined;
    const entry = known ?? this.#load(key, to - from, load);
    if (!entry) return undefined;
    this.#addUser(entry, reader);
    return this.#use(entry, reader);
  }

  #leave(): void {
    this.#departed.push(setTimeout(() => this.#forgetReader(), this.#keptMs).unref());
    if (this.#isIdle())
      for (const entry of this.#entries.values()) if (entry.users === 0) this.#forget(entry);
  }

  #isIdle(): boolean {
    return this.#departed.length === this.#readers;
  }

  #forget({ key, memory }: Entry): void {
    this.#entries.delete(key);
    this.#spare.push(memory);
  }

  /** The one that departed first. */
  #forgetReader(): void {
    this.#departed.shift();
    this.#readers -= 1;
    this.#trim(this.#limit());
  }

  #limit(): number {
    return Math.min(this.#chunksMax, this.#readers * chunksPerReader);
  }

  #load(key: string, length: number, load: (into: Buffer) => Promise<void>): Entry | undefined {
    const memory = this.#spare.pop() ?? this.#allocate();
    if (!memory) return undefined;
    const bytes = memory.subarray(0, length);
    const entry = { key, memory, bytes, loaded: load(bytes), users: 0, newReaders: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #allocate(): Buffer | undefined {
    const limit = this.#limit();
    const freed = this.#trim(limit - 1);
    if (this.#allocated >= limit) return undefined;
    this.#allocated += 1;
    return freed ?? Buffer.allocUnsafeSlow(chunkBytesMax);
  }

  #addUser(entry: Entry, reader: ReaderKind): void {
    entry.users += 1;
    if (reader === 'steady') return;
    if (entry.newReaders === 0) this.#usedByNew += 1;
    entry.newReaders += 1;
  }

  #removeUser(entry: Entry, reader: ReaderKind): void {
    entry.users -= 1;
    if (reader === 'steady') return;
    entry.newReaders -= 1;
    if (entry.newReaders === 0) this.#usedByNew -= 1;
  }

  async #use(entry: Entry, reader: ReaderKind): Promise<SharedChunk> {
    try {
      await entry.loaded;
    } catch (error) {
      // The next reader tries again.
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
      this.#removeUser(entry, reader);
      if (entry.users === 0) this.#allocated -= 1;
      throw error;
    }
    let isReleased = false;
    return {
      bytes: entry.bytes,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#removeUser(entry, reader);
        this.#keepOrForget(entry);
      },
    };
  }

  #keepOrForget(entry: Entry): void {
    if (entry.users > 0) return;
    if (this.#isIdle()) return this.#forget(entry);
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
  }

  /** Forgets memory that nobody uses until so much is left. Gives that of the last chunk. */
  #trim(left: number): Buffer | undefined {
    while (this.#allocated > left && this.#spare.pop()) this.#allocated -= 1;
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
