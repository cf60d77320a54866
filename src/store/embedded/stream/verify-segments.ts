/** Reads all segments of a stream and names every one that is not what was written. */

import { blockBytes } from '../../checked-file/block-checksums.ts';
import { type Damage, DamagedData } from '../../damage.ts';
import type { StreamName } from '../../stream-store.ts';
import { openSegmentToVerify } from './checked-segment.ts';
import type { Segment } from './segment-index.ts';

/** The rows of a stream that do not follow one another: then offsets of readers would mean other lines. */
export function assertContiguous(database: string, stream: StreamName, segments: readonly Segment[]): void {
  for (const [index, { startByte, bytes }] of segments.entries()) {
    const next = segments[index + 1];
    if (bytes > 0 && (!next || next.startByte === startByte + bytes)) continue;
    const problem = `the segments of stream ${stream} do not follow one another`;
    throw new DamagedData({ file: database, problem });
  }
}

/** One damage for each block that fails, and one for a file that is missing or too short. */
export async function* verifySegment(
  root: string,
  stream: StreamName,
  segment: Segment,
): AsyncGenerator<Damage> {
  const buffer = Buffer.allocUnsafe(blockBytes);
  let at = 0;
  try {
    const file = await openSegmentToVerify(root, stream, segment);
    try {
      for (; at < segment.bytes; at += blockBytes) {
        const damage = await damageOf(() => file.read(buffer, at, segment.bytes));
        if (!damage) continue;
        yield damage;
        // The file ends before this block.
        if (damage.offset !== at) return;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error;
    yield error;
  }
}

export async function isDamaged(root: string, stream: StreamName, segment: Segment): Promise<boolean> {
  const damages = verifySegment(root, stream, segment);
  try {
    return !(await damages.next()).done;
  } finally {
    await damages.return(undefined);
  }
}

async function damageOf(work: () => Promise<unknown>): Promise<DamagedData | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof DamagedData) return error;
    throw error;
  }
}
