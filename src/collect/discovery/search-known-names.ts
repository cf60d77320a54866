/**
 * The first search for a monitor, over every name that is known. All monitors that wait for it are served by one walk. A walk that
 * is broken off begins anew, and what it found before stays found.
 */
import { randomUUID } from 'node:crypto';
import { countLines } from '../../model/count-lines.ts';
import type { NameSearch } from '../../model/detect/name-search.ts';
import { namesStream } from '../../model/stream-names.ts';
import type { StreamStore } from '../../store/stream-store.ts';
import type { ActiveMonitor, WatchlistStore } from '../../store/watchlist-store.ts';
import type { TakenCounts } from './discover-names.ts';
import { countKnownNames, type KnownNamesNeeds, scanKnownNames } from './known-names.ts';
import { FoundDomains, type ListNeeds } from './put-on-lists.ts';
import { searchPlan } from './search-plan.ts';

export interface SearchKnownNeeds extends ListNeeds, KnownNamesNeeds {
  readonly watchlist: ListNeeds['watchlist'] &
    Pick<WatchlistStore, 'listActiveMonitors' | 'listAllOwnDomains' | 'noteSearch'>;
  readonly domains: ListNeeds['domains'] & KnownNamesNeeds['domains'];
  readonly streams: KnownNamesNeeds['streams'] & Pick<StreamStore, 'holdPlace' | 'releasePlace'>;
  readonly search: NameSearch;
  readonly signal?: AbortSignal;
  /** How many monitors wait. */
  readonly onPending?: (monitors: number) => void;
  readonly onFound?: (found: Pick<TakenCounts, 'matches' | 'discovered'>) => void;
}

/** Only to spare others the same work: doing it twice does no harm. */
const searcher = { stream: namesStream, name: 'search' } as const;
const holdMs = 60_000;
/** Progress is told about twenty times, and less often where many wait for it. */
const toldTimes = 20;
const toldMonitors = 200;

/** Resolves when it has served those that waited when it began, or where another process does. */
export async function searchKnownNames(needs: SearchKnownNeeds): Promise<void> {
  const { watchlist, streams, clock } = needs;
  const { monitors } = await watchlist.listActiveMonitors();
  const pending = monitors.filter(({ monitor }) => monitor.status === 'pending');
  needs.onPending?.(pending.length);
  if (pending.length === 0) return;
  const holder = randomUUID();
  let heldUntilMs = 0;
  const hold = async () => {
    const nowMs = clock.now();
    if (nowMs < heldUntilMs - holdMs / 2) return true;
    heldUntilMs = nowMs + holdMs;
    return (await streams.holdPlace(searcher, holder, nowMs, heldUntilMs)) !== undefined;
  };
  if (!(await hold())) return;
  try {
    await walk(pending, needs, hold);
  } finally {
    await streams.releasePlace(searcher, holder);
  }
}

async function walk(
  pending: readonly ActiveMonitor[],
  needs: SearchKnownNeeds,
  hold: () => Promise<boolean>,
): Promise<void> {
  const { watchlist, signal } = needs;
  const ofNames = await countKnownNames(needs);
  const search = await needs.search.open(searchPlan(pending, await watchlist.listAllOwnDomains()));
  const all = new FoundDomains(needs);
  const tell = async (names: number, done: boolean) => {
    await all.finish();
    const progress = { names, ofNames: done ? names : Math.max(names, ofNames), done };
    for (const { accountId, monitor } of pending) {
      await watchlist.noteSearch(accountId, monitor.id, { ...progress, updatedMs: monitor.updatedMs });
    }
  };
  const toldNames = ofNames * Math.max(1 / toldTimes, pending.length / toldMonitors);
  let [names, told] = [0, 0];
  try {
    for await (const lines of scanKnownNames(needs)) {
      for await (const found of search.find(lines)) await all.take(found);
      names += countLines(lines);
      if (signal?.aborted || !(await hold())) return;
      if (names - told < toldNames) continue;
      await tell(names, false);
      told = names;
    }
    await tell(names, true);
  } finally {
    search.close();
    needs.onFound?.({ matches: all.matches, discovered: all.discovered });
  }
}
