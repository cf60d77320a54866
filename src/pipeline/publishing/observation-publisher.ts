/** Publishes newly observed RRsets while the server runs. */
import { repeat } from '../../concurrency/repeat.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import { type PublishedCounts, type PublishNeeds, publishObservations } from './publish-observations.ts';

export interface ObservationPublisherNeeds extends PublishNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  /** Error callback; publishing is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface ObservationPublisher {
  statistics(): PublishedCounts & { readonly failures: number };
  close(): Promise<void>;
}

const pollMs = 1000;

export function startObservationPublisher(needs: ObservationPublisherNeeds): ObservationPublisher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { rrsets: 0, lines: 0, domains: 0, hosts: 0, failures: 0 };
  const onPublished = ({ rrsets, lines, domains, hosts }: PublishedCounts) => {
    counts.rrsets += rrsets;
    counts.lines += lines;
    counts.domains += domains;
    counts.hosts += hosts;
  };

  const onFailure = (error: unknown) => {
    counts.failures += 1;
    needs.onFailure(error);
  };
  const publish = () => publishObservations(needs, { signal, onPublished });
  const isPaused = () => needs.freeSpace?.hasRoom() === false;
  const running = repeat(publish, { everyMs: pollMs, signal, onFailure, isPaused });

  return {
    statistics: () => ({ ...counts }),
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}
