/**
 * Follows what is written about domains, and asks for the addresses of those that matter to be scored: all addresses of a domain that is
 * bad, and of any other those that were told, for it may have been a bad one.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { NewJob } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { findAddressesJob, scoreAddressJob } from './address-job.ts';
import { domainAddresses, judgeDomains } from './domain-addresses.ts';
import type { FindAddressesNeeds } from './find-addresses.ts';
import { isToldAddress } from './tell-address.ts';

export interface FollowDomainsNeeds extends FindAddressesNeeds {
  readonly domains: FindAddressesNeeds['domains'] & Pick<DomainStore, 'listUpdates'>;
  readonly risks: FindAddressesNeeds['risks'] & Pick<RiskStore, 'findPlace' | 'setPlace'>;
  readonly signal?: AbortSignal;
  readonly onFollowed?: (updates: number) => void;
}

const reader = 'scoring-addresses';
const pageUpdates = 200;

/** Until nothing is left, or it is told to stop. What was asked for before a kill is asked for again, and is still one job. */
export async function followDomains(needs: FollowDomainsNeeds): Promise<void> {
  const { risks, domains, jobs, signal } = needs;
  for (;;) {
    const updates = await domains.listUpdates(await risks.findPlace(reader), pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const work = await jobsFor(updates, needs);
    if (signal?.aborted) return;
    if (work.length > 0) await jobs.enqueue(work);
    await risks.setPlace(reader, last.id);
    needs.onFollowed?.(updates.length);
  }
}

async function jobsFor(
  updates: readonly LoggedUpdate[],
  needs: FollowDomainsNeeds,
): Promise<readonly NewJob[]> {
  const nowMs = needs.clock.now();
  const names = [...new Set(updates.filter(isTelling).map(({ domain }) => domain))];
  const added = new Set(updates.filter(({ fields }) => fields === undefined).map(({ domain }) => domain));
  const addresses = new Set<string>();
  const work: NewJob[] = [];
  for (const domain of await judgeDomains(names, needs, nowMs)) {
    const { name, isBad } = domain;
    if (needs.signal?.aborted) break;
    // One that has only just come was never a bad one of any address.
    if (!isBad && added.has(name)) continue;
    if (isBad) work.push(findAddressesJob(name, nowMs));
    for (const address of await domainAddresses(domain, needs, nowMs)) {
      if (isBad || (await isToldAddress(address, needs.streams))) addresses.add(address);
    }
    await turn();
  }
  return [...work, ...[...addresses].map((address) => scoreAddressJob(address, nowMs))];
}

function isTelling({ fields }: LoggedUpdate): boolean {
  return fields === undefined || fields.includes('domain_risk') || fields.includes('ip');
}
