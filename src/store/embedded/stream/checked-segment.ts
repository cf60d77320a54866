/** Segments with their checksums: of every block, or of the whole file where an earlier version wrote it. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { DamagedData } from '../../damage.ts';
import type { StreamName } from '../../stream-store.ts';
import { CheckedFile, openStoredFile } from '../checked-file/checked-file.ts';
import { LearnedChecksums } from '../checked-file/learned-checksums.ts';
import { SegmentFile, type StoredSegment } from './segment-file.ts';
import { segmentPath } from './segment-files.ts';
import type { Segment } from './segment-index.ts';
import { VerifiedBlocks } from './verified-blocks.ts';

/** Of all stores of this process: a file that was checked by one of them is checked. */
const learned = new LearnedChecksums();
const verified = new VerifiedBlocks();

/** Throws `DamagedData` if the file is missing, or fails the checksum of the whole. */
export function openSegment(root: string, stream: StreamName, segment: Segment): Promise<SegmentFile> {
  return open(root, stream, segment, (handle, stored) => new SegmentFile(handle, stored, verified));
}

/** As `openSegment`, but everything is checked whenever it is read. */
export function openSegmentToVerify(
  root: string,
  stream: StreamName,
  segment: Segment,
): Promise<CheckedFile> {
  return open(root, stream, segment, (handle, { content, checksums }) => {
    return new CheckedFile(handle, content, checksums);
  });
}

async function open<File>(
  root: string,
  stream: StreamName,
  segment: Segment,
  fileOf: (handle: FileHandle, stored: StoredSegment) => File,
): Promise<File> {
  const content = contentOf(root, stream, segment);
  const handle = await openStoredFile(content);
  try {
    const key = `${content.path} ${segment.bytes} ${segment.checksum}`;
    const checksums =
      segment.blockChecksums ??
      (await learned.of(key, handle, content, () => wholeChecksum(content.path, stream, segment)));
    return fileOf(handle, { key, content, checksums });
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
