/**
 * Every record becomes stale, wherever it came from. A record that is new here gets one job for that time; from then on each collection enqueues
 * the next. The checkpoint is a producer mark, although nothing is appended: it moves only if no other process has moved it.
 */
import type { Clock } from '../../model/clock.ts';
import type { DomainStore } from '../../store/domain-store.ts';
import type { JobStore } from '../../store/job-store.ts';
import { logStart } from '../../store/paging/log-position.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import { refreshMs } from './refresh-time.ts';

export interface EnqueueStaleNeeds {
  readonly domains: Pick<DomainStore, 'listNames'>;
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly streams: Pick<StreamStore, 'findOffset' | 'findProducerMark' | 'append'>;
  readonly clock: Clock;
  readonly refreshDays: number;
  readonly signal?: AbortSignal;
}

const producer = 'stale-records';
/** Where version 0.1.0 kept the checkpoint. */
const formerConsumer = { stream: 'records', name: 'collect' } as const;
const pageNames = 500;

/** `busy`: there are more, and another process is at them. */
export async function enqueueStale(needs: EnqueueStaleNeeds): Promise<'done' | 'busy'> {
  const { streams, domains, jobs, clock } = needs;
  while (!needs.signal?.aborted) {
    const mark = await streams.findProducerMark(producer);
    const { names, position } = await domains.listNames(mark ?? (await formerCheckpoint(needs)), pageNames);
    if (names.length === 0) return 'done';
    const nowMs = clock.now();
    const dueOf = (subject: string) => refreshMs(subject, nowMs, needs.refreshDays);
    await jobs.enqueue(names.map((subject) => ({ kind: 'collect', subject, dueMs: dueOf(subject) })));
    if (!(await streams.append([], nowMs, { producer, from: mark, to: position }))) return 'busy';
  }
  return 'done';
}

async function formerCheckpoint({ streams }: EnqueueStaleNeeds): Promise<string> {
  const read = await streams.findOffset(formerConsumer);
  return read ? String(read.offset) : logStart;
}
