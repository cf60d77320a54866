/** Stores with domains that passive DNS saw at addresses, and the stages of address scoring run one step at a time. */
import type { AddressLookup } from '../../../src/collect/collectors/ip/address-facts.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import type { VerdictLabel } from '../../../src/model/risk/verdict.ts';
import type { Settings } from '../../../src/model/settings/settings.ts';
import { AddressCooldowns } from '../../../src/pipeline/address-scoring/address-cooldowns.ts';
import { findAddresses } from '../../../src/pipeline/address-scoring/find-addresses.ts';
import { followDomains } from '../../../src/pipeline/address-scoring/follow-domains.ts';
import { scoreAddress } from '../../../src/pipeline/address-scoring/score-address.ts';
import type { DomainStore } from '../../../src/store/domain-store.ts';
import type { JobStore } from '../../../src/store/job-store.ts';
import type { RiskStore } from '../../../src/store/risk-store.ts';
import type { RrsetStore } from '../../../src/store/rrset-store.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { observe } from '../../harness/fixtures/observe-rrsets.ts';
import type { TestClock } from '../../harness/test-clock.ts';

export interface AddressStores {
  readonly domains: DomainStore;
  readonly risks: RiskStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  readonly clock: TestClock;
  readonly settings: Settings;
}

export const noFacts: AddressLookup = { find: () => ({}) };

export function addressWorld(given: AddressStores, facts: AddressLookup = noFacts) {
  const { clock, domains, risks, rrsets, streams, jobs } = given;
  const zerolist = { ...given.settings.risk, wellKnown: new Set<string>() };
  const stores = { ...given, zerolist };
  const cooldowns = new AddressCooldowns();
  let snapshots = 0;
  const due = async (kind: string, afterSeconds: number) => {
    clock.advanceSeconds(afterSeconds);
    return jobs.leaseJobs(kind, 1000, clock.now(), clock.now() + 60_000);
  };
  return {
    ...stores,
    /** Hosts that sensors saw at an address some hours ago, each once unless given. */
    see: (address: string, hosts: readonly string[], { hoursAgo = 0, count = 1, zone = false } = {}) => {
      const seconds = Math.floor(clock.now() / 1000) - hoursAgo * 3600;
      const rrtype = address.includes(':') ? 'AAAA' : 'A';
      const times = zone
        ? { zone_time_first: seconds, zone_time_last: seconds }
        : { time_first: seconds, time_last: seconds };
      return observe(
        rrsets,
        hosts.map((rrname) => ({ rrname, rrtype, rdata: address, count, ...times })),
      );
    },
    /** Puts domains on the list of a label; a second call with fewer removes the rest. */
    list: async (label: VerdictLabel, names: readonly string[]) => {
      snapshots += 1;
      const snapshot = { list: `of-${label}`, label, weight: 1, id: snapshots, untilMs: undefined };
      await risks.addListed(
        snapshot,
        names.map((domain) => ({ domain })),
      );
      await risks.completeSnapshot(snapshot, undefined, clock.now());
    },
    write: (records: readonly DomainRecord[]) =>
      domains.upsert(
        records.map((record) => ({
          record,
          members: Object.keys(record) as (keyof DomainRecord)[],
          source: 'risk',
          seenMs: clock.now(),
        })),
      ),
    follow: () => followDomains(stores),
    /** Advances the clock, and completes the due scoring jobs; their addresses. */
    completeDue: async (afterSeconds = 30) => {
      const leased = await due('score-address', afterSeconds);
      for (const job of leased) await jobs.finishJob(job, undefined);
      return leased.map(({ subject }) => subject).sort();
    },
    findAgain: async (afterSeconds: number) => {
      const leased = await due('find-addresses', afterSeconds);
      for (const job of leased) await jobs.finishJob(job, againMs(await findAddresses(job.subject, stores)));
      return leased.map(({ subject }) => subject).sort();
    },
    score: (address: string) =>
      scoreAddress(address, { ...stores, addressFacts: async () => facts, cooldowns }),
    published: async (feed: 'iprisk' | 'iphotlist'): Promise<Record<string, unknown>[]> =>
      (await linesIn(streams, `feed-${feed}`)).map((line) => JSON.parse(line)),
  };
}

function againMs(outcome: Awaited<ReturnType<typeof findAddresses>>): number | undefined {
  return outcome.done ? outcome.againMs : outcome.dueMs;
}

/** A full score, as in a record. */
export function fullScore(
  phishing: number,
  malware = 10,
  spam = 10,
): NonNullable<DomainRecord['domain_risk']> {
  const components = [
    { name: 'proximity', risk_score: 1 },
    { name: 'threat_profile_malware', risk_score: malware },
    { name: 'threat_profile_phishing', risk_score: phishing },
    { name: 'threat_profile_spam', risk_score: spam },
  ];
  return { risk_score: Math.max(phishing, malware, spam), components };
}
