/**
 * Backfill: records that are older than scoring have no score and may never change. They are scored only while no other score job is due, so that
 * millions of them delay nothing.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs, scoreKind } from './score-jobs.ts';

export interface UnscoredNeeds {
  readonly domains: Pick<DomainStore, 'listNames' | 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findCheckpoint' | 'setCheckpoint'>;
  readonly jobs: Pick<JobStore, 'enqueue' | 'findNextDueMs'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const consumer = 'scoring-records';
const pageNames = 500;

/** Until a score job is due, or all records were read once. */
export async function scoreUnscored(needs: UnscoredNeeds): Promise<void> {
  const { domains, risks, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    if (((await jobs.findNextDueMs(scoreKind)) ?? Infinity) <= clock.now()) return;
    const { names, position } = await domains.listNames(await risks.findCheckpoint(consumer), pageNames);
    if (names.length === 0) return;
    const records = await domains.findRecords(names);
    const unscored = names.filter((_, index) => records[index]?.domain_risk === undefined);
    if (unscored.length > 0) await jobs.enqueue(scoreJobs(unscored, clock.now()));
    await risks.setCheckpoint(consumer, position);
  }
}
