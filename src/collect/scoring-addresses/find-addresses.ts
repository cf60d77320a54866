/**
 * Looks where a bad domain is by now, and asks for addresses that were never told to be scored; those that were have their time every
 * day. A domain that is no longer bad is not looked for again. Bears repetition.
 */
import type { Clock } from '../../model/clock.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { JobOutcome } from '../jobs/work-on-jobs.ts';
import { findAddressesJob, scoreAddressJob } from './address-job.ts';
import { type DomainAddressesNeeds, domainAddresses, judgeDomains } from './domain-addresses.ts';
import { isToldAddress } from './tell-address.ts';

export interface FindAddressesNeeds extends DomainAddressesNeeds {
  readonly streams: Pick<StreamStore, 'findMark'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
}

export async function findAddresses(domain: string, needs: FindAddressesNeeds): Promise<JobOutcome> {
  const nowMs = needs.clock.now();
  const [judged] = await judgeDomains([domain], needs, nowMs);
  if (!judged?.isBad) return { done: true, againMs: undefined };
  const untold: string[] = [];
  for (const address of await domainAddresses(judged, needs, nowMs)) {
    if (!(await isToldAddress(address, needs.streams))) untold.push(address);
  }
  if (untold.length > 0) await needs.jobs.enqueue(untold.map((address) => scoreAddressJob(address, nowMs)));
  return { done: true, againMs: findAddressesJob(domain, nowMs).dueMs };
}
