/**
 * Where names come from: a certificate log, a zone file, a list. A source gives names in batches, each with the place to which it has
 * come; the intake makes both durable in one step, so that a source which is killed goes on where it was, and loses and repeats nothing.
 */

/** One batch, in no order. */
export interface NameBatch {
  /** Host or domain names as they came: any case, Unicode or punycode, `*.` before them. What is no name is passed over. */
  readonly names: readonly string[];
  /** When they were seen: the time of the log entry, of the file; now where nothing better is known. */
  readonly seenMs: number;
  /** Where to go on from after a restart, in the source's own words; undefined where there is nothing to go on from. */
  readonly place?: string;
}

export interface TakenNames {
  /** Registrable domains that nobody had told of before. */
  readonly fresh: number;
}

export interface NameIntake {
  /** The place of the last batch that was taken from a source. */
  findPlace(source: string): Promise<string | undefined>;
  /** Durable when this resolves. */
  take(source: string, batch: NameBatch): Promise<TakenNames>;
}

export interface NameSource {
  /** Of this source alone and for ever, as `ct:nessie2027`: its place is kept under it. */
  readonly name: string;
  /** Takes what is there since the last time, in as many batches as it likes, and resolves; it is called again after `everyMs`. */
  advance(intake: NameIntake, signal: AbortSignal): Promise<void>;
  readonly everyMs: number;
  /** What it has to tell of itself since the start, by kind: entries, certificates, how far it is behind. */
  statistics?(): Readonly<Record<string, number>>;
}
