/**
 * Watches the file system of the data directory. Space is low when less than the reserve is free, and no longer when a quarter of the
 * reserve more is free, so that ingest does not start and stop with every file that is deleted.
 */
import { statfsSync } from 'node:fs';
import { type FreeSpace, type SpaceState, storageFull } from '../free-space.ts';

export interface Reserve {
  readonly bytes: number;
  /** At most this share of the file system, so that a small one is not all reserve. */
  readonly percent: number;
}

export interface FreeSpaceOptions {
  readonly reserve: Reserve;
  /** Called once with each change between low and not low. */
  readonly onChange?: ((state: SpaceState) => void) | undefined;
  readonly statfs?: (path: string) => FileSystemSize;
}

/** In blocks; `bavail` are those that others than root may use. */
export interface FileSystemSize {
  readonly bsize: number;
  readonly blocks: number;
  readonly bavail: number;
}

/** How often space is read while nothing asks. */
const pollMs = 5000;
const resumeFactor = 1.25;

export class FreeSpaceWatch implements FreeSpace {
  readonly #directory: string;
  readonly #options: FreeSpaceOptions;
  readonly #timer: NodeJS.Timeout;
  /** Undefined before the first reading. */
  #isLow: boolean | undefined;

  constructor(directory: string, options: FreeSpaceOptions) {
    this.#directory = directory;
    this.#options = options;
    this.state();
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
  }

  requireRoom(bytes = 0): void {
    if (this.#read(bytes).isLow) throw storageFull();
  }

  hasRoom(): boolean {
    return !this.state().isLow;
  }

  state(): SpaceState {
    return this.#read(0);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** A file system that cannot be read for a moment does not end the process: the next caller gets the error. */
  #poll(): void {
    try {
      this.state();
    } catch {
      // The state stays as it was.
    }
  }

  #read(moreBytes: number): SpaceState {
    const { reserve, statfs = statfsSync, onChange } = this.#options;
    const { bsize, blocks, bavail } = statfs(this.#directory);
    const [totalBytes, freeBytes] = [bsize * blocks, bsize * bavail];
    const reserveBytes = Math.min(reserve.bytes, Math.floor((totalBytes * reserve.percent) / 100));
    // A process that starts between the two thresholds agrees with those that have stopped.
    const neededBytes = this.#isLow === false ? reserveBytes : reserveBytes * resumeFactor;
    const isLow = freeBytes - moreBytes < neededBytes;
    const state = { isLow, freeBytes, totalBytes, reserveBytes };
    const isChange = isLow !== (this.#isLow ?? false);
    this.#isLow = isLow;
    if (isChange) onChange?.(state);
    return state;
  }
}
