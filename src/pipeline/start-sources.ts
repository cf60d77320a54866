/** Polls all sources of names while the server runs, each at its own interval, and publishes new domains on the discovery feed. */
import { randomUUID } from 'node:crypto';
import { openNameIntake } from '../collect/sources/name-intake.ts';
import type { NameIntake, NameSource } from '../collect/sources/source.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { Clock } from '../model/clock.ts';
import { dayMs, hourMs, minuteMs, weekMs } from '../model/durations.ts';
import { foundDomainsStream, hostsStream, namesStream } from '../model/stream-names.ts';
import { type FreeSpace, waitForRoom } from '../store/free-space.ts';
import type { LeaseStore } from '../store/lease/lease-store.ts';
import type { NameStore } from '../store/name-store.ts';
import type { StreamStore } from '../store/stream-store.ts';
import { type HeldLease, type LeaseTimes, workExclusively } from './exclusive-work.ts';
import type { HealthReporter } from './health/health-reporter.ts';
import type { PartHealth } from './health/part-health.ts';
import { publishDiscoveries } from './publishing/publish-discoveries.ts';

export interface SourcesNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly sources: readonly NameSource[];
  readonly names: NameStore;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark' | 'pruneSegments'>;
  /** Only one worker reads a source at a time. */
  readonly leases: Pick<LeaseStore, 'acquireLease' | 'releaseLease'>;
  /** Instead of the usual times, for tests. */
  readonly leaseTimes?: LeaseTimes;
  readonly clock: Clock;
  /** How long names stay for the first search of a new monitor; for good by default. */
  readonly namesDays?: number;
  readonly health: Pick<HealthReporter, 'part'>;
  /** Error callback with the name of the source; polling is retried. */
  readonly onFailure: (error: unknown, source: string) => void;
}

/** Counters since the start, including those that a source keeps of its own. */
export interface SourceCounts {
  readonly batches: number;
  /** Names read, duplicates included. */
  readonly names: number;
  /** Domains that no source had reported before. */
  readonly newDomains: number;
  readonly failures: number;
  readonly [kind: string]: number;
}

export interface Sources {
  /** Sums over all sources, and domains published. */
  statistics(): SourceCounts & { readonly published: number };
  bySource(): Readonly<Record<string, SourceCounts>>;
  close(): Promise<void>;
}

const publishMs = 1000;
const pruneMs = hourMs;
/** A consumer may be down for a week. */
const retentionMs = weekMs;

/** Why a source that works has no figures here. */
const readByAnother = 'another worker reads it';

interface Repetition {
  readonly until?: AbortSignal;
  readonly onFailed?: (error: unknown) => void;
}

export function startSources(needs: SourcesNeeds): Sources {
  const { sources, names, streams, leases, clock, freeSpace, namesDays = 0 } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const intake = pausedIntake(openNameIntake({ names, streams, clock }), needs, signal);
  let published = 0;
  const again = (
    name: string,
    everyMs: number,
    work: () => Promise<unknown>,
    { until = signal, onFailed = () => undefined }: Repetition = {},
  ) =>
    repeat(work, {
      everyMs,
      signal: until,
      onFailure: (error) => {
        onFailed(error);
        needs.onFailure(error, name);
      },
    });
  const holder = randomUUID();
  const times = needs.leaseTimes && { times: needs.leaseTimes };

  const running = sources.map((source) => {
    const { name, everyMs } = source;
    const counts = { batches: 0, names: 0, newDomains: 0, failures: 0 };
    const part = needs.health.part({
      kind: 'source',
      name,
      unit: 'names',
      everyMs,
      off: readByAnother,
      backlog: () => source.statistics?.()['lag'],
    });
    const counting = countingIntake(intake, counts, part);
    const onFailed = (error: unknown) => {
      counts.failures += 1;
      part.fail(error);
    };
    const read = async (lease: HeldLease) => {
      const until = lease.signal;
      part.off = undefined;
      const fenced = fencedIntake(counting, lease);
      const poll = async () => {
        await source.poll(fenced, until);
        part.succeed();
      };
      await again(name, everyMs, poll, { until, onFailed });
      part.off = readByAnother;
    };
    const onFailure = (error: unknown) => needs.onFailure(error, name);
    const exclusive = { leases, clock, holder, signal, onFailure, ...times };
    const work = workExclusively(`source ${name}`, exclusive, read);
    return { source, counts, work };
  });
  const publish = async () => {
    published += await publishDiscoveries({ names, streams, clock }, signal);
  };
  const prune = async () => {
    const minuteBefore = (ageMs: number) => Math.floor((clock.now() - ageMs) / minuteMs);
    for (const stream of [foundDomainsStream, hostsStream])
      await streams.pruneSegments(stream, minuteBefore(retentionMs));
    if (namesDays > 0) await streams.pruneSegments(namesStream, minuteBefore(namesDays * dayMs));
  };
  const all = [
    ...running.map(({ work }) => work),
    again('publishing', publishMs, async () => (freeSpace?.hasRoom() === false ? undefined : publish())),
    again('pruning', pruneMs, prune),
  ];

  const bySource = () =>
    Object.fromEntries(
      running.map(({ source, counts }) => [source.name, { ...source.statistics?.(), ...counts }] as const),
    );
  return {
    bySource,
    statistics: () => {
      const sum: Record<string, number> = { batches: 0, names: 0, newDomains: 0, failures: 0 };
      for (const counts of Object.values(bySource())) {
        for (const [kind, count] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + count;
      }
      return { ...(sum as unknown as SourceCounts), published };
    },
    close: async () => {
      stopping.abort();
      await Promise.all(all);
    },
  };
}

/** A source that is being read waits with its next names; its checkpoint stays behind them. At shutdown what was read is still written. */
function pausedIntake(
  intake: NameIntake,
  { freeSpace }: Pick<SourcesNeeds, 'freeSpace'>,
  signal: AbortSignal,
): NameIntake {
  return {
    findCheckpoint: (source) => intake.findCheckpoint(source),
    async ingest(source, batch) {
      if (freeSpace) await waitForRoom(freeSpace, signal);
      return intake.ingest(source, batch);
    },
  };
}

/** Once another worker reads the source, what this one still writes is refused, and it stops. */
function fencedIntake(intake: NameIntake, { fence, guard }: HeldLease): NameIntake {
  return {
    findCheckpoint: (source) => intake.findCheckpoint(source),
    ingest: (source, batch) => guard(() => intake.ingest(source, { ...batch, fence })),
  };
}

function countingIntake(
  intake: NameIntake,
  counts: { batches: number; names: number; newDomains: number },
  part: PartHealth,
): NameIntake {
  return {
    findCheckpoint: (source) => intake.findCheckpoint(source),
    async ingest(source, batch) {
      const ingested = await intake.ingest(source, batch);
      counts.batches += 1;
      counts.names += batch.names.length;
      counts.newDomains += ingested.newDomains;
      part.succeed(batch.names.length);
      return ingested;
    },
  };
}
