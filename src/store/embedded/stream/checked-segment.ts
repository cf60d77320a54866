/** Segments with their checksums: of every block, or of the whole file where an earlier version wrote it. */
import { crc32 } from 'node:zlib';
import { DamagedData } from '../../damage.ts';
import type { StreamName } from '../../stream-store.ts';
import { CheckedFile, openStoredFile } from '../checked-file/checked-file.ts';
import { LearnedChecksums } from '../checked-file/learned-checksums.ts';
import { segmentPath } from './segment-files.ts';
import type { Segment } from './segment-index.ts';

/** Of all stores of this process: a file that was checked by one of them is checked. */
const learned = new LearnedChecksums();

/** Throws `DamagedData` if the file is missing, or fails the checksum of the whole. */
export async function openSegment(root: string, stream: StreamName, segment: Segment): Promise<CheckedFile> {
  const content = contentOf(root, stream, segment);
  const handle = await openStoredFile(content);
  try {
    const key = `${content.path} ${segment.bytes} ${segment.checksum}`;
    const checksums =
      segment.blockChecksums ??
      (await learned.of(key, handle, content, () => wholeChecksum(content.path, stream, segment)));
    return new CheckedFile(handle, content, checksums);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function contentOf(root: string, stream: StreamName, segment: Segment) {
  return {
    path: segmentPath(root, stream, segment.minute),
    subject: `stream ${stream}`,
    size: segment.bytes,
  };
}

function wholeChecksum(file: string, stream: StreamName, { checksum }: Segment) {
  let sum = 0;
  return {
    update: (bytes: Uint8Array) => {
      sum = crc32(bytes, sum);
    },
    finish: () => {
      if (sum === checksum) return;
      const problem = `a segment of stream ${stream} does not match its checksum`;
      throw new DamagedData({ file, offset: 0, problem });
    },
  };
}
