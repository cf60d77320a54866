/**
 * Every record becomes stale, wherever it came from. A record that is new here gets one job for that time; from then on each collection enqueues
 * the next. The checkpoint is stored as a consumer offset, although the list of records is not a stream.
 */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import { minuteMs } from '../../model/durations.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { refreshMs } from './refresh-time.ts';

export interface EnqueueStaleNeeds {
  readonly domains: Pick<DomainStore, 'listNames'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly streams: Pick<StreamStore, 'findOffset' | 'leaseOffset' | 'commitOffset' | 'releaseOffset'>;
  readonly clock: Clock;
  readonly refreshDays: number;
  readonly signal?: AbortSignal;
}

const consumer = { stream: 'records', name: 'collect' } as const;
const pageNames = 500;
const leaseMs = minuteMs;

/** `busy`: there are more, and another process holds the lease. */
export async function enqueueStale(needs: EnqueueStaleNeeds): Promise<'done' | 'busy'> {
  const { streams, domains, jobs, clock } = needs;
  // Usual, and read by key: a lease is a write.
  const read = await streams.findOffset(consumer);
  if ((await domains.listNames(read?.offset ?? 0, 1)).names.length === 0) return 'done';
  const holder = randomUUID();
  try {
    for (;;) {
      const lease = await streams.leaseOffset(consumer, holder, clock.now(), clock.now() + leaseMs);
      if (!lease) return 'busy';
      const { names, position } = await domains.listNames(lease.offset ?? 0, pageNames);
      if (names.length === 0 || needs.signal?.aborted) return 'done';
      const nowMs = clock.now();
      const dueOf = (subject: string) => refreshMs(subject, nowMs, needs.refreshDays);
      await jobs.enqueue(names.map((subject) => ({ kind: 'collect', subject, dueMs: dueOf(subject) })));
      if (!(await streams.commitOffset(consumer, holder, position, nowMs))) return 'busy';
    }
  } finally {
    await streams.releaseOffset(consumer, holder);
  }
}
