/**
 * Streams on one machine, below `streams/`: append-only logs in segment files with a SQLite index.
 *
 *   streams.db                       committed segments, producer marks, consumer offsets (tables `mark` and `reader`)
 *   leases.db                        ranges that readers have open
 *   <stream>/YYYYMMDD.HHMM.ndjson    the lines of one minute (UTC), as they are served
 *   appends.journal                  lines that are not synced there yet
 *
 * Files hold nothing but lines, so a time range is sent straight from disk. Everything that changes streams runs in a worker thread, because
 * it blocks on syncs, and `stream/segment-writer.ts` explains how an append becomes durable there. A few lines for a segment that exists go to
 * the journal instead, without a thread: `stream/journal/journal-writer.ts`.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerClient } from '../../concurrency/worker-client.ts';
import { minuteOf } from '../../model/minute.ts';
import type { Damage } from '../damage.ts';
import type { FencingToken } from '../lease/fencing-token.ts';
import { assertAppendable } from '../stream/check-append.ts';
import type {
  Consumer,
  ConsumerOffset,
  LeasedOffset,
  Lines,
  Offset,
  OpenRange,
  ProducerMarkMove,
  SkippedConsumer,
  StreamName,
  StreamState,
  StreamStore,
} from '../stream-store.ts';
import { type CacheSizes, usualCacheSizes } from './cache-sizes.ts';
import { type Database, openDatabase, openForLock } from './database.ts';
import { realFiles } from './stream/file-operations.ts';
import { JournalFile } from './stream/journal/journal-file.ts';
import { JournalTail } from './stream/journal/journal-tail.ts';
import { JournalWriter, smallBytes } from './stream/journal/journal-writer.ts';
import { JournalSettlement } from './stream/journal/settle-journal.ts';
import { RangeLeases } from './stream/range-leases.ts';
import { streamDirectory } from './stream/segment-files.ts';
import { SegmentIndex } from './stream/segment-index.ts';
import { SharedChunks } from './stream/shared-chunks.ts';
import { StoredRange } from './stream/stored-range.ts';
import type { StreamCalls } from './stream/stream-calls.ts';
import { StreamVerification } from './stream/stream-verification.ts';
import { assertContiguous } from './stream/verify-segments.ts';

/** `onFault` is called with a message for each damaged segment. */
export function openStreamStore(
  data: string,
  onFault: (fault: string) => void = () => undefined,
  { streamBytes }: Pick<CacheSizes, 'streamBytes'> = usualCacheSizes,
): StreamStore {
  const root = join(data, 'streams');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return new EmbeddedStreamStore(root, new SharedChunks(streamBytes), onFault);
}

class EmbeddedStreamStore implements StreamStore {
  readonly #root: string;
  readonly #database: Database;
  readonly #segments: SegmentIndex;
  readonly #leases: RangeLeases;
  readonly #writer: WorkerClient<StreamCalls, 'write'>;
  readonly #mark;
  readonly #anyIdleMark;
  readonly #anyIdleConsumer;
  readonly #offset;
  readonly #consumers;
  readonly #verification: StreamVerification;
  readonly #chunks: SharedChunks;
  readonly #journalFile: JournalFile;
  readonly #journalTail: JournalTail;
  readonly #journal: JournalSettlement;
  /** Once the thread has repaired the streams. */
  #journalWriter: JournalWriter | undefined;
  #isClosing = false;
  /** The index and segment files have what a power failure has taken from them. */
  readonly #recovered: Promise<void>;

