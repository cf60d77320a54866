/**
 * A source of names: a certificate log, a zone file, a list. It ingests names in batches, each with a checkpoint; the intake makes
 * both durable in one step, so a killed source resumes from its checkpoint and neither loses nor repeats a batch.
 */
import type { FencingToken } from '../../store/lease/fencing-token.ts';

/** Names in no particular order. */
export interface NameBatch {
  /** Host or domain names as received: any case, Unicode or punycode, `*.` allowed. Invalid names are skipped. */
  readonly names: readonly string[];
  /** When they were observed: the time of the log entry or file, or now. */
  readonly seenMs: number;
  /** Where to resume after a restart, in a format of the source's own; undefined for a source that cannot resume. */
  readonly checkpoint?: string;
}

/** What is read under a lease is refused when another worker has it, with `LeaseLost`. */
export interface FencedBatch extends NameBatch {
  readonly fence?: FencingToken;
}

export interface IngestedNames {
  /** Registrable domains that were not known before. */
  readonly newDomains: number;
}

export interface NameIntake {
  /** The checkpoint of the last batch that was ingested. */
  findCheckpoint(source: string): Promise<string | undefined>;
  /** Durable when this resolves. */
  ingest(source: string, batch: FencedBatch): Promise<IngestedNames>;
}

export interface NameSource {
  /** Unique and permanent, as `ct:nessie2027`: the checkpoint is stored under it. */
  readonly name: string;
  /** Polls: ingests what is new since the checkpoint, in any number of batches. Called again after `everyMs`. */
  poll(intake: NameIntake, signal: AbortSignal): Promise<void>;
  readonly everyMs: number;
  /** Counters since the start, by kind: entries, certificates, lag. */
  statistics?(): Readonly<Record<string, number>>;
}
