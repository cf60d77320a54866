/** Enqueues immediate collection and screenshot of domains that were just watched; daily jobs follow from then on. */
import { immediateJobs } from '../../model/detect/watched-jobs.ts';
import type { JobStore } from '../../store/job-store.ts';

export interface EnqueueNeeds {
  readonly jobs: Pick<JobStore, 'enqueue'>;
}

export function enqueueNow(domains: readonly string[], { jobs }: EnqueueNeeds, nowMs: number): Promise<void> {
  return jobs.enqueue(domains.flatMap((domain) => immediateJobs(domain, nowMs)));
}
