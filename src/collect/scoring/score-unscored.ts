/**
 * Records that are older than scoring have no score and may never change. They get one while nothing else is to be scored, so that
 * millions of them keep nobody waiting.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs, scoreKind } from './score-jobs.ts';

export interface UnscoredNeeds {
  readonly domains: Pick<DomainStore, 'listNames' | 'findRecords'>;
  readonly risks: Pick<RiskStore, 'findPlace' | 'setPlace'>;
  readonly jobs: Pick<JobStore, 'enqueue' | 'findNextDueMs'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const reader = 'scoring-records';
const pageNames = 500;

/** Until something is to be scored, or all records were looked at once. */
export async function scoreUnscored(needs: UnscoredNeeds): Promise<void> {
  const { domains, risks, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    if (((await jobs.findNextDueMs(scoreKind)) ?? Infinity) <= clock.now()) return;
    const { names, place } = await domains.listNames(await risks.findPlace(reader), pageNames);
    if (names.length === 0) return;
    const records = await domains.findRecords(names);
    const unscored = names.filter((_, index) => records[index]?.domain_risk === undefined);
    if (unscored.length > 0) await jobs.enqueue(scoreJobs(unscored, clock.now()));
    await risks.setPlace(reader, place);
  }
}
