/** Runs the collectors while the server runs: on new domains, on watched ones, and on those whose records are stale. */

import type { Collector, CollectorName } from '../../collect/collectors/collector.ts';
import { repeat } from '../../concurrency/repeat.ts';
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { OpsecStore } from '../../store/detect/opsec-store.ts';
import type { DomainStore, UpsertCounts } from '../../store/domain-store.ts';
import type { RawAnswerStore } from '../../store/evidence/raw-answer-store.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { enqueueDiscovered } from '../jobs/enqueue-discovered.ts';
import { enqueueStale } from '../jobs/enqueue-stale.ts';
import { type JobCounts, startJobWorker } from '../jobs/start-job-worker.ts';
import { BatchedWrites } from './batched-writes.ts';
import { collectDomain, phases } from './collect-domain.ts';
import { CollectionCounts, type ProbeCounts } from './collection-counts.ts';
import { PassiveDomains } from './passive-domains.ts';
import { RecentFailures } from './recent-failures.ts';
import { RequestLog } from './request-log.ts';
import type { CompletedProbe } from './run-probe.ts';

export interface CollectorsNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly collectors: readonly Collector[];
  readonly domains: DomainStore;
  readonly streams: StreamStore;
  readonly rawAnswers: Pick<RawAnswerStore, 'saveAnswers'>;
  readonly opsec: Pick<OpsecStore, 'addRequests' | 'trimRequests' | 'isPassive'>;
  readonly monitors: Pick<MonitorStore, 'listActiveMonitors' | 'monitorsVersion'>;
  readonly jobs: JobStore;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly clock: Clock;
  readonly settings: Settings['collect'];
  /** Fewer domains are collected at once while this is true; see `JobWork`. */
  readonly givesWay?: () => boolean;
  /** Called after each probe. */
  readonly onProbe?: (probe: CompletedProbe) => void;
  /** Error callback; the work is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface CollectorsCounts {
  readonly jobs: JobCounts;
  /** Domains that were collected completely. */
  readonly domains: number;
  readonly probes: ReadonlyMap<CollectorName, ProbeCounts>;
  readonly records: UpsertCounts;
  /** Members of records and lines of feeds that were invalid. */
  readonly dropped: number;
  /** Jobs enqueued for discovered domains. */
  readonly discovered: number;
  readonly failures: number;
}

export interface Collectors {
  statistics(): CollectorsCounts;
  close(): Promise<void>;
}

const pollMs = 1000;
const stalePollMs = 30_000;
/** Added to the deadlines of the probes, for reading and writing the record. */
const writeMs = 30_000;
const batchDomainsMax = 100;

export function startCollectors(needs: CollectorsNeeds): Collectors {
  const { settings } = needs;
  const counts = new CollectionCounts(needs.onProbe);
  let [discovered, failures] = [0, 0];
  const onFailure = (error: unknown) => {
    failures += 1;
    needs.onFailure(error);
  };
  const onWritten = (written: UpsertCounts) => counts.countWritten(written);
  // As many may wait for a batch as are being collected.
  const domainsMax = Math.min(batchDomainsMax, settings.domainsAtOnce);
  const rawLimits = settings.raw;
  const requestLog = new RequestLog({ ...needs, requestsMax: settings.requestsMax, onFailure });
  const writes = new BatchedWrites({ ...needs, domainsMax, onWritten, rawLimits, requestLog, onFailure });
  const passive = new PassiveDomains(needs);
  const domainNeeds = { ...needs, writes, passive, recentFailures: new RecentFailures(), counts, onFailure };
  const worker = startJobWorker(
    {
      kind: 'collect',
      concurrency: settings.domainsAtOnce,
      maxPerSecond: settings.domainsPerSecond,
      givesWay: () => needs.givesWay?.() === true,
      deadlineMs: phases.length * settings.lookSeconds * 1000 + writeMs,
      prepare: async () => {
        const nowMs = needs.clock.now();
        await Promise.all(needs.collectors.map(async (collector) => collector.prepare?.(nowMs)));
      },
      perform: (job, signal, makeRoom) => collectDomain(job, { ...domainNeeds, onProbed: makeRoom }, signal),
    },
    { ...needs, onFailure },
  );

  const stopping = new AbortController();
  const { signal } = stopping;
  const onEnqueued = (names: number) => {
    discovered += names;
  };
  const enqueueNew = () => enqueueDiscovered({ ...needs, onEnqueued });
  const enqueueOld = () => enqueueStale({ ...needs, refreshDays: settings.refreshDays, signal });
  const isPaused = () => needs.freeSpace?.hasRoom() === false;
  // Every discovered domain has a record as soon as it is scored, so without new domains those become no stale ones either.
  const stages = settings.newDomains
    ? [
        repeat(enqueueOld, { everyMs: stalePollMs, signal, onFailure, isPaused }),
        repeat(enqueueNew, { everyMs: pollMs, signal, onFailure, isPaused }),
      ]
    : [];

  return {
    statistics: () => ({
      jobs: worker.statistics(),
      domains: counts.domains,
      probes: counts.probes,
      records: counts.records,
      dropped: counts.dropped,
      discovered,
      failures,
    }),
    close: async () => {
      stopping.abort();
      await Promise.all([worker.close(), ...stages]);
    },
  };
}
