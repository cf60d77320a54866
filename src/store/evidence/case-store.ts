/** Cases: an evidence pack, who it is for, and what became of it. A case is there with its whole pack, or not at all. */
import { hourMs } from '../../model/durations.ts';
import type { RecipientKind } from '../../model/evidence/pack-limits.ts';

export const outcomes = ['open', 'taken-down', 'suspended', 'refused', 'unanswered', 'closed'] as const;

export type CaseOutcome = (typeof outcomes)[number];

export interface EvidenceCase {
  readonly id: string;
  readonly accountId: string;
  readonly createdMs: number;
  /** A username. */
  readonly createdBy: string;
  /** Punycode. */
  readonly domains: readonly string[];
  readonly recipient: RecipientKind;
  readonly recipientName: string;
  readonly note: string;
  /** SHA-256 of the pack, in hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly sentMs: number | undefined;
  readonly answeredMs: number | undefined;
  readonly outcome: CaseOutcome;
}

/** What a person enters; absent members stay as they are. */
export type CaseChange = Partial<
  Pick<EvidenceCase, 'recipient' | 'recipientName' | 'note' | 'sentMs' | 'answeredMs' | 'outcome'>
>;

export interface CaseKey {
  readonly accountId: string;
  readonly id: string;
}

/** How much of a pack is written or read in one step. */
export const partBytes = 512 << 10;
/** Parts without a case are removed when they are older. */
export const abandonedMs = hourMs;

export interface CaseStore {
  /** Durable when this resolves. False: the account has `casesMax` already, and nothing was saved. */
  createCase(made: EvidenceCase, pack: Uint8Array, casesMax: number): Promise<boolean>;

  /** Newest first. */
  listCases(accountId: string, limit: number): Promise<readonly EvidenceCase[]>;

  findCase(key: CaseKey): Promise<EvidenceCase | undefined>;

  /** Undefined if there is no such case. */
  changeCase(key: CaseKey, change: CaseChange): Promise<EvidenceCase | undefined>;

  /** Whether there was one. */
  deleteCase(key: CaseKey): Promise<boolean>;

  /** The bytes of the pack. Ends early if the case is deleted meanwhile. */
  scanPack(key: CaseKey): AsyncIterable<Buffer>;

  close(): Promise<void>;
}

/** As both adapters store it. */
export interface CaseRow extends Omit<EvidenceCase, 'domains' | 'sentMs' | 'answeredMs'> {
  readonly domains: string;
  readonly sentMs: number | null;
  readonly answeredMs: number | null;
}

export function caseOf(row: CaseRow): EvidenceCase {
  return {
    ...row,
    domains: JSON.parse(row.domains) as string[],
    sentMs: row.sentMs ?? undefined,
    answeredMs: row.answeredMs ?? undefined,
  };
}

export function rowOf(made: EvidenceCase): CaseRow {
  return {
    ...made,
    domains: JSON.stringify(made.domains),
    sentMs: made.sentMs ?? null,
    answeredMs: made.answeredMs ?? null,
  };
}

export function* partsOf(pack: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < pack.length; at += partBytes) yield Buffer.from(pack.subarray(at, at + partBytes));
}
