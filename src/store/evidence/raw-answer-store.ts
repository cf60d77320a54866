/**
 * Raw answers of collectors. Equal bytes are stored once, under their SHA-256; the same answer to the same question only moves the time at
 * which it was last seen. What exceeds the bounds is removed, longest unseen first.
 */
import type { RawAnswer } from '../../model/evidence/raw-answer.ts';

export interface RawAnswerLimits {
  readonly domainBytesMax: number;
  readonly totalBytesMax: number;
}

/** Without its bytes. */
export interface KeptAnswer extends Omit<RawAnswer, 'bytes' | 'atMs'> {
  readonly firstMs: number;
  readonly seenMs: number;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly size: number;
}

/** Counted for each answer besides its bytes, so that empty answers are bounded too. */
export const answerOverheadBytes = 512;

export interface RawAnswerStore {
  /** Durable when this resolves. */
  saveAnswers(answers: readonly RawAnswer[], limits: RawAnswerLimits): Promise<void>;

  /** Last seen first. */
  listAnswers(domain: string, limit: number): Promise<readonly KeptAnswer[]>;

  /** Throws `DamagedData` if the stored bytes are not what was saved. */
  findBytes(hash: string): Promise<Buffer | undefined>;

  statistics(): Promise<{ readonly answers: number; readonly bytes: number }>;

  close(): Promise<void>;
}
