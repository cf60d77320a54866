/** Looks at domains for as long as a server runs: those that are new, those that are watched, and those that have grown old. */
import type { Clock } from '../../model/clock.ts';
import type { Settings } from '../../model/settings.ts';
import type { DomainStore, UpsertCounts } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { Collector, CollectorName } from '../collectors/collector.ts';
import { repeat } from '../discovery/repeat.ts';
import { enqueueDiscovered } from '../jobs/enqueue-discovered.ts';
import { enqueueOld } from '../jobs/enqueue-old.ts';
import { type JobCounts, workOnJobs } from '../jobs/work-on-jobs.ts';
import { CollectCounts, type LookCounts } from './collect-counts.ts';
import { collectDomain, phases } from './collect-domain.ts';
import { FailedBefore } from './failed-before.ts';
import { GatheredWrites } from './gathered-writes.ts';

export interface CollectingNeeds {
  readonly collectors: readonly Collector[];
  readonly domains: DomainStore;
  readonly streams: StreamStore;
  readonly jobs: JobStore;
  readonly names: Pick<NameStore, 'findSeenMs'>;
  readonly clock: Clock;
  readonly settings: Settings['collect'];
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export interface CollectingCounts {
  readonly jobs: JobCounts;
  /** Rounds that came to their end. */
  readonly domains: number;
  readonly looks: ReadonlyMap<CollectorName, LookCounts>;
  readonly records: UpsertCounts;
  /** Members of records and lines of feeds that were not as they must be. */
  readonly dropped: number;
  /** Jobs that discoveries led to. */
  readonly discovered: number;
  readonly failures: number;
}

export interface Collecting {
  statistics(): CollectingCounts;
  close(): Promise<void>;
}

const lookMs = 1000;
const oldLookMs = 30_000;
/** Of a round, beyond its looks. */
const writeMs = 30_000;
/** Domains that are written together. */
const writtenMax = 100;

export function startCollecting(needs: CollectingNeeds): Collecting {
  const { settings, clock } = needs;
  const counts = new CollectCounts();
  let [discovered, failures] = [0, 0];
  const onFailure = (error: unknown) => {
    failures += 1;
    needs.onFailure(error);
  };
  const onWritten = (written: UpsertCounts) => counts.written(written);
  // Where half of all rounds wait to be written, hardly anybody is looking.
  const domainsMax = Math.min(writtenMax, Math.ceil(settings.domainsAtOnce / 2));
  const writes = new GatheredWrites({ ...needs, domainsMax, onWritten });
  const round = { ...needs, writes, failedBefore: new FailedBefore(), counts, onFailure };
  const worker = workOnJobs(
    {
      kind: 'collect',
      atOnce: settings.domainsAtOnce,
      perSecond: settings.domainsPerSecond,
      deadlineMs: phases.length * settings.lookSeconds * 1000 + writeMs,
      perform: (job, signal) => collectDomain(job, round, signal),
    },
    { jobs: needs.jobs, clock, onFailure },
  );

  const stopping = new AbortController();
  const { signal } = stopping;
  const onEnqueued = (names: number) => {
    discovered += names;
  };
  const takeDiscovered = () => enqueueDiscovered({ ...needs, onEnqueued });
  const takeOld = () => enqueueOld({ ...needs, refreshDays: settings.refreshDays, signal });
  const stages = [
    repeat(takeOld, { everyMs: oldLookMs, signal, onFailure }),
    ...(settings.newDomains ? [repeat(takeDiscovered, { everyMs: lookMs, signal, onFailure })] : []),
  ];

  return {
    statistics: () => ({
      jobs: worker.statistics(),
      domains: counts.domains,
      looks: counts.looks,
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
