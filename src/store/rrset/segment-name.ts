/** The names of segments, which are unique for ever: when, by which process, and a random part. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { Clock } from '../../model/clock.ts';

export function newSegmentName(clock: Clock): string {
  return `${clock.now()}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** The segment that a file belongs to, by its name; undefined for other files. */
export function segmentNameOf(path: string): string | undefined {
  return /^(\d+-\d+-[0-9a-f]+)\.[a-z]+$/.exec(basename(path))?.[1];
}

/** Whether the process that writes, or wrote, the segment is running. */
export function isWriterAlive(segment: string): boolean {
  try {
    process.kill(Number(segment.split('-')[1]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
