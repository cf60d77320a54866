/** Scores addresses for as long as a server runs: those of domains that became bad, and every day those that have bad ones. */
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { type AddressKnowledge, loadAddressFacts } from '../collectors/ip/address-facts.ts';
import { repeat } from '../discovery/repeat.ts';
import { type JobCounts, workOnJobs } from '../jobs/work-on-jobs.ts';
import { findAddressesKind, scoreAddressKind } from './address-job.ts';
import { AddressRests } from './address-rests.ts';
import { findAddresses } from './find-addresses.ts';
import { followDomains } from './follow-domains.ts';
import { scoreAddress } from './score-address.ts';
import { addressWriterPrefix, type ToldAddress } from './tell-address.ts';

export interface AddressScoringNeeds {
  readonly domains: DomainStore;
  readonly risks: RiskStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  readonly settings: Pick<Settings, 'risk' | 'collect'>;
  readonly clock: Clock;
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Jobs are those of addresses. */
export interface AddressScoringCounts extends JobCounts, ToldAddress {
  /** Updates of records that were looked at. */
  readonly updates: number;
  readonly failures: number;
}

export interface AddressScoring {
  statistics(): AddressScoringCounts;
  close(): Promise<void>;
}

const lookMs = 1000;
const tidyMs = 86_400_000;
const dayMs = 86_400_000;
/** The largest address takes some seconds. */
const pace = { atOnce: 2, perSecond: 50, deadlineMs: 120_000 } as const;

export function startAddressScoring(needs: AddressScoringNeeds): AddressScoring {
  const { settings, streams, clock } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { updates: 0, iprisk: 0, iphotlist: 0, failures: 0 };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const onTold = ({ iprisk, iphotlist }: ToldAddress) => {
    counts.iprisk += iprisk;
    counts.iphotlist += iphotlist;
  };
  const onFollowed = (updates: number) => {
    counts.updates += updates;
  };
  const scoring = {
    ...needs,
    places: placesOf(settings.collect.addressFiles),
    rests: new AddressRests(),
    onTold,
  };
  const workerNeeds = { jobs: needs.jobs, clock, onFailure };
  const scorer = workOnJobs(
    {
      ...pace,
      kind: scoreAddressKind,
      perform: (job, stop) => scoreAddress(job.subject, scoring, stop),
    },
    workerNeeds,
  );
  const finder = workOnJobs(
    { ...pace, kind: findAddressesKind, perform: (job) => findAddresses(job.subject, needs) },
    workerNeeds,
  );
  /** What was not told anew for so long has no domains left, or may well be told again. */
  const tidy = () =>
    streams.removeIdleMarks(addressWriterPrefix, clock.now() - settings.risk.addressDays * dayMs);
  const running = Promise.all([
    repeat(() => followDomains({ ...needs, signal, onFollowed }), { everyMs: lookMs, signal, onFailure }),
    repeat(tidy, { everyMs: tidyMs, signal, onFailure }),
  ]);

  return {
    statistics: () => ({ ...scorer.statistics(), ...counts }),
    close: async () => {
      stopping.abort();
      await Promise.all([scorer.close(), finder.close(), running]);
    },
  };
}

/** Read when first asked for, and again after a failure. */
function placesOf(files: readonly string[]): () => Promise<AddressKnowledge> {
  let loading: Promise<AddressKnowledge> | undefined;
  return () => {
    loading ??= loadAddressFacts(files).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
