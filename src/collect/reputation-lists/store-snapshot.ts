/** Stores the entries of a list in batches. May fail at any point: domains leave a list only when its snapshot is completed. */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { ZerolistRules } from '../../model/risk/zerolist.ts';
import type { ListedDomain, ListSnapshot, RiskStore } from '../../store/risk-store.ts';
import type { ListEntry } from './list-entry.ts';
import { isBadLabel, listedName, type SkipReason } from './listed-name.ts';

export interface SnapshotNeeds {
  readonly risks: Pick<RiskStore, 'addListed' | 'findVerdicts'>;
  readonly zerolist: ZerolistRules;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Domains stored, and entries skipped, by reason. */
export type SnapshotCounts = { readonly [kind in 'domains' | SkipReason]: number };

interface Batch {
  readonly domains: Map<string, ListedDomain>;
  /** Those for which only page URLs are listed. */
  readonly pages: Set<string>;
}

/** Large batches cost the store a tenth of small ones, because each touches pages all over a large list. */
const batchDomains = 50_000;
const domainsMax = 20_000_000;

export async function storeSnapshot(
  snapshot: ListSnapshot,
  entries: AsyncIterable<readonly ListEntry[]>,
  needs: SnapshotNeeds,
): Promise<SnapshotCounts> {
  const counts = { domains: 0, invalid: 0, hosts: 0, shared: 0 };
  let batch: Batch = { domains: new Map(), pages: new Set() };
  let named = 0;
  const flush = async () => {
    const shared = await findShared(snapshot, batch, needs);
    counts.shared += shared.length;
    for (const domain of shared) batch.domains.delete(domain);
    counts.domains += batch.domains.size;
    if (counts.domains > domainsMax)
      throw new Problem('unavailable', `the list names more than ${domainsMax} domains`);
    if (batch.domains.size > 0) await needs.risks.addListed(snapshot, [...batch.domains.values()]);
    batch = { domains: new Map(), pages: new Set() };
  };
  const addEntry = ({ text, rank }: ListEntry) => {
    const name = listedName(text, snapshot.label);
    if (text !== '') named += 1;
    if (typeof name === 'string') counts[name] += 1;
    else add(batch, name, snapshot.label === 'popular' ? (rank ?? named) : undefined);
  };
  try {
    for await (const some of entries) {
      needs.signal.throwIfAborted();
      for (const entry of some) addEntry(entry);
      if (batch.domains.size >= batchDomains) await flush();
    }
  } catch (error) {
    // Entries before the failure are valid.
    if (!needs.signal.aborted) await flush();
    throw error;
  }
  await flush();
  return counts;
}

function add(
  { domains, pages }: Batch,
  { domain, isPage }: Extract<ReturnType<typeof listedName>, object>,
  rank: number | undefined,
): void {
  if (!isPage) pages.delete(domain);
  else if (!domains.has(domain)) pages.add(domain);
  const known = domains.get(domain);
  // A domain and its `www` host may both be ranked; the better rank counts.
  if (!known || (rank !== undefined && rank < (known.rank ?? rank)))
    domains.set(domain, rank === undefined ? { domain } : { domain, rank });
}

/** A malicious page on a popular or well-known site is the fault of one of its users, not of the domain. */
async function findShared(
  { label }: ListSnapshot,
  { pages }: Batch,
  { risks, zerolist, clock }: SnapshotNeeds,
): Promise<readonly string[]> {
  if (pages.size === 0 || !isBadLabel(label)) return [];
  const candidates = [...pages];
  const found = await risks.findVerdicts(candidates, clock.now());
  return candidates.filter(
    (domain, index) =>
      zerolist.wellKnown.has(domain) ||
      found[index]?.some(
        (verdict) => verdict.label === 'popular' && (verdict.rank ?? Infinity) <= zerolist.popularRankMax,
      ),
  );
}
