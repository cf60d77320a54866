/** A domain whose record changed is scored again. Scores themselves are changes too, which lead to nothing here. */
import type { Clock } from '../../model/clock.ts';
import { riskSource } from '../../model/risk/risk-source.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { scoreJobs } from './score-jobs.ts';

export interface FollowUpdatesNeeds {
  readonly domains: Pick<DomainStore, 'listUpdates'>;
  readonly risks: Pick<RiskStore, 'findPlace' | 'setPlace'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** How far behind the followed updates are: the age of the last one. */
  readonly onLag?: (lagMs: number) => void;
}

const reader = 'scoring';
const pageUpdates = 500;

/** Until nothing is left, or it is told to stop. */
export async function followUpdates(needs: FollowUpdatesNeeds): Promise<void> {
  const { domains, risks, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    const updates = await domains.listUpdates(await risks.findPlace(reader), pageUpdates);
    const last = updates.at(-1);
    needs.onLag?.(last ? clock.now() - last.atMs : 0);
    if (!last) return;
    const changed = new Set(
      updates.filter(({ source }) => source !== riskSource).map(({ domain }) => domain),
    );
    if (changed.size > 0) await jobs.enqueue(scoreJobs(changed, clock.now()));
    // Only now: whoever is killed before this asks for the same jobs again, and each is there once.
    await risks.setPlace(reader, last.id);
  }
}
