/** The file-system calls that segments are written with; tests make each of them fail. They block, and run in a worker thread. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';

export interface FileOperations {
  makeDirectory(path: string): void;
  /** Opens a file for writing at any position; creates it where it is missing. */
  open(path: string): number;
  /** Undefined where the file is missing. */
  openExisting(path: string): number | undefined;
  /** False where the file was unlinked meanwhile. */
  hasName(file: number): boolean;
  /** Whether there is a file of this name. Unlike `hasName`, it does not ask for times, after which Linux records the next write's exactly. */
  exists(path: string): boolean;
  write(file: number, bytes: Uint8Array, position: number): void;
  read(file: number, into: Uint8Array, position: number): number;
  sync(file: number): void;
  /** Makes new directory entries survive a power cut. */
  syncDirectory(path: string): void;
  truncate(file: number, bytes: number): void;
  close(file: number): void;
  /** Empty where there is no such directory. */
  list(directory: string): readonly string[];
  remove(path: string): void;
}

export const realFiles: FileOperations = {
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  open: (path) => openIfThere(path) ?? openSync(path, 'wx+', 0o600),
  openExisting: openIfThere,
  hasName: (file) => fstatSync(file).nlink > 0,
  exists: existsSync,
  write: (file, bytes, position) => {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done, bytes.length - done, position + done);
    }
  },
  read: (file, into, position) => readSync(file, into, 0, into.length, position),
  sync: fdatasyncSync,
  syncDirectory: (path) => {
    const directory = openSync(path, 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  },
  truncate: ftruncateSync,
  close: closeSync,
  list: (directory) => {
    try {
      return readdirSync(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [];
    }
  },
  remove: (path) => rmSync(path, { force: true }),
};

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
