/** Scores addresses while the server runs: those of domains that became bad, and daily those that have bad domains. */

import { type AddressLookup, loadAddressFacts } from '../../collect/collectors/ip/address-facts.ts';
import { repeat } from '../../concurrency/repeat.ts';
import type { Clock } from '../../model/clock.ts';
import { dayMs } from '../../model/durations.ts';
import type { ZerolistRules } from '../../model/risk/zerolist.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import type { RrsetStore } from '../../store/rrset-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { type JobCounts, startJobWorker } from '../jobs/start-job-worker.ts';
import { AddressCooldowns } from './address-cooldowns.ts';
import { findAddressesKind, scoreAddressKind } from './address-job.ts';
import { findAddresses } from './find-addresses.ts';
import { followDomains } from './follow-domains.ts';
import { type AddressLineCounts, addressProducerPrefix } from './publish-address.ts';
import { scoreAddress } from './score-address.ts';

export interface AddressScoringNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly domains: DomainStore;
  readonly risks: RiskStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  /** Which domains are known to be good. */
  readonly zerolist: ZerolistRules;
  readonly settings: Pick<Settings, 'risk' | 'collect'>;
  readonly clock: Clock;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Since the start; the job counts are those of scoring addresses. */
export interface AddressScoringCounts extends JobCounts, AddressLineCounts {
  /** Updates of records that were followed. */
  readonly updates: number;
  readonly failures: number;
}

export interface AddressScoring {
  statistics(): AddressScoringCounts;
  close(): Promise<void>;
}

const pollMs = 1000;
const cleanUpMs = dayMs;
/** The largest address takes some seconds. */
const limits = { concurrency: 2, maxPerSecond: 50, deadlineMs: 120_000 } as const;

export function startAddressScoring(needs: AddressScoringNeeds): AddressScoring {
  const { settings, streams, clock } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { updates: 0, iprisk: 0, iphotlist: 0, failures: 0 };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const onPublished = ({ iprisk, iphotlist }: AddressLineCounts) => {
    counts.iprisk += iprisk;
    counts.iphotlist += iphotlist;
  };
  const onFollowed = (updates: number) => {
    counts.updates += updates;
  };
  const scoring = {
    ...needs,
    addressFacts: lazyAddressFacts(settings.collect.addressFiles),
    cooldowns: new AddressCooldowns(),
    onPublished,
  };
  const workerNeeds = { ...needs, onFailure };
  const isPaused = () => needs.freeSpace?.hasRoom() === false;
  const scorer = startJobWorker(
    {
      ...limits,
      kind: scoreAddressKind,
      perform: (job, stop) => scoreAddress(job.subject, scoring, stop),
    },
    workerNeeds,
  );
  const finder = startJobWorker(
    { ...limits, kind: findAddressesKind, perform: (job) => findAddresses(job.subject, needs) },
    workerNeeds,
  );
  /** An address that was not published for this long has no recent domains left, or may be published again. */
  const removeOldMarks = () =>
    streams.removeIdleProducerMarks(addressProducerPrefix, clock.now() - settings.risk.addressDays * dayMs);
  const running = Promise.all([
    repeat(() => followDomains({ ...needs, signal, onFollowed }), {
      everyMs: pollMs,
      signal,
      onFailure,
      isPaused,
    }),
    repeat(removeOldMarks, { everyMs: cleanUpMs, signal, onFailure }),
  ]);

  return {
    statistics: () => ({ ...scorer.statistics(), ...counts }),
    close: async () => {
      stopping.abort();
      await Promise.all([scorer.close(), finder.close(), running]);
    },
  };
}

/** Loads on the first call, and again after a failure. */
function lazyAddressFacts(files: readonly string[]): () => Promise<AddressLookup> {
  let loading: Promise<AddressLookup> | undefined;
  return () => {
    loading ??= loadAddressFacts(files).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