  constructor(root: string, chunks: SharedChunks, onFault: (fault: string) => void) {
    this.#root = root;
    this.#chunks = chunks;
    this.#database = openDatabase(join(root, 'streams.db'), 'streams', 'full');
    this.#journalFile = new JournalFile(root, realFiles);
    this.#journalTail = new JournalTail(this.#journalFile);
    this.#journal = new JournalSettlement(root, this.#database, realFiles, this.#journalFile);
    this.#segments = new SegmentIndex(this.#database, this.#journalTail);
    this.#leases = new RangeLeases(root);
    this.#verification = new StreamVerification(root, this.#database, this.#segments, this.#leases);
    this.#writer = new WorkerClient({
      file: new URL('./stream/stream-worker.ts', import.meta.url),
      workerData: { root },
      owner: 'the stream store',
      finish: ['write'],
      onStart: () => void this.#repair(onFault),
    });
    this.#mark = this.#database.prepare('select value from mark where writer = ?').pluck();
    this.#anyIdleMark = this.#database
      .prepare('select exists (select 1 from mark where substr(writer, 1, length(?)) = ? and moved_ms < ?)')
      .pluck();
    this.#anyIdleConsumer = this.#database
      .prepare(
        `select exists (select 1 from reader
         where stream = ? and substr(name, 1, length(?)) = ? and used_ms < ?)`,
      )
      .pluck();
    this.#offset = this.#database.prepare(
      'select place as offset, used_ms as usedMs from reader where stream = ? and name = ? and place is not null',
    );
    this.#consumers = this.#database.prepare(
      `select name, place as offset, used_ms as usedMs from reader
       where stream = ? and name >= ? and name < ? and place is not null order by name limit ?`,
    );
    this.#recovered = this.#recover(onFault);
  }

  async append(
    lines: readonly Lines[],
    nowMs: number,
    mark?: ProducerMarkMove,
    fence?: FencingToken,
  ): Promise<boolean> {
    assertAppendable(lines);
    if (!mark && !fence && (await this.#appendToJournal(lines, nowMs))) return true;
    const sent = lines.map(({ stream, bytes }) => ({ stream, bytes: ownBytes(bytes) }));
    return this.#writer.run('write', 'append', sent, nowMs, mark, fence);
  }

  async findProducerMark(producer: string): Promise<string | undefined> {
    return this.#mark.get(producer) as string | undefined;
  }

  async removeIdleProducerMarks(producerPrefix: string, beforeMs: number): Promise<void> {
    if (this.#anyIdleMark.get(producerPrefix, producerPrefix, beforeMs) === 1)
      await this.#writer.run('write', 'removeIdleProducerMarks', producerPrefix, beforeMs);
  }

  async findState(stream: StreamName): Promise<StreamState | undefined> {
    return this.#segments.findState(stream);
  }

  async offsetAt(stream: StreamName, minute: number): Promise<Offset> {
    return this.#segments.offsetAt(stream, minute);
  }

  async countLines(stream: StreamName, from: Offset, to: Offset): Promise<number> {
    return this.#segments.countLines(stream, from, to);
  }

  async openRange(stream: StreamName, from: Offset, to: Offset): Promise<OpenRange | undefined> {
    const fromMinute = this.#segments.findMinute(stream, from);
    if (fromMinute === undefined || to <= from) return undefined;
    await this.#recovered;
    // The lease comes first: what is listed after it was acquired is not pruned.
    const lease = await this.#leases.acquire(stream, fromMinute);
    const release = () => this.#leases.release(lease);
    try {
      const state = this.#segments.findState(stream);
      const start = Math.max(from, state?.start ?? from);
      const end = Math.min(to, state?.end ?? to);
      if (start < end) {
        const segments = this.#segments.listBetween(stream, fromMinute, end);
        assertContiguous(this.#database.name, stream, segments);
        return new StoredRange({ root: this.#root, stream, segments }, [start, end], this.#chunks, release);
      }
    } catch (error) {
      await release();
      throw error;
    }
    await release();
    return undefined;
  }

  async findOffset({ stream, name }: Consumer): Promise<ConsumerOffset | undefined> {
    return this.#offset.get(stream, name) as ConsumerOffset | undefined;
  }

  async listConsumers(stream: StreamName, namePrefix: string, limit: number) {
    // The last character of Unicode sorts behind every name that has the prefix.
    const behind = `${namePrefix}\u{10ffff}`;
    return this.#consumers.all(stream, namePrefix, behind, limit) as (ConsumerOffset & { name: string })[];
  }

  leaseOffset(
    consumer: Consumer,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): Promise<LeasedOffset | undefined> {
    return this.#writer.run('write', 'leaseOffset', consumer, holder, nowMs, untilMs);
  }

  commitOffset(consumer: Consumer, holder: string, to: Offset, nowMs: number): Promise<boolean> {
    return this.#writer.run('write', 'commitOffset', consumer, holder, to, nowMs);
  }

  releaseOffset(consumer: Consumer, holder: string): Promise<void> {
    return this.#writer.run('write', 'releaseOffset', consumer, holder);
  }

  removeConsumer(consumer: Consumer): Promise<boolean> {
    return this.#writer.run('write', 'removeConsumer', consumer);
  }

  async removeIdleConsumers(stream: StreamName, namePrefix: string, beforeMs: number): Promise<void> {
    if (this.#anyIdleConsumer.get(stream, namePrefix, namePrefix, beforeMs) === 1)
      await this.#writer.run('write', 'removeIdleConsumers', stream, namePrefix, beforeMs);
  }

  async pruneSegments(stream: StreamName, beforeMinute: number): Promise<void> {
    if (existsSync(streamDirectory(this.#root, stream)))
      await this.#writer.run('write', 'prune', stream, beforeMinute);
  }

  async listStreams(): Promise<readonly StreamName[]> {
    return this.#segments.listStreams();
  }

  async *verify(onProgress?: (done: number, all: number) => void): AsyncIterable<Damage> {
    await this.#recovered;
    yield* this.#verification.verify(onProgress);
  }

  async skipDamaged(nowMs: number): Promise<readonly SkippedConsumer[]> {
    await this.#recovered;
    return this.#verification.skipDamaged({ store: this, nowMs });
  }

  async close(): Promise<void> {
    await this.#recovered;
    this.#isClosing = true;
    await this.#journalWriter?.close();
    await this.#writer.close();
    // What cannot be settled now is recovered by the next start.
    await this.#journal.settle().catch(() => undefined);
    this.#journalFile.close();
    this.#leases.close();
    this.#database.close();
  }

  /** False, and nothing is appended, where that is not possible. */
  async #appendToJournal(lines: readonly Lines[], nowMs: number): Promise<boolean> {
    const [only] = lines;
    if (!this.#journalWriter || !only || lines.length > 1) return false;
    if (only.bytes.length === 0 || only.bytes.length > smallBytes) return false;
    return this.#journalWriter.append(only, minuteOf(nowMs));
  }

  async #recover(onFault: (fault: string) => void): Promise<void> {
    try {
      for (const fault of await this.#journal.recover()) onFault(fault);
    } catch (error) {
      onFault(`lines of streams could not be restored: ${String(error)}`);
    }
  }

  async #repair(onFault: (fault: string) => void): Promise<void> {
    try {
      const { faults, damaged } = await this.#writer.run('write', 'repair');
      for (const fault of faults) onFault(fault);
      if (this.#isClosing) return;
      this.#journalWriter ??= this.#openJournal();
      for (const { stream, minute } of damaged) this.#journalWriter.seal(stream, minute);
    } catch (error) {
      onFault(`streams could not be checked for damage: ${String(error)}`);
    }
  }

  #openJournal(): JournalWriter {
    return new JournalWriter({
      root: this.#root,
      lock: openForLock(this.#database.name),
      file: this.#journalFile,
      tail: this.#journalTail,
      files: realFiles,
      settle: this.#writer.on('write', 'settle'),
    });
  }
}

/** A thread is sent all of the memory that bytes are a view of, and small buffers share 64 KiB of it. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
}
