/**
 * Streams: append-only logs of lines, divided into segments of one minute. A channel is a stream downloaded by time range, a feed is a
 * stream read from an offset, and a later stage of the pipeline is a consumer whose offset is stored here. A confirmed append is durable;
 * an unconfirmed or partial one is never read.
 */

import type { Damage } from './damage.ts';
import type { ChangeSignals } from './growth/change-signals.ts';
import type { FencingToken } from './lease/fencing-token.ts';

/** `ch204`, `feed-nod`: lower-case letters, digits and hyphens. */
export type StreamName = string;

/**
 * A position between two lines: the number of bytes ever appended before it. Pruning does not change it. Seeking to it takes the same
 * time however long the stream is.
 */
export type Offset = number;

export interface Lines {
  readonly stream: StreamName;
  /** Whole lines, each terminated by a newline, none empty. */
  readonly bytes: Uint8Array;
}

/**
 * Moves a producer's mark in the transaction of its append, which makes appends exactly-once: after a crash the producer resumes from its
 * mark, and one whose mark was moved by another process appends nothing.
 */
export interface ProducerMarkMove {
  readonly producer: string;
  /** The expected current mark; undefined if the producer must not have one yet. */
  readonly from: string | undefined;
  readonly to: string;
}

export interface StreamState {
  /** The first and the last minute that has data, counted since the Unix epoch. */
  readonly earliestMinute: number;
  readonly latestMinute: number;
  /** Before the first stored line, and after the last. */
  readonly start: Offset;
  readonly end: Offset;
  /** Stored lines. */
  readonly lines: number;
}

/** A range of a stream, protected from pruning until it is closed. */
export interface OpenRange {
  readonly from: Offset;
  readonly to: Offset;
  /**
   * Bytes from one offset up to but excluding another, by default the whole range, in chunks that may split lines. A chunk is valid until
   * the second next one is requested, or the range is closed. Throws `DamagedData` where stored bytes are not what was appended.
   */
  read(from?: Offset, to?: Offset): AsyncIterable<Uint8Array>;
  /** Streams that have grown, by name. Absent where readers have to ask. */
  readonly growth?: ChangeSignals;

  close(): Promise<void>;
}

/** A reader of a stream whose offset is stored: a feed session, or a later stage of the pipeline. */
export interface Consumer {
  readonly stream: StreamName;
  readonly name: string;
}

/** `offset` is undefined for a new consumer. */
export interface LeasedOffset {
  readonly offset: Offset | undefined;
}

export interface ConsumerOffset {
  readonly offset: Offset;
  /** When it was last leased or committed. */
  readonly usedMs: number;
}

/** A consumer that stopped at damaged data, and where it continues; undefined if it is in use, and stays. */
export interface SkippedConsumer extends Consumer {
  readonly from: Offset;
  readonly to: Offset | undefined;
}

export interface StreamStore {
  /**
   * Appends to several streams atomically: all lines are readable and durable when this resolves to true. They go to the segment of
   * `nowMs`, or to the latest segment if the clock is behind it. False, and nothing is appended, if the producer's mark is not at `from`, or if
   * the lease of the fence was lost: at the latest where a later holder of it has appended.
   * If this rejects, none of it is readable; after a disk error it may still reappear on a later start, complete and with its mark.
   */
  append(
    lines: readonly Lines[],
    nowMs: number,
    mark?: ProducerMarkMove,
    fence?: FencingToken,
  ): Promise<boolean>;

  findProducerMark(producer: string): Promise<string | undefined>;

  /** Deletes the marks of producers with this name prefix that last moved before the given time. */
  removeIdleProducerMarks(producerPrefix: string, beforeMs: number): Promise<void>;

  /** Undefined if nothing was ever appended. If everything was pruned, `start` equals `end`. */
  findState(stream: StreamName): Promise<StreamState | undefined>;

  /** The offset before the first line of this minute or a later one. */
  offsetAt(stream: StreamName, minute: number): Promise<Offset>;

  /** An upper bound of the lines between two offsets: every segment that overlaps the range counts in full. */
  countLines(stream: StreamName, from: Offset, to: Offset): Promise<number>;

  /** The stored part of the range; undefined if there is none. */
  openRange(stream: StreamName, from: Offset, to: Offset): Promise<OpenRange | undefined>;

  /** The offset of a known consumer, without leasing it. */
  findOffset(consumer: Consumer): Promise<ConsumerOffset | undefined>;

  /** Consumers with this name prefix that have an offset, in order of name. */
  listConsumers(
    stream: StreamName,
    namePrefix: string,
    limit: number,
  ): Promise<readonly (ConsumerOffset & { readonly name: string })[]>;

  /**
   * Gives one holder the exclusive right to commit the consumer's offset. Undefined while another holder has the lease. A lease that is
   * not renewed before `untilMs` may be taken over.
   */
  leaseOffset(
    consumer: Consumer,
    holder: string,
    nowMs: number,
    untilMs: number,
  ): Promise<LeasedOffset | undefined>;

  /** Moves the offset and keeps the lease. False, and nothing moves, if the holder has lost the lease. */
  commitOffset(consumer: Consumer, holder: string, to: Offset, nowMs: number): Promise<boolean>;

  /** Deletes a consumer that never committed an offset. */
  releaseOffset(consumer: Consumer, holder: string): Promise<void>;

  /** False if there is no such consumer. */
  removeConsumer(consumer: Consumer): Promise<boolean>;

  /** Deletes consumers with this name prefix whose offset was last leased or committed before the given time. */
  removeIdleConsumers(stream: StreamName, namePrefix: string, beforeMs: number): Promise<void>;

  /** Deletes segments of minutes before this one, except those in a range that is open. */
  pruneSegments(stream: StreamName, beforeMinute: number): Promise<void>;

  listStreams(): Promise<readonly StreamName[]>;

  /** Reads everything that is stored, and names what is damaged. Progress is in bytes. */
  verify(onProgress?: (done: number, all: number) => void): AsyncIterable<Damage>;

  /** Reads everything, and moves the consumers that stopped in a damaged segment behind it. */
  skipDamaged(nowMs: number): Promise<readonly SkippedConsumer[]>;

  /** Streams that have grown, by name. Absent where readers have to ask. */
  readonly growth?: ChangeSignals;

  close(): Promise<void>;
}
