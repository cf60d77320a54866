/**
 * What the journal has beyond the index of segments, in memory. Every reader has one of its own, in each thread and process, and asks the header
 * before it reads the index: what is settled in between is then in the index.
 */
import { countLines } from '../../../../model/count-lines.ts';
import { DamagedData } from '../../../damage.ts';
import type { StreamName } from '../../../stream-store.ts';
import { growSegment, type SegmentContent } from '../segment-content.ts';
import {
  firstChecksum,
  type JournalFile,
  type JournalHeader,
  type SegmentId,
  type StoredRecord,
} from './journal-file.ts';

/** Lines behind those that the index has of a segment. */
interface Growth extends SegmentId {
  readonly records: StoredRecord[];
  /** In the segment. */
  from: number;
  to: number;
  lines: number;
  /** Of the segment with these lines, when the index had it up to `from`. */
  cached: { readonly from: number; readonly content: SegmentContent } | undefined;
}

/** Of a segment, as the index has it. */
interface IndexedSegment {
  readonly startByte: number;
  readonly bytes: number;
}

export class JournalTail {
  readonly #file: JournalFile;
  #token = -1;
  #end = 0;
  #checksum = 0;
  /** Of each stream only the segment that was last appended to: the index has all of those before. */
  readonly #growth = new Map<StreamName, Growth>();

  constructor(file: JournalFile) {
    this.#file = file;
  }

  get token(): number {
    return this.#token;
  }

  /** Of the records that are known here. */
  get end(): number {
    return this.#end;
  }

  /** Of the last of them. */
  get checksum(): number {
    return this.#checksum;
  }

  /** Reads what was published since. */
  refresh(): void {
    // Who reads without the lock may meet a header or records that are being written.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const header = this.#file.readHeader();
      if (header && this.#readUpTo(header)) return;
    }
  }

  /**
   * The same under the lock, where nobody else writes: what cannot be read is damaged. A header of an earlier use of the file, from before it was
   * settled, is replaced.
   */
  refreshLocked(token: number): void {
    let header = this.#file.readHeader();
    if (header?.token !== token) {
      header = { token, bytes: 0 };
      this.#file.writeHeader(header);
    }
    if (!this.#readUpTo(header)) {
      const problem = 'a record of an append does not match its checksum';
      throw new DamagedData({ file: this.#file.path, offset: this.#end, problem });
    }
  }

  /** Records that were published. */
  add(records: readonly StoredRecord[]): void {
    for (const record of records) {
      const { stream, minute, startByte, position, bytes } = record;
      const growth = this.#growth.get(stream);
      const to = position + bytes.length;
      const lines = countLines(bytes);
      if (growth?.startByte === startByte && growth.to === position) {
        growth.records.push(record);
        growth.to = to;
        growth.lines += lines;
      } else {
        const segment = { stream, minute, startByte };
        const added = { records: [record], from: position, to, lines, cached: undefined };
        this.#growth.set(stream, { ...segment, ...added });
      }
      this.#end = record.to;
      this.#checksum = record.checksum;
    }
  }

  /** Bytes and lines of a segment behind those that the index has. */
  sizeBehind(
    stream: StreamName,
    segment: IndexedSegment,
  ): { readonly bytes: number; readonly lines: number } {
    const growth = this.#behind(stream, segment);
    return growth ? { bytes: growth.to - segment.bytes, lines: growth.lines } : { bytes: 0, lines: 0 };
  }

  /** The whole content of a segment of which the index has this. */
  contentOf(stream: StreamName, startByte: number, indexed: SegmentContent): SegmentContent {
    const growth = this.#behind(stream, { startByte, bytes: indexed.bytes });
    if (!growth) return indexed;
    const { records, cached } = growth;
    const before = cached?.from === indexed.bytes ? cached.content : indexed;
    const added = records.filter(({ position }) => position >= before.bytes).map(({ bytes }) => bytes);
    const content = added.length > 0 ? growSegment(before, Buffer.concat(added)) : before;
    growth.cached = { from: indexed.bytes, content };
    return content;
  }

  /** Segments that the index does not have in full, perhaps. */
  segments(): SegmentId[] {
    return [...this.#growth.values()];
  }

  #behind(stream: StreamName, segment: IndexedSegment): Growth | undefined {
    const growth = this.#growth.get(stream);
    if (growth?.startByte !== segment.startByte || growth.to <= segment.bytes) return undefined;
    // The index has these by now.
    while (growth.from < segment.bytes) {
      const { bytes } = growth.records.shift() as StoredRecord;
      growth.from += bytes.length;
      growth.lines -= countLines(bytes);
    }
    return growth;
  }

  /** False where what the header counts could not be read. */
  #readUpTo(header: JournalHeader): boolean {
    if (header.token !== this.#token) {
      this.#token = header.token;
      this.#end = 0;
      this.#checksum = firstChecksum(header.token);
      this.#growth.clear();
    }
    if (header.bytes <= this.#end) return true;
    this.add(this.#file.read(this.#end, header.bytes, this.#checksum));
    return this.#end === header.bytes;
  }
}
