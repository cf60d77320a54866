/** What a list names into the store, in batches. It may break off anywhere: nothing is taken off a list before its reading has ended. */
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { ListedDomain, Reading, RiskStore } from '../../store/risk-store.ts';
import type { ListEntry } from './list-entry.ts';
import { isBadLabel, listedName, type PassedOver } from './listed-name.ts';

export interface ReadingNeeds {
  readonly risks: Pick<RiskStore, 'takeListed' | 'findVerdicts'>;
  readonly settings: { readonly popularRankMax: number };
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Domains that were taken, and what was passed over, by why. */
export type ReadingCounts = { readonly [kind in 'domains' | PassedOver]: number };

interface Batch {
  readonly domains: Map<string, ListedDomain>;
  /** Of them, those that only pages speak for. */
  readonly pages: Set<string>;
}

/** Together they cost the store a tenth of what they would in small batches: each touches pages all over a great list. */
const batchDomains = 50_000;
const domainsMax = 20_000_000;

export async function takeReading(
  reading: Reading,
  entries: AsyncIterable<readonly ListEntry[]>,
  needs: ReadingNeeds,
): Promise<ReadingCounts> {
  const counts = { domains: 0, invalid: 0, hosts: 0, shared: 0 };
  let batch: Batch = { domains: new Map(), pages: new Set() };
  let named = 0;
  const flush = async () => {
    const shared = await findShared(reading, batch, needs);
    counts.shared += shared.length;
    for (const domain of shared) batch.domains.delete(domain);
    counts.domains += batch.domains.size;
    if (counts.domains > domainsMax)
      throw new Problem('unavailable', `the list names more than ${domainsMax} domains`);
    if (batch.domains.size > 0) await needs.risks.takeListed(reading, [...batch.domains.values()]);
    batch = { domains: new Map(), pages: new Set() };
  };
  const take = ({ text, rank }: ListEntry) => {
    const name = listedName(text, reading.label);
    if (text !== '') named += 1;
    if (typeof name === 'string') counts[name] += 1;
    else add(batch, name, reading.label === 'popular' ? (rank ?? named) : undefined);
  };
  try {
    for await (const some of entries) {
      needs.signal.throwIfAborted();
      for (const entry of some) take(entry);
      if (batch.domains.size >= batchDomains) await flush();
    }
  } catch (error) {
    // What was named before a list broke off is named.
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
  // A domain and its host `www` have ranks of their own, and the better one counts.
  if (!known || (rank !== undefined && rank < (known.rank ?? rank)))
    domains.set(domain, rank === undefined ? { domain } : { domain, rank });
}

/** A bad page of a site that many use is the doing of one of its users. */
async function findShared(
  { label }: Reading,
  { pages }: Batch,
  { risks, settings, clock }: ReadingNeeds,
): Promise<readonly string[]> {
  if (pages.size === 0 || !isBadLabel(label)) return [];
  const asked = [...pages];
  const found = await risks.findVerdicts(asked, clock.now());
  return asked.filter((_, index) =>
    found[index]?.some(
      (verdict) => verdict.label === 'popular' && (verdict.rank ?? Infinity) <= settings.popularRankMax,
    ),
  );
}
