/**
 * Follows the update log of records: updates the facts of listed domains, records their changes, and matches the names of records that came
 * without a feed.
 */
import { factsOf } from '../../model/detect/facts.ts';
import { isTrackedChange, trackedMembers } from '../../model/detect/tracked-members.ts';
import type { DomainStore, LoggedUpdate } from '../../store/domain-store.ts';
import type { RecordChange, WatchlistStore } from '../../store/watchlist-store.ts';
import { type DiscoveredCounts, type DiscoverNeeds, discoverIn } from './discover-names.ts';
import type { RecordDiscoveriesNeeds } from './record-discoveries.ts';

export interface FollowRecordsNeeds extends RecordDiscoveriesNeeds {
  readonly watchlist: RecordDiscoveriesNeeds['watchlist'] &
    Pick<WatchlistStore, 'applyRecordChanges' | 'recordChangesCheckpoint'>;
  readonly domains: RecordDiscoveriesNeeds['domains'] & Pick<DomainStore, 'listUpdates' | 'listChanges'>;
  readonly monitorSearch: DiscoverNeeds['monitorSearch'];
  readonly signal?: AbortSignal;
  readonly onFollowed?: (followed: Omit<DiscoveredCounts, 'names'> & { readonly updates: number }) => void;
}

const pageUpdates = 500;
/** A record has fewer members than this. */
const membersMax = 100;

/** Until the log is read to its end, or the signal. */
export async function followRecords(needs: FollowRecordsNeeds): Promise<void> {
  const { watchlist, domains, clock, factsMutex } = needs;
  while (!needs.signal?.aborted) {
    const from = await watchlist.recordChangesCheckpoint();
    const updates = await domains.listUpdates(from, pageUpdates);
    const last = updates.at(-1);
    if (!last) return;
    const newNames = updates.filter(({ fields }) => fields === undefined).map(({ domain }) => `${domain}\n`);
    const found = await discoverIn(new TextEncoder().encode(newNames.join('')), needs);
    await factsMutex.runExclusive(async () => {
      const changes = await recordChangesOf(updates, needs);
      // False where another process has applied them.
      await watchlist.applyRecordChanges(changes, { from, to: last.position }, clock.now());
    });
    needs.onFollowed?.({ updates: updates.length, ...found });
  }
}

/** One per listed domain, however often its record was written. */
async function recordChangesOf(
  updates: readonly LoggedUpdate[],
  { watchlist, domains }: FollowRecordsNeeds,
): Promise<readonly RecordChange[]> {
  const byName = Map.groupBy(updates, ({ domain }) => domain);
  const names = [...byName.keys()];
  const listed = await watchlist.findListedDomains(names);
  const wanted = names.filter((name) => listed.has(name));
  const records = await domains.findRecords(wanted);
  const changes: RecordChange[] = [];
  for (const [index, domain] of wanted.entries()) {
    const record = records[index];
    if (!record) continue;
    const changed = await changeIn(byName.get(domain) ?? [], domains);
    changes.push({ domain, facts: factsOf(record), changed });
  }
  return changes;
}

async function changeIn(
  updates: readonly LoggedUpdate[],
  domains: FollowRecordsNeeds['domains'],
): Promise<RecordChange['changed']> {
  const changed = new Set<string>();
  let atMs = 0;
  for (const update of updates) {
    if (!update.fields?.some((field) => trackedMembers.has(field))) continue;
    // The changes of one update have the same time; the page is newest first.
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
