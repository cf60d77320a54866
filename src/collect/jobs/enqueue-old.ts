/**
 * Every record grows old, wherever it came from. Each gets a job for that time once, when it is new here; from then on each look at the domain
 * leads to the next one. How far this has come is kept like the place of any later stage, though what is read is no stream.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { refreshMs } from './refresh-time.ts';

export interface OldNeeds {
  readonly domains: Pick<DomainStore, 'listNames'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly streams: Pick<StreamStore, 'holdPlace' | 'movePlace' | 'releasePlace'>;
  readonly clock: Clock;
  readonly refreshDays: number;
  readonly signal?: AbortSignal;
}

const reader = { stream: 'records', name: 'collect' } as const;
const pageNames = 500;
const holdMs = 60_000;

/** `busy`: another process does it. */
export async function enqueueOld(needs: OldNeeds): Promise<'done' | 'busy'> {
  const { streams, domains, jobs, clock } = needs;
  const holder = randomUUID();
  try {
    for (;;) {
      const held = await streams.holdPlace(reader, holder, clock.now(), clock.now() + holdMs);
      if (!held) return 'busy';
      const { names, place } = await domains.listNames(held.place ?? 0, pageNames);
      if (names.length === 0 || needs.signal?.aborted) return 'done';
      const nowMs = clock.now();
      const dueOf = (subject: string) => refreshMs(subject, nowMs, needs.refreshDays);
      await jobs.enqueue(names.map((subject) => ({ kind: 'collect', subject, dueMs: dueOf(subject) })));
      if (!(await streams.movePlace(reader, holder, place, nowMs))) return 'busy';
    }
  } finally {
    await streams.releasePlace(reader, holder);
  }
}
