/**
 * Streams on one machine, below `streams/`:
 *
 *   streams.db                       what of every segment is confirmed, marks of writers, places of readers
 *   leases.db                        which stretches somebody has open
 *   <stream>/YYYYMMDD.HHMM.ndjson    the lines of one minute (UTC), as they are served
 *
 * Files hold nothing but lines, so a range of time is sent straight from disk. `stream/segment-writer.ts` tells how an append
 * becomes durable; a thread does it, because it waits for the disk.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  HeldPlace,
  KnownPlace,
  Lines,
  MarkMove,
  Offset,
  OpenRange,
  Reader,
  StreamName,
  StreamState,
  StreamStore,
} from '../stream-store.ts';
import { type Database, openDatabase } from './database.ts';
import { Leases } from './stream/leases.ts';
import { OpenStretch } from './stream/open-stretch.ts';
import { streamDirectory } from './stream/segment-files.ts';
import { refuseBrokenLines } from './stream/segment-writer.ts';
import { Segments } from './stream/segments.ts';
import { Writing } from './stream/writing.ts';

/** `onFault` hears of what the disk has damaged. */
export function openStreamStore(
  data: string,
  onFault: (fault: string) => void = () => undefined,
): StreamStore {
  const root = join(data, 'streams');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return new EmbeddedStreamStore(root, onFault);
}

class EmbeddedStreamStore implements StreamStore {
  readonly #root: string;
  readonly #database: Database;
  readonly #segments: Segments;
  readonly #leases: Leases;
  readonly #writing: Writing;
  readonly #mark;
  readonly #place;

  constructor(root: string, onFault: (fault: string) => void) {
    this.#root = root;
    this.#database = openDatabase(join(root, 'streams.db'), 'streams', 'full');
    this.#segments = new Segments(this.#database);
    this.#leases = new Leases(root);
    this.#writing = new Writing(root, onFault);
    this.#mark = this.#database.prepare('select value from mark where writer = ?').pluck();
    this.#place = this.#database.prepare(
      'select place, used_ms as usedMs from reader where stream = ? and name = ? and place is not null',
    );
  }

  async append(lines: readonly Lines[], nowMs: number, mark?: MarkMove): Promise<boolean> {
    for (const { stream, bytes } of lines) {
      streamDirectory(this.#root, stream);
      refuseBrokenLines(bytes);
    }
    return this.#writing.run<'append'>({ kind: 'append', lines, nowMs, mark });
  }

  async findMark(writer: string): Promise<string | undefined> {
    return this.#mark.get(writer) as string | undefined;
  }

  async removeIdleMarks(writerPrefix: string, beforeMs: number): Promise<void> {
    await this.#writing.run<'remove-idle-marks'>({ kind: 'remove-idle-marks', writerPrefix, beforeMs });
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
    // The lease comes first: what is listed after it was taken stays.
    const lease = await this.#leases.take(stream, fromMinute);
    const giveBack = () => this.#leases.give(lease);
    try {
      const state = this.#segments.findState(stream);
      const start = Math.max(from, state?.start ?? from);
      const end = Math.min(to, state?.end ?? to);
      if (start < end) {
        const segments = this.#segments.between(stream, fromMinute, end);
        return new OpenStretch({ root: this.#root, stream }, segments, [start, end], giveBack);
      }
    } catch (error) {
      await giveBack();
      throw error;
    }
    await giveBack();
    return undefined;
  }

  async findPlace({ stream, name }: Reader): Promise<KnownPlace | undefined> {
    return this.#place.get(stream, name) as KnownPlace | undefined;
  }

  holdPlace(reader: Reader, holder: string, nowMs: number, untilMs: number): Promise<HeldPlace | undefined> {
    return this.#writing.run<'hold'>({ kind: 'hold', reader, holder, nowMs, untilMs });
  }

  movePlace(reader: Reader, holder: string, to: Offset, nowMs: number): Promise<boolean> {
    return this.#writing.run<'move'>({ kind: 'move', reader, holder, to, nowMs });
  }

  async releasePlace(reader: Reader, holder: string): Promise<void> {
    await this.#writing.run<'release'>({ kind: 'release', reader, holder });
  }

  removePlace(reader: Reader): Promise<boolean> {
    return this.#writing.run<'remove'>({ kind: 'remove', reader });
  }

  async removeIdlePlaces(stream: StreamName, namePrefix: string, beforeMs: number): Promise<void> {
    await this.#writing.run<'remove-idle'>({ kind: 'remove-idle', stream, namePrefix, beforeMs });
  }

  prune(stream: StreamName, beforeMinute: number): Promise<void> {
    return this.#writing.prune(stream, beforeMinute);
  }

  async listStreams(): Promise<readonly StreamName[]> {
    return this.#segments.listStreams();
  }

  async close(): Promise<void> {
    await this.#writing.close();
    this.#leases.close();
    this.#database.close();
  }
}
