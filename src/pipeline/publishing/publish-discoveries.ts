/**
 * Publishes new domains on the feed of discovered domains. The producer mark is the number of the batch and moves in one transaction with its
 * lines: exactly-once append, also with several processes and after a crash.
 */

import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { Clock } from '../../model/clock.ts';
import { lineOf } from '../../model/feed/record-line.ts';
import { secondText } from '../../model/feed/second.ts';
import { feedStream } from '../../model/stream-names.ts';
import type { NameStore, NewDomain } from '../../store/name-store.ts';
import type { StreamStore } from '../../store/stream-store.ts';

export interface PublishDiscoveriesNeeds {
  readonly names: Pick<NameStore, 'findUnpublished' | 'markPublished' | 'statistics'>;
  readonly streams: Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly clock: Clock;
}

const producer = 'discoveries';
const domainsPerCheck = 64;

/** Resolves when everything that is unpublished now has been published, by any process, or with the signal; to how many this process published. */
export async function publishDiscoveries(
  { names, streams, clock }: PublishDiscoveriesNeeds,
  signal?: AbortSignal,
): Promise<number> {
  let published = 0;
  // Only what waits now: new domains may come in faster than this ends.
  let { unpublished: left } = await names.statistics();
  while (left > 0) {
    const unpublished = signal?.aborted ? undefined : await names.findUnpublished();
    if (!unpublished) break;
    const { batch, domains } = unpublished;
    const mark = await streams.findProducerMark(producer);
    if (mark === undefined || Number(mark) < batch) {
      const nowMs = clock.now();
      const lines = { stream: feedStream('domaindiscovery'), bytes: await linesOf(domains, nowMs) };
      // Another process was faster; the mark says what is left.
      if (!(await streams.append([lines], nowMs, { producer, from: mark, to: String(batch) }))) continue;
      published += domains.length;
    }
    await names.markPublished(batch);
    left -= domains.length;
  }
  return published;
}

/** Lines carry the time of publication, as in all feeds, because clients resume from a time. */
async function linesOf(domains: readonly NewDomain[], nowMs: number): Promise<Uint8Array> {
  const timestamp = secondText(Math.floor(nowMs / 1000));
  const slice = new TimeSlice();
  const lines: string[] = [];
  for (const { domain } of domains) {
    if (lines.length % domainsPerCheck === 0) await slice.yieldIfOver();
    lines.push(lineOf('domaindiscovery', { timestamp, domain }));
  }
  return Buffer.from(lines.join(''));
}
