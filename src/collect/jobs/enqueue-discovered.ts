/** Every domain that is discovered is looked at, and scored, as soon as its turn comes: stages behind the feed of discoveries. */
import { setImmediate as turn } from 'node:timers/promises';
import { feedStream } from '../../model/stream-names.ts';
import { type ConsumeNeeds, consumeStream } from '../../store/consume-stream.ts';
import type { JobStore } from '../../store/job-store.ts';
import { namesOfFeed } from '../discovery/names-of-feed.ts';

export interface DiscoveredNeeds extends ConsumeNeeds {
  readonly jobs: Pick<JobStore, 'enqueue'>;
  readonly onEnqueued?: (names: number) => void;
}

/** As many as are read out without a pause for others. */
const sliceBytes = 1 << 16;
const newline = 10;

/** `busy`: another process does it. A job is there once, however often the same line comes. */
export function enqueueDiscovered(
  needs: DiscoveredNeeds,
  kind: 'collect' | 'score' = 'collect',
): Promise<'done' | 'busy'> {
  const reader = { stream: feedStream('domaindiscovery'), name: kind };
  return consumeStream(reader, needs, async ({ bytes }) => {
    for (let from = 0; from < bytes.length; ) {
      const newlineAt = bytes.indexOf(newline, Math.min(from + sliceBytes, bytes.length - 1));
      const to = newlineAt < 0 ? bytes.length : newlineAt + 1;
      await enqueue(kind, namesIn(bytes.subarray(from, to)), needs);
      from = to;
      await turn();
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
  { jobs, clock, onEnqueued }: DiscoveredNeeds,
): Promise<void> {
  if (names.length === 0) return;
  const dueMs = clock.now();
  await jobs.enqueue(names.map((subject) => ({ kind, subject, dueMs })));
  onEnqueued?.(names.length);
}
