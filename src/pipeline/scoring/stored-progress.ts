/** How far stored records are scored by the current model and settings. */
import type { DomainStore } from '../../store/domain-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';

/** Checkpoints: the version of the scorer, the position in the list of records, and how many were read. */
export const storedScores = {
  version: 'scoring-version',
  position: 'scoring-records',
  read: 'scoring-records-read',
} as const;

export interface StoredProgress {
  readonly records: number;
  /** Of these, records with a score of the current version, or a job to get one. */
  readonly current: number;
}

export interface ProgressNeeds {
  readonly domains: Pick<DomainStore, 'countNames'>;
  readonly risks: Pick<RiskStore, 'findCheckpoint'>;
  readonly scorer: { readonly version: number };
}

/** Records that arrive while a server runs are compared within seconds, so a busy one is always a few behind. */
const behindShareMax = 0.01;

export function isUpToDate({ records, current }: StoredProgress): boolean {
  return records - current <= behindShareMax * records;
}

export async function storedProgress({ domains, risks, scorer }: ProgressNeeds): Promise<StoredProgress> {
  const isCurrent = (await risks.findCheckpoint(storedScores.version)) === String(scorer.version);
  const records = await domains.countNames();
  const read = isCurrent ? Number(await risks.findCheckpoint(storedScores.read)) : 0;
  return { records, current: Math.min(read, records) };
}
