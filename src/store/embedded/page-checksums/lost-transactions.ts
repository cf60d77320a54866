/**
 * Where every commit is synced, a log may end with one transaction that is incomplete. If another one follows it, the incomplete one was
 * complete once, and SQLite drops both without a word. That cannot be undone here, but it can be said.
 */
import { closeSync } from 'node:fs';
import type { Damage } from '../../damage.ts';
import { readLogChecksum, sameChecksum } from './log-checksum.ts';
import {
  frameChecksum,
  frameHeaderBytes,
  logHeaderBytes,
  logPath,
  openLog,
  readAt,
  readLog,
  saltDifference,
} from './log-file.ts';

export function findLostTransactions(database: string): Damage[] {
  const log = readLog(database);
  const descriptor = openLog(database);
  if (!log || descriptor === undefined) return [];
  const frameBytes = frameHeaderBytes + log.pageBytes;
  const offsetOf = (index: number) => logHeaderBytes + index * frameBytes;
  try {
    let before = readAt(descriptor, log.frames === 0 ? 8 : offsetOf(log.frames - 1), frameHeaderBytes);
    let brokenAt: number | undefined;
    let isCommitted = false;
    for (let index = log.frames; before; index += 1) {
      const frame = readAt(descriptor, offsetOf(index), frameBytes);
      if (!frame || saltDifference(frame, log.id) !== 0) return [];
      const continues = sameChecksum(
        frameChecksum(frame, readLogChecksum(before, 16)),
        readLogChecksum(frame, 16),
      );
      if (!continues) brokenAt ??= index;
      // Frames of abandoned transactions stay in the log: only one that continues a commit was written after it.
      else if (brokenAt !== undefined && isCommitted)
        return [{ file: logPath(database), offset: offsetOf(brokenAt), problem }];
      isCommitted = brokenAt !== undefined && frame.readUInt32BE(4) > 0;
      before = frame;
    }
    return [];
  } finally {
    closeSync(descriptor);
  }
}

const problem = 'transactions from here on cannot be read and are lost';
