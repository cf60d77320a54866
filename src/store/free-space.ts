/**
 * Whether the stores have room for more data. What grows asks before it writes, and stops while a reserve is still left: what is small,
 * such as counters, sessions and decisions, goes on working with it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../model/problem.ts';

export interface SpaceState {
  /** Less than the reserve is free, or was and not much has been freed since. */
  readonly isLow: boolean;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly reserveBytes: number;
}

export interface FreeSpace {
  /** Throws the Problem `storage-full` unless this much more leaves the reserve untouched. */
  requireRoom(bytes?: number): void;

  hasRoom(): boolean;

  state(): SpaceState;
}

const waitMs = 1000;

/** Resolves when there is room, or with the signal. */
export async function waitForRoom(
  freeSpace: Pick<FreeSpace, 'hasRoom'>,
  signal = new AbortController().signal,
): Promise<void> {
  while (!freeSpace.hasRoom()) {
    if (signal.aborted) return;
    await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

export function storageFull(cause?: unknown): Problem {
  return new Problem(
    'storage-full',
    'The server has not enough free disk space to store more. Try again later.',
    cause === undefined ? {} : { cause },
  );
}

/** Whether a write failed because the disk is full in spite of the reserve. */
export function isDiskFull(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException;
    if (code !== undefined && diskFullCodes.has(code)) return true;
  }
  return false;
}

/** SQLite reports a shared-memory file that cannot grow with the last one. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);
