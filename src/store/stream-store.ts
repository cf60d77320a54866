/**
 * Streams: append-only logs of lines, cut into segments of one minute. A channel is a stream that is downloaded by ranges
 * of time, a feed is a stream that is read on from a place, and a later stage of the pipeline is a reader whose place is
 * kept here. What an append has confirmed is durable; nothing that was not confirmed whole is ever read.
 */

/** `ch204`, `feed-nod`: lower-case letters, digits and hyphens. */
export type StreamName = string;

/**
 * A place between two lines: how many bytes were ever appended before it. It stays what it is when older data is pruned,
 * and it is found in the same time however much is kept.
 */
export type Offset = number;

export interface Lines {
  readonly stream: StreamName;
  /** Whole lines, each ended by a newline, none empty. */
  readonly bytes: Uint8Array;
}

/**
 * How far a writer has come, moved together with what it appends. A writer that was killed finds its mark again, and one
 * that has been overtaken appends nothing.
 */
export interface MarkMove {
  readonly writer: string;
  /** Where the mark must stand; undefined where there must be none yet. */
  readonly from: string | undefined;
  readonly to: string;
}

export interface StreamState {
  /** The first minute since 1970 that has data, and the last. */
  readonly earliestMinute: number;
  readonly latestMinute: number;
  /** The place before the first line that is kept, and the place behind the last. */
  readonly start: Offset;
  readonly end: Offset;
  /** Lines that are kept. */
  readonly lines: number;
}

/** A stretch of a stream, kept from pruning until it is closed. */
export interface OpenRange {
  readonly from: Offset;
  readonly to: Offset;
  /**
   * Bytes from one offset up to but not including another, in pieces that do not heed lines; all of the range unless told.
   * A piece is good until the one after next is asked for, or the range is closed.
   */
  read(from?: Offset, to?: Offset): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Somebody whose place in a stream is kept: a session of a feed, or a later stage. */
export interface Reader {
  readonly stream: StreamName;
  readonly name: string;
}

/** The place of a reader that somebody now holds; undefined where the reader is new. */
export interface HeldPlace {
  readonly place: Offset | undefined;
}

export interface KnownPlace {
  readonly place: Offset;
  /** When it was last held or moved. */
  readonly usedMs: number;
}

export interface StreamStore {
  /**
   * Appends to several streams at once: all of it is there and durable when this resolves to true, in the segment of `nowMs`
   * (or of the last one, where the clock stands behind it). False, and nothing appended, where the mark stands elsewhere.
   * Where it rejects, nothing is there to be read; after a failing disk a later start may still bring it to light, whole,
   * and with it the mark.
   */
  append(lines: readonly Lines[], nowMs: number, mark?: MarkMove): Promise<boolean>;

  findMark(writer: string): Promise<string | undefined>;

  /** Forgets the marks of writers whose names begin so and who last moved theirs before a time. */
  removeIdleMarks(writerPrefix: string, beforeMs: number): Promise<void>;

  /** Undefined where a stream holds nothing and never did; where all was pruned, `start` equals `end`. */
  findState(stream: StreamName): Promise<StreamState | undefined>;

  /** The place before the first line of this minute or a later one. */
  offsetAt(stream: StreamName, minute: number): Promise<Offset>;

  /** At least as many as there are lines between two places: lines of a segment count all together. */
  countLines(stream: StreamName, from: Offset, to: Offset): Promise<number>;

  /** What is kept between two places; undefined where that is nothing. */
  openRange(stream: StreamName, from: Offset, to: Offset): Promise<OpenRange | undefined>;

  /** The place of a reader that is known, without taking it. */
  findPlace(reader: Reader): Promise<KnownPlace | undefined>;

  /**
   * Takes a reader's place for one holder, so that nobody else moves it meanwhile. Undefined while another holds it; a holder
   * that did not hold it anew before `untilMs` may lose it.
   */
  holdPlace(reader: Reader, holder: string, nowMs: number, untilMs: number): Promise<HeldPlace | undefined>;

  /** Moves the place, and keeps holding it. False where the holder has lost it, and then nothing moved. */
  movePlace(reader: Reader, holder: string, to: Offset, nowMs: number): Promise<boolean>;

  /** A reader that was held and never got a place is forgotten with this. */
  releasePlace(reader: Reader, holder: string): Promise<void>;

  /** Forgets a reader; false where it was not known. */
  removePlace(reader: Reader): Promise<boolean>;

  /** Forgets the readers whose names begin so and whose place was last held or moved before a time. */
  removeIdlePlaces(stream: StreamName, namePrefix: string, beforeMs: number): Promise<void>;

  /** Forgets segments of minutes before this one, but for those that somebody has open. */
  prune(stream: StreamName, beforeMinute: number): Promise<void>;

  listStreams(): Promise<readonly StreamName[]>;

  close(): Promise<void>;
}
