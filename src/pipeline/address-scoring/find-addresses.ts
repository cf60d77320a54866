/**
 * Finds the present addresses of a bad domain and enqueues those that were never published; published ones are scored daily anyway. The job
 * ends when the domain is no longer bad. Idempotent.
 */
import type { Clock } from '../../model/clock.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { JobOutcome } from '../jobs/start-job-worker.ts';
import { findAddressesJob, scoreAddressJob } from './address-job.ts';
import { type DomainAddressesNeeds, domainAddresses, judgeDomains } from './domain-addresses.ts';
import { isPublishedAddress } from './publish-address.ts';

export interface FindAddressesNeeds extends DomainAddressesNeeds {
  readonly streams: Pick<StreamStore, 'findProducerMark'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
}

export async function findAddresses(domain: string, needs: FindAddressesNeeds): Promise<JobOutcome> {
  const nowMs = needs.clock.now();
  const [judged] = await judgeDomains([domain], needs, nowMs);
  if (!judged?.isBad) return { done: true, againMs: undefined };
  const unpublished: string[] = [];
  for (const address of await domainAddresses(judged, needs, nowMs)) {
    if (!(await isPublishedAddress(address, needs.streams))) unpublished.push(address);
  }
  if (unpublished.length > 0)
    await needs.jobs.enqueue(unpublished.map((address) => scoreAddressJob(address, nowMs)));
  return { done: true, againMs: findAddressesJob(domain, nowMs).dueMs };
}
