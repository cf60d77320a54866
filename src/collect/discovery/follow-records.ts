/**
 * Follows what is written about domains: facts for every list that a domain is on, changes for those who watch it, and names of
 * records that came without a feed.
 */
import { factsOf } from '../../model/detect/facts.ts';
import { isTrackedChange, trackedMembers } from '../../model/detect/tracked-members.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { DomainNews, WatchlistStore } from '../../store/watchlist-store.ts';
import { type DiscoverNeeds, discoverIn, type TakenCounts } from './discover-names.ts';
import type { ListNeeds } from './put-on-lists.ts';

export interface FollowNeeds extends ListNeeds {
  readonly watchlist: ListNeeds['watchlist'] & Pick<WatchlistStore, 'takeNews' | 'newsPlace'>;
  readonly domains: ListNeeds['domains'] & Pick<DomainStore, 'listUpdates' | 'listChanges'>;
  readonly standing: DiscoverNeeds['standing'];
  readonly signal?: AbortSignal;
  readonly onFollowed?: (followed: Omit<TakenCounts, 'names'> & { readonly updates: number }) => void;
}

const pageUpdates = 500;
/** A record has fewer members than this. */
const membersMax = 100;

/** Until nothing is left, or it is told to stop. */
export async function followRecords(needs: FollowNeeds): Promise<void> {
  const { watchlist, domains, clock, factTurns } = needs;
  while (!needs.signal?.aborted) {
    const from = await watchlist.newsPlace();
    const updates = await domains.listUpdates(from, pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const newNames = updates.filter(({ fields }) => fields === undefined).map(({ domain }) => `${domain}\n`);
    const found = await discoverIn(new TextEncoder().encode(newNames.join('')), needs);
    await factTurns.take(async () => {
      const news = await newsOf(updates, needs);
      // Where it answers false, another process has taken them.
      await watchlist.takeNews(news, { from, to: last.id }, clock.now());
    });
    needs.onFollowed?.({ updates: updates.length, ...found });
  }
}

/** One for each domain that is on a list, however often its record was written. */
async function newsOf(
  updates: readonly LoggedUpdate[],
  { watchlist, domains }: FollowNeeds,
): Promise<readonly DomainNews[]> {
  const names = [...new Set(updates.map(({ domain }) => domain))];
  const listed = await watchlist.findListed(names);
  const wanted = names.filter((name) => listed.has(name));
  const records = await domains.findRecords(wanted);
  const news: DomainNews[] = [];
  for (const [index, domain] of wanted.entries()) {
    const record = records[index];
    if (!record) continue;
    const own = listed.get(domain)?.watched ? updates.filter((update) => update.domain === domain) : [];
    news.push({ domain, facts: factsOf(record), changed: await changeIn(own, domains) });
  }
  return news;
}

async function changeIn(
  updates: readonly LoggedUpdate[],
  domains: FollowNeeds['domains'],
): Promise<DomainNews['changed']> {
  const changed = new Set<string>();
  let atMs = 0;
  for (const update of updates) {
    if (!update.fields?.some((field) => trackedMembers.has(field))) continue;
    // Of the same moment; the page is newest first.
    const page = { beforeMs: update.atMs + 1, limit: membersMax };
    for (const { field, before, after, atMs: changeMs } of await domains.listChanges(update.domain, page)) {
      if (changeMs !== update.atMs || !update.fields.includes(field)) continue;
      if (!isTrackedChange(field, before, after)) continue;
      changed.add(field);
      atMs = Math.max(atMs, changeMs);
    }
  }
  return changed.size === 0 ? undefined : { atMs, fields: [...changed].sort() };
}
