/** Lets all sources of names work for as long as a server runs, each at its own pace, and tells what is new on the feed of discoveries. */
import type { Clock } from '../../model/clock.ts';
import { foundDomainsStream, hostsStream } from '../../model/stream-names.ts';
import type { NameStore } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { repeat } from '../discovery/repeat.ts';
import { openNameIntake } from './name-intake.ts';
import type { NameIntake, NameSource } from './source.ts';
import { tellDiscoveries } from './tell-discoveries.ts';

export interface SourcesNeeds {
  readonly sources: readonly NameSource[];
  readonly names: NameStore;
  readonly streams: Pick<StreamStore, 'append' | 'findMark' | 'prune'>;
  readonly clock: Clock;
  /** Hears of what went wrong, and with which source; it is tried again. */
  readonly onFailure: (error: unknown, source: string) => void;
}

/** Since the start. What a source tells of itself is there too. */
export interface SourceCounts {
  readonly batches: number;
  /** As they came. */
  readonly names: number;
  /** Domains that nobody had told of before. */
  readonly fresh: number;
  readonly failures: number;
  readonly [kind: string]: number;
}

export interface Sources {
  /** All sources together, and what was told. */
  statistics(): SourceCounts & { readonly told: number };
  bySource(): Readonly<Record<string, SourceCounts>>;
  close(): Promise<void>;
}

const tellMs = 1000;
const pruneMs = 3_600_000;
/** Long enough for whoever was stopped for a week. */
const keptMs = 7 * 86_400_000;

export function startSources(needs: SourcesNeeds): Sources {
  const { sources, names, streams, clock } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const intake = openNameIntake({ names, streams, clock });
  let told = 0;
  const again = (
    name: string,
    everyMs: number,
    work: () => Promise<unknown>,
    onFailed = () => undefined as void,
  ) =>
    repeat(work, {
      everyMs,
      signal,
      onFailure: (error) => {
        onFailed();
        needs.onFailure(error, name);
      },
    });

  const running = sources.map((source) => {
    const counts = { batches: 0, names: 0, fresh: 0, failures: 0 };
    const counting = countingIntake(intake, counts);
    const work = again(
      source.name,
      source.everyMs,
      () => source.advance(counting, signal),
      () => {
        counts.failures += 1;
      },
    );
    return { source, counts, work };
  });
  const tell = async () => {
    told += await tellDiscoveries({ names, streams, clock }, signal);
  };
  const prune = async () => {
    const beforeMinute = Math.floor((clock.now() - keptMs) / 60_000);
    for (const stream of [foundDomainsStream, hostsStream]) await streams.prune(stream, beforeMinute);
  };
  const all = [
    ...running.map(({ work }) => work),
    again('telling', tellMs, tell),
    again('pruning', pruneMs, prune),
  ];

  const bySource = () =>
    Object.fromEntries(
      running.map(({ source, counts }) => [source.name, { ...source.statistics?.(), ...counts }] as const),
    );
  return {
    bySource,
    statistics: () => {
      const sum: Record<string, number> = { batches: 0, names: 0, fresh: 0, failures: 0 };
      for (const counts of Object.values(bySource())) {
        for (const [kind, count] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + count;
      }
      return { ...(sum as unknown as SourceCounts), told };
    },
    close: async () => {
      stopping.abort();
      await Promise.all(all);
    },
  };
}

function countingIntake(
  intake: NameIntake,
  counts: { batches: number; names: number; fresh: number },
): NameIntake {
  return {
    findPlace: (source) => intake.findPlace(source),
    async take(source, batch) {
      const taken = await intake.take(source, batch);
      counts.batches += 1;
      counts.names += batch.names.length;
      counts.fresh += taken.fresh;
      return taken;
    },
  };
}
