/** Follows the changes of reputation lists: a domain whose verdicts changed is scored again, unless it has no record yet. */
import type { Clock } from '../../model/clock.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs } from './score-jobs.ts';

export interface FollowVerdictsNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
  readonly risks: Pick<
    RiskStore,
    'listVerdictChanges' | 'pruneVerdictChanges' | 'findCheckpoint' | 'setCheckpoint'
  >;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const consumer = 'scoring-verdicts';
const pageChanges = 500;

/** Until all changes are read, or the signal. */
export async function followVerdicts(needs: FollowVerdictsNeeds): Promise<void> {
  const { domains, risks, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    const changes = await risks.listVerdictChanges(await risks.findCheckpoint(consumer), pageChanges);
    const last = changes.at(-1);
    if (!last) return;
    const names = [...new Set(changes.map(({ domain }) => domain))];
    const records = await domains.findRecords(names);
    const known = names.filter((_, index) => records[index] !== undefined);
    if (known.length > 0) await jobs.enqueue(scoreJobs(known, clock.now()));
    await risks.setCheckpoint(consumer, last.position);
    await risks.pruneVerdictChanges(last.position);
  }
}
