/**
 * Blocks of segment files that this process has found correct. They need no checksum again for a minute while the file is the same one: a
 * write changes its ctime, which nobody can set back, and a file that was restored has another inode. What such a block is read from is the
 * page cache, so a medium that decays without a write is noticed a minute later at most.
 */
import type { BigIntStats } from 'node:fs';
import { minuteMs } from '../../../model/durations.ts';
import { blockBytes } from '../../checked-file/block-checksums.ts';

const trustedMs = minuteMs;

/** Times of files are as coarse as a tick of the system, 2 s on some: another write within it would not change them. */
const settledMs = 2000;

/** A minute each; a segment of 1 GB needs 2 KB. */
const segmentsMax = 4096;

/** What no write leaves as it is. Taken after bytes were read, it says which file they are from. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}

interface Verified {
  readonly identity: FileIdentity;
  /** When the first of its blocks was found correct. */
  readonly sinceMs: number;
  /** A bit for each block. */
  readonly blocks: Uint8Array;
}

export class VerifiedBlocks {
  readonly #nowMs: () => number;
  /** In the order in which they were last used. */
  readonly #segments = new Map<string, Verified>();

  /** Milliseconds since the epoch that never go back. */
  constructor(nowMs = () => performance.timeOrigin + performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether all blocks between two positions were found correct. `key` names the file and its checksums. */
  has(key: string, identity: FileIdentity, from: number, to: number): boolean {
    const known = this.#find(key, identity);
    if (!known) return false;
    for (let block = Math.floor(from / blockBytes); block * blockBytes < to; block += 1)
      if (((known.blocks[block >> 3] ?? 0) & (1 << (block & 7))) === 0) return false;
    return true;
  }

  /** `identity` from before they were read, and still that of the file afterwards. */
  add(key: string, identity: FileIdentity, from: number, to: number): void {
    const nowMs = this.#nowMs();
    if (nowMs - Number(identity.ctimeNs / 1_000_000n) < settledMs) return;
    const known = this.#find(key, identity) ?? this.#begin(key, identity, nowMs);
    for (let block = Math.floor(from / blockBytes); block * blockBytes < to; block += 1)
      known.blocks[block >> 3] = (known.blocks[block >> 3] ?? 0) | (1 << (block & 7));
  }

  #find(key: string, identity: FileIdentity): Verified | undefined {
    const known = this.#segments.get(key);
    if (!known) return undefined;
    this.#segments.delete(key);
    if (!isSameFile(known.identity, identity) || this.#nowMs() - known.sinceMs >= trustedMs) return undefined;
    this.#segments.set(key, known);
    return known;
  }

  #begin(key: string, identity: FileIdentity, sinceMs: number): Verified {
    const [oldest] = this.#segments.keys();
    if (oldest !== undefined && this.#segments.size >= segmentsMax) this.#segments.delete(oldest);
    const blocks = new Uint8Array(Math.ceil(Number(identity.size) / blockBytes / 8));
    const verified = { identity, sinceMs, blocks };
    this.#segments.set(key, verified);
    return verified;
  }
}
