/**
 * Consumes the names of a feed: each is appended once to the stream of known names, then matched for all monitors. In this order, so that a
 * monitor created too late for the matching finds the name among the known ones.
 */

import { countLines } from '../../model/count-lines.ts';
import { dayMs } from '../../model/durations.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { feedStream, hostsStream, namesStream } from '../../model/stream-names.ts';
import { type ConsumeNeeds, consumeStream, type Delivery } from '../../store/stream/consume-stream.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { ActiveMonitorSearch } from './active-monitor-search.ts';
import { DiscoveryRecorder, type RecordDiscoveriesNeeds } from './record-discoveries.ts';
import type { ThreadedNameSearch } from './threaded-name-search.ts';

/** `hosts`: host names seen by sources of names, an internal stream and not a feed. */
export type NameFeed = Extract<FeedName, 'domaindiscovery' | 'noh'> | 'hosts';
export const nameFeeds: readonly NameFeed[] = ['domaindiscovery', 'noh', 'hosts'];

export interface DiscoverNeeds extends ConsumeNeeds, RecordDiscoveriesNeeds {
  readonly streams: ConsumeNeeds['streams'] & Pick<StreamStore, 'append' | 'findProducerMark'>;
  readonly searcher: Pick<ThreadedNameSearch, 'namesOfFeed'>;
  readonly monitorSearch: Pick<ActiveMonitorSearch, 'use'>;
  /** Counts since the last call. */
  readonly onDiscovered?: (counts: DiscoveredCounts) => void;
}

export interface DiscoveredCounts {
  readonly names: number;
  /** Matched domains, counted per account. */
  readonly matches: number;
  readonly discovered: number;
}

export function consumerOf(feed: NameFeed) {
  return { stream: feed === 'hosts' ? hostsStream : feedStream(feed), name: 'discovery' } as const;
}

/** `busy`: another process holds the lease. */
export function discoverNames(feed: NameFeed, needs: DiscoverNeeds): Promise<'done' | 'busy'> {
  return consumeStream(consumerOf(feed), needs, async (delivery) => {
    const lines = await needs.searcher.namesOfFeed(delivery.bytes);
    await appendKnown(feed, delivery, lines, needs);
    const found = await discoverIn(lines, needs);
    needs.onDiscovered?.({ names: countLines(lines), ...found });
  });
}

export async function discoverIn(
  lines: Uint8Array,
  needs: RecordDiscoveriesNeeds & Pick<DiscoverNeeds, 'monitorSearch'>,
): Promise<Pick<DiscoveredCounts, 'matches' | 'discovered'>> {
  if (lines.length === 0) return { matches: 0, discovered: 0 };
  return needs.monitorSearch.use(async (search) => {
    const recorder = new DiscoveryRecorder(needs);
    for await (const found of search?.find(lines) ?? []) await recorder.add(found);
    await recorder.finish();
    const { matches, discovered } = recorder;
    return { matches, discovered };
  });
}

/** Exactly-once append: what an earlier attempt appended is skipped. */
async function appendKnown(
  feed: NameFeed,
  { bytes, from, to }: Delivery,
  lines: Uint8Array,
  { streams, searcher, clock }: DiscoverNeeds,
): Promise<void> {
  const producer = `${namesStream}:${feed}`;
  for (;;) {
    const mark = await streams.findProducerMark(producer);
    const known = Number(mark ?? 0);
    if (known >= to) return;
    const fresh = known <= from ? lines : await searcher.namesOfFeed(bytes.subarray(known - from));
    if (fresh.length === 0) return;
    const move = { producer, from: mark, to: String(to) };
    const nowMs = clock.now();
    // Dated to the start of the day: the stream is never pruned, and would otherwise have a file per minute.
    const dayStartMs = nowMs - (nowMs % dayMs);
    if (await streams.append([{ stream: namesStream, bytes: fresh }], dayStartMs, move)) return;
  }
}
