/**
 * Reads SQLite's write-ahead log (`NAME.db-wal`, https://sqlite.org/walformat.html) beside SQLite: which pages its committed frames hold,
 * with their checksums. SQLite takes the first frame that fails for the end of the log and drops all transactions behind it; here a single
 * flipped bit is distinguished from an end, and corrected in memory to read on. No lock is on this file, so it may be opened and closed freely.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Damage } from '../../damage.ts';
import { findFlippedBit } from './flipped-bit.ts';
import {
  alignedBuffer,
  type LogChecksum,
  logChecksum,
  pageChecksumOf,
  readLogChecksum,
  sameChecksum,
  wordsOf,
  zeroChecksum,
} from './log-checksum.ts';

export const logHeaderBytes = 32;
export const frameHeaderBytes = 24;
const chunkBytes = 1 << 20;

/** The magic number of a log whose checksums were made on a little-endian machine, as all of ours are. */
const magic = 0x377f0682;

/** Each time the log begins anew it gets another id: the first salt grows by one, the second is random. */
export interface LogId {
  readonly salt1: number;
  readonly salt2: number;
  readonly sequence: number;
}

export interface LogPosition extends LogId {
  readonly frames: number;
}

export interface LogContents {
  readonly id: LogId;
  readonly pageBytes: number;
  /** Committed frames from the beginning of the log. */
  readonly frames: number;
  /** The size of the database after the last of them; 0 if there is none behind the position. */
  readonly pages: number;
  /** By page number, of the latest content in committed frames behind the position. */
  readonly checksums: ReadonlyMap<number, LogChecksum>;
  readonly damages: readonly Damage[];
}

export const logPath = (database: string) => `${database}-wal`;

export function sameLog(one: LogId, other: LogId): boolean {
  return one.salt1 === other.salt1 && one.salt2 === other.salt2 && one.sequence === other.sequence;
}

