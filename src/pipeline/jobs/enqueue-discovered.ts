/** Consumers of the feed of discovered domains: each domain gets a job to be collected, or scored. */
import { yieldToEventLoop } from '../../concurrency/event-loop-slices.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { JobStore } from '../../store/job-store.ts';
import { type ConsumeNeeds, consumeStream } from '../../store/stream/consume-stream.ts';
import { namesOfFeed } from '../discovery/names-of-feed.ts';

export interface EnqueueDiscoveredNeeds extends ConsumeNeeds {
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly onEnqueued?: (names: number) => void;
}

/** Parsed without yielding to the event loop. */
const sliceBytes = 1 << 16;
const newline = 10;

/** `busy`: another process holds the lease. Idempotent: a job exists once, however often its line is read. */
export function enqueueDiscovered(
  needs: EnqueueDiscoveredNeeds,
  kind: 'collect' | 'score' = 'collect',
): Promise<'done' | 'busy'> {
  const consumer = { stream: feedStream('domaindiscovery'), name: kind };
  return consumeStream(consumer, needs, async ({ bytes }) => {
    for (let from = 0; from < bytes.length; ) {
      const newlineAt = bytes.indexOf(newline, Math.min(from + sliceBytes, bytes.length - 1));
      const to = newlineAt < 0 ? bytes.length : newlineAt + 1;
      await enqueue(kind, namesIn(bytes.subarray(from, to)), needs);
      from = to;
      await yieldToEventLoop();
    }
  });
}

function namesIn(lines: Uint8Array): readonly string[] {
  const names = Buffer.from(namesOfFeed(lines)).toString('latin1').split('\n');
  return names.filter((name) => name !== '' && !name.startsWith('*'));
}

async function enqueue(
  kind: string,
  names: readonly string[],
  { jobs, clock, onEnqueued }: EnqueueDiscoveredNeeds,
): Promise<void> {
  if (names.length === 0) return;
  const dueMs = clock.now();
  await jobs.enqueue(names.map((subject) => ({ kind, subject, dueMs })));
  onEnqueued?.(names.length);
}
