/** Publishes newly observed RRsets while the server runs. */
import { inFlow } from '../../concurrency/event-loop-slices.ts';
import { repeat } from '../../concurrency/repeat.ts';
import { minuteMs } from '../../model/durations.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { UnpublishedBatch } from '../../store/rrset-store.ts';
import { type PublishedCounts, type PublishNeeds, publishObservations } from './publish-observations.ts';

export interface ObservationPublisherNeeds extends PublishNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  /** Error callback; publishing is retried. */
  readonly onFailure: (error: unknown) => void;
  /** What was seen of domains before they were found; done while nothing is to be published. */
  readonly readPast?: (signal: AbortSignal) => Promise<void>;
}

export interface ObservationPublisher {
  /** `waiting`: RRsets still to be published, without those that came since the current batch began. */
  statistics(): PublishedCounts & { readonly waiting: number; readonly failures: number };
  /** Whether this process has published for a while without catching up. */
  isBehind(): boolean;
  close(): Promise<void>;
}

const pollMs = 1000;
/** How long it has published without a break; and how long ago the last of that may be. */
const behindMs = 5000;
/** Its time slices are its own, so that other background work does not delay it. */
const flow = 'publishing';
/** After a failure: what is damaged stays so for a while. */
const pastRetryMs = minuteMs;

export function startObservationPublisher(needs: ObservationPublisherNeeds): ObservationPublisher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { rrsets: 0, lines: 0, domains: 0, hosts: 0, waiting: 0, failures: 0 };
  /** By this process, on the clock of `performance.now()`: since it last had nothing to publish, and the last time. */
  let publishingMs: { readonly since: number; readonly last: number } | undefined;
  const onPublished = ({ rrsets, lines, domains, hosts }: PublishedCounts) => {
    counts.rrsets += rrsets;
    counts.lines += lines;
    counts.domains += domains;
    counts.hosts += hosts;
    counts.waiting = Math.max(0, counts.waiting - rrsets);
    const last = performance.now();
    publishingMs = { since: publishingMs?.since ?? last, last };
  };

  const onBatch = ({ rrsetsInAll }: UnpublishedBatch) => {
    counts.waiting = rrsetsInAll;
  };
  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  let pastAgainMs = 0;
  const publish = async () => {
    try {
      await publishObservations(needs, { signal, onBatch, onPublished });
      counts.waiting = 0;
    } finally {
      publishingMs = undefined;
    }
    if (needs.clock.now() < pastAgainMs && pastAgainMs <= needs.clock.now() + pastRetryMs) return;
    try {
      await needs.readPast?.(signal);
    } catch (error) {
      pastAgainMs = needs.clock.now() + pastRetryMs;
      throw error;
    }
  };
  const isPaused = () => needs.freeSpace?.hasRoom() === false;
  const running = inFlow(flow, () => repeat(publish, { everyMs: pollMs, signal, onFailure, isPaused }));

  return {
    statistics: () => ({ ...counts }),
    isBehind: () => {
      if (!publishingMs) return false;
      const { since, last } = publishingMs;
      return last - since > behindMs && performance.now() - last < behindMs;
    },
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}
