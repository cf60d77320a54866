/** What follows from a sighting besides the counts: the hotlist is updated at once, instead of with the next check of the domain. */
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { JobStore } from '../../store/job-store.ts';
import { hotlistKind } from '../scoring/hotlist.ts';
import type { BatchSightingNeeds } from './batch-sightings.ts';

export interface SightingConsumer extends BatchSightingNeeds {
  onSighted(domains: readonly string[]): Promise<void>;
}

interface SightingConsumerNeeds extends BatchSightingNeeds {
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'risk'>;
}

/** Beyond it some domains are checked more often than they need to be. */
const checkedMax = 10_000;

export function sightingConsumer({
  sightings,
  jobs,
  clock,
  settings,
}: SightingConsumerNeeds): SightingConsumer {
  const checkedMs = new Map<string, number>();
  return {
    sightings,
    async onSighted(domains) {
      const nowMs = clock.now();
      const everyMs = settings.risk.hotlistCheckMinutes * minuteMs;
      const due = domains.filter((domain) => {
        const sinceMs = nowMs - (checkedMs.get(domain) ?? Number.NEGATIVE_INFINITY);
        return sinceMs >= everyMs || sinceMs < 0;
      });
      if (due.length === 0) return;
      if (checkedMs.size + due.length > checkedMax) checkedMs.clear();
      for (const domain of due.slice(0, checkedMax)) checkedMs.set(domain, nowMs);
      await jobs.enqueue(due.map((subject) => ({ kind: hotlistKind, subject, dueMs: nowMs })));
    },
  };
}
