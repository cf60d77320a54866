/**
 * Takes names from a feed: each becomes a known name, once, and is matched for all monitors. In this order: a monitor that is
 * made too late for the matching finds the name among the known ones.
 */
import { countLines } from '../../model/count-lines.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { feedStream, hostsStream, namesStream } from '../../model/stream-names.ts';
import { type ConsumeNeeds, consumeStream, type Delivery } from '../../store/consume-stream.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { NameSearcher } from './name-searcher.ts';
import { FoundDomains, type ListNeeds } from './put-on-lists.ts';
import type { StandingSearch } from './standing-search.ts';

/** `hosts`: what sources of names see below domains, which is no feed of its own. */
export type NameFeed = Extract<FeedName, 'domaindiscovery' | 'noh'> | 'hosts';
export const nameFeeds: readonly NameFeed[] = ['domaindiscovery', 'noh', 'hosts'];

export interface DiscoverNeeds extends ConsumeNeeds, ListNeeds {
  readonly streams: ConsumeNeeds['streams'] & Pick<StreamStore, 'append' | 'findMark'>;
  readonly searcher: Pick<NameSearcher, 'namesOfFeed'>;
  readonly standing: Pick<StandingSearch, 'use'>;
  /** What became of names since the last call. */
  readonly onTaken?: (taken: TakenCounts) => void;
}

export interface TakenCounts {
  readonly names: number;
  /** Domains that a monitor matched, for each account. */
  readonly matches: number;
  readonly discovered: number;
}

const dayMs = 86_400_000;

export function readerOf(feed: NameFeed) {
  return { stream: feed === 'hosts' ? hostsStream : feedStream(feed), name: 'discovery' } as const;
}

/** `busy`: another process does it. */
export function discoverNames(feed: NameFeed, needs: DiscoverNeeds): Promise<'done' | 'busy'> {
  return consumeStream(readerOf(feed), needs, async (delivery) => {
    const lines = await needs.searcher.namesOfFeed(delivery.bytes);
    await makeKnown(feed, delivery, lines, needs);
    const found = await discoverIn(lines, needs);
    needs.onTaken?.({ names: countLines(lines), ...found });
  });
}

export async function discoverIn(
  lines: Uint8Array,
  needs: ListNeeds & Pick<DiscoverNeeds, 'standing'>,
): Promise<Pick<TakenCounts, 'matches' | 'discovered'>> {
  if (lines.length === 0) return { matches: 0, discovered: 0 };
  return needs.standing.use(async (search) => {
    const all = new FoundDomains(needs);
    for await (const found of search?.find(lines) ?? []) await all.take(found);
    await all.finish();
    const { matches, discovered } = all;
    return { matches, discovered };
  });
}

/** What an earlier attempt has appended is not appended again. */
async function makeKnown(
  feed: NameFeed,
  { bytes, from, to }: Delivery,
  lines: Uint8Array,
  { streams, searcher, clock }: DiscoverNeeds,
): Promise<void> {
  const writer = `${namesStream}:${feed}`;
  for (;;) {
    const mark = await streams.findMark(writer);
    const known = Number(mark ?? 0);
    if (known >= to) return;
    const fresh = known <= from ? lines : await searcher.namesOfFeed(bytes.subarray(known - from));
    if (fresh.length === 0) return;
    const move = { writer, from: mark, to: String(to) };
    const nowMs = clock.now();
    // As if at the beginning of the day: what is never pruned should not lie in a file for every minute.
    const dayStartMs = nowMs - (nowMs % dayMs);
    if (await streams.append([{ stream: namesStream, bytes: fresh }], dayStartMs, move)) return;
  }
}
