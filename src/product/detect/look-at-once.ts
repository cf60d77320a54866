/** A domain that has just been watched is looked at at once. Every day from then on it is looked at anyway. */
import { workAtOnce } from '../../model/detect/watched-work.ts';
import type { JobStore } from '../../store/job-store.ts';

export interface LookNeeds {
  readonly jobs: Pick<JobStore, 'enqueue'>;
}

export function lookAtOnce(domains: readonly string[], { jobs }: LookNeeds, nowMs: number): Promise<void> {
  return jobs.enqueue(domains.flatMap((domain) => workAtOnce(domain, nowMs)));
}
