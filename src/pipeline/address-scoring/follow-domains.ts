/**
 * Follows the update log of domain records and enqueues addresses to be scored: every address of a bad domain, and of any other domain those
 * that were published, because it may have been bad before.
 */
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { NewJob } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { findAddressesJob, scoreAddressJob } from './address-job.ts';
import { domainAddresses, judgeDomains } from './domain-addresses.ts';
import type { FindAddressesNeeds } from './find-addresses.ts';
import { isPublishedAddress } from './publish-address.ts';

export interface FollowDomainsNeeds extends FindAddressesNeeds {
  readonly domains: FindAddressesNeeds['domains'] & Pick<DomainStore, 'listUpdates'>;
  readonly risks: FindAddressesNeeds['risks'] & Pick<RiskStore, 'findCheckpoint' | 'setCheckpoint'>;
  readonly signal?: AbortSignal;
  readonly onFollowed?: (updates: number) => void;
}

const consumer = 'scoring-addresses';
const pageUpdates = 200;

/** Until the log is read to its end, or the signal. A page may be enqueued twice after a crash; a job exists once all the same. */
export async function followDomains(needs: FollowDomainsNeeds): Promise<void> {
  const { risks, domains, jobs, signal } = needs;
  for (;;) {
    const updates = await domains.listUpdates(await risks.findCheckpoint(consumer), pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const newJobs = await jobsFor(updates, needs);
    if (signal?.aborted) return;
    if (newJobs.length > 0) await jobs.enqueue(newJobs);
    await risks.setCheckpoint(consumer, last.position);
    needs.onFollowed?.(updates.length);
  }
}

async function jobsFor(
  updates: readonly LoggedUpdate[],
  needs: FollowDomainsNeeds,
): Promise<readonly NewJob[]> {
  const nowMs = needs.clock.now();
  const names = [...new Set(updates.filter(isRelevant).map(({ domain }) => domain))];
  const added = new Set(updates.filter(({ fields }) => fields === undefined).map(({ domain }) => domain));
  const addresses = new Set<string>();
  const findJobs: NewJob[] = [];
  for (const domain of await judgeDomains(names, needs, nowMs)) {
    const { name, isBad } = domain;
    if (needs.signal?.aborted) break;
    // A domain that is new was never counted for any address.
    if (!isBad && added.has(name)) continue;
    if (isBad) findJobs.push(findAddressesJob(name, nowMs));
    for (const address of await domainAddresses(domain, needs, nowMs)) {
      if (isBad || (await isPublishedAddress(address, needs.streams))) addresses.add(address);
    }
    await yieldToEventLoop();
  }
  return [...findJobs, ...[...addresses].map((address) => scoreAddressJob(address, nowMs))];
}

function isRelevant({ fields }: LoggedUpdate): boolean {
  return fields === undefined || fields.includes('domain_risk') || fields.includes('ip');
}