/** Undefined if there is no log, or none that SQLite would read. With a position in this log only what is behind it is read. */
export function readLog(database: string, since?: LogPosition): LogContents | undefined {
  const descriptor = openLog(database);
  if (descriptor === undefined) return undefined;
  try {
    return new LogReader(logPath(database), descriptor).read(since);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the log has at least so many frames behind the position, without reading them. */
export function hasFrames(database: string, count: number, since?: LogPosition): boolean {
  const descriptor = openLog(database);
  if (descriptor === undefined) return false;
  try {
    const header = readAt(descriptor, 0, logHeaderBytes);
    if (!header) return false;
    const { id, pageBytes } = parseHeader(header);
    const index = count - 1 + (since && sameLog(since, id) ? since.frames : 0);
    const frame = readAt(
      descriptor,
      logHeaderBytes + index * (frameHeaderBytes + pageBytes),
      frameHeaderBytes,
    );
    return frame !== undefined && saltDifference(frame, id) === 0;
  } finally {
    closeSync(descriptor);
  }
}

export function openLog(database: string): number | undefined {
  try {
    return openSync(logPath(database), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

class LogReader {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #damages: Damage[] = [];
  readonly #checksums = new Map<number, LogChecksum>();
  #pending = new Map<number, LogChecksum>();
  #pages = 0;
  #frames = 0;

  constructor(file: string, descriptor: number) {
    this.#file = file;
    this.#descriptor = descriptor;
  }

  read(since: LogPosition | undefined): LogContents | undefined {
    const header = this.#readHeader();
    if (!header) return undefined;
    const { id, pageBytes } = parseHeader(header);
    const frameBytes = frameHeaderBytes + pageBytes;
    let chain = readLogChecksum(header, 24);
    if (since && sameLog(since, id) && since.frames > 0) {
      const last = readAt(
        this.#descriptor,
        logHeaderBytes + (since.frames - 1) * frameBytes,
        frameHeaderBytes,
      );
      if (!last) return undefined;
      chain = readLogChecksum(last, 16);
      this.#frames = since.frames;
    }
    this.#readFrames(id, frameBytes, chain);
    return {
      id,
      pageBytes,
      frames: this.#frames,
      pages: this.#pages,
      checksums: this.#checksums,
      damages: this.#damages,
    };
  }

  #readHeader(): Buffer | undefined {
    const header = readAt(this.#descriptor, 0, logHeaderBytes);
    if (!header) return undefined;
    const words = wordsOf(header).subarray(0, 6);
    const calculated = logChecksum(zeroChecksum, words);
    const stored = readLogChecksum(header, 24);
    if (!sameChecksum(calculated, stored)) {
      if (!correctWords(words, calculated, stored)) return undefined;
      this.#damages.push(this.#damage(0));
      writeLogChecksum(header, 24, logChecksum(zeroChecksum, words));
    }
    const { pageBytes } = parseHeader(header);
    const isValid = header.readUInt32BE(0) === magic && pageBytes >= 512 && pageBytes <= 65_536;
    return isValid ? header : undefined;
  }

  #readFrames(id: LogId, frameBytes: number, chain: LogChecksum): void {
    const perChunk = Math.max(1, Math.floor(chunkBytes / frameBytes));
    const chunk = alignedBuffer(perChunk * frameBytes);
    const { size } = fstatSync(this.#descriptor);
    const [all, first] = [Math.floor((size - logHeaderBytes) / frameBytes), this.#frames];
    let before: LogChecksum | undefined = chain;
    for (let begin = first; begin < all && before; begin += perChunk) {
      const read = readSync(this.#descriptor, chunk, 0, chunk.length, logHeaderBytes + begin * frameBytes);
      const whole = Math.floor(read / frameBytes);
      for (let index = 0; index < whole && before; index += 1) {
        const frame = chunk.subarray(index * frameBytes, (index + 1) * frameBytes);
        before = this.#readFrame(frame, begin + index, id, before);
      }
      if (whole < perChunk) return;
    }
  }

  /** The checksum that the next frame continues; undefined at the end of the log. */
  #readFrame(frame: Buffer, index: number, id: LogId, before: LogChecksum): LogChecksum | undefined {
    const offset = logHeaderBytes + index * frame.length;
    const salts = saltDifference(frame, id);
    if (salts > 1) return undefined;
    const stored = readLogChecksum(frame, 16);
    let calculated = frameChecksum(frame, before);
    if (salts === 1) {
      if (!sameChecksum(calculated, stored)) return undefined;
      this.#damages.push(this.#damage(offset));
    } else if (!sameChecksum(calculated, stored)) {
      if (!correctFrame(frame, calculated, stored)) return undefined;
      this.#damages.push(this.#damage(offset));
      calculated = frameChecksum(frame, before);
    }
    const number = frame.readUInt32BE(0);
    const head = logChecksum(before, wordsOf(frame).subarray(0, 2));
    this.#pending.set(number, pageChecksumOf(calculated, head, frame.length - frameHeaderBytes));
    const committedPages = frame.readUInt32BE(4);
    if (committedPages > 0) {
      for (const [changed, checksum] of this.#pending) this.#checksums.set(changed, checksum);
      this.#pending = new Map();
      this.#pages = committedPages;
      this.#frames = index + 1;
    }
    return calculated;
  }

  #damage(offset: number): Damage {
    return {
      file: this.#file,
      offset,
      problem: 'a bit is flipped in the part of the log that begins here',
    };
  }
}

/** False if no flip of a single bit explains the checksum. */
function correctFrame(frame: Buffer, calculated: LogChecksum, stored: LogChecksum): boolean {
  const summed = alignedBuffer(8 + frame.length - frameHeaderBytes);
  frame.copy(summed, 0, 0, 8);
  frame.copy(summed, 8, frameHeaderBytes);
  if (!correctWords(wordsOf(summed), calculated, stored)) return false;
  summed.copy(frame, 0, 0, 8);
  summed.copy(frame, frameHeaderBytes, 8);
  return true;
}

/** The flip may be in the stored checksum as well. */
function correctWords(words: Int32Array, calculated: LogChecksum, stored: LogChecksum): boolean {
  if (bitsIn(calculated.first ^ stored.first) + bitsIn(calculated.second ^ stored.second) === 1) return true;
  const flip = findFlippedBit(words, calculated, stored);
  if (!flip) return false;
  const word = flip.byte >>> 2;
  words[word] = (words[word] as number) ^ (1 << ((flip.byte & 3) * 8 + flip.bit));
  return true;
}

export function frameChecksum(frame: Buffer, before: LogChecksum): LogChecksum {
  const words = wordsOf(frame);
  return logChecksum(logChecksum(before, words.subarray(0, 2)), words.subarray(frameHeaderBytes / 4));
}

export function parseHeader(header: Buffer): { id: LogId; pageBytes: number } {
  const [pageBytes, sequence] = [header.readUInt32BE(8), header.readUInt32BE(12)];
  const [salt1, salt2] = [header.readUInt32BE(16), header.readUInt32BE(20)];
  return { id: { salt1, salt2, sequence }, pageBytes };
}

function writeLogChecksum(bytes: Buffer, at: number, { first, second }: LogChecksum): void {
  bytes.writeUInt32BE(first, at);
  bytes.writeUInt32BE(second, at + 4);
}

/** In how many bits the salts of a frame differ from those of its log. */
export function saltDifference(frame: Buffer, { salt1, salt2 }: LogId): number {
  return bitsIn(frame.readUInt32BE(8) ^ salt1) + bitsIn(frame.readUInt32BE(12) ^ salt2);
}

function bitsIn(word: number): number {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/** Undefined if the file ends before. */
export function readAt(descriptor: number, offset: number, length: number): Buffer | undefined {
  const bytes = alignedBuffer(length);
  return readInto(bytes, descriptor, offset) ? bytes : undefined;
}

export function readInto(bytes: Buffer, descriptor: number, offset: number): boolean {
  return readSync(descriptor, bytes, 0, bytes.length, offset) === bytes.length;
}
