/** Follows the update log: a domain whose record changed is scored again. Updates by scoring itself are ignored. */
import type { Clock } from '../../model/clock.ts';
import { riskSource } from '../../model/risk/domain-risk.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs } from './score-jobs.ts';

export interface FollowUpdatesNeeds {
  readonly domains: Pick<DomainStore, 'listUpdates'>;
  readonly risks: Pick<RiskStore, 'findCheckpoint' | 'setCheckpoint'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** The lag: the age of the last update read. */
  readonly onLag?: (lagMs: number) => void;
}

const consumer = 'scoring';
const pageUpdates = 500;

/** Until the log is read to its end, or the signal. */
export async function followUpdates(needs: FollowUpdatesNeeds): Promise<void> {
  const { domains, risks, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    const updates = await domains.listUpdates(await risks.findCheckpoint(consumer), pageUpdates);
    const last = updates.at(-1);
    needs.onLag?.(last ? clock.now() - last.atMs : 0);
    if (!last) return;
    const changed = new Set(
      updates.filter(({ source }) => source !== riskSource).map(({ domain }) => domain),
    );
    if (changed.size > 0) await jobs.enqueue(scoreJobs(changed, clock.now()));
    // Only now: after a crash the same jobs are enqueued again, which is idempotent.
    await risks.setCheckpoint(consumer, last.position);
  }
}
