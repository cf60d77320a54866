/** Domains on the watchlist of an account, as if a monitor had just found them. */
import type { DomainFacts, DomainState } from '../../src/model/detect/watchlist.ts';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';

export const facts: DomainFacts = {
  active: true,
  mxExists: false,
  nameServers: [],
  riskScore: undefined,
  riskStatus: undefined,
  riskComponents: undefined,
};

const reason = { class: 'exact', steps: [], name: '', from: 0, to: 0, text: '', distance: 0 } as const;

/** Gives the id of a new monitor, with the term `acme` unless told otherwise. */
export async function watchTerm(
  watchlist: WatchlistStore,
  accountId: string,
  atMs: number,
  term = 'acme',
): Promise<string> {
  const settings = { term, matchSubstringVariations: false, nameserverExclusions: [], textExclusions: [] };
  return (await watchlist.createMonitor(accountId, settings, { username: 'alice', atMs })).id;
}

/** Gives the ids of the domains by name. */
export async function discover(
  watchlist: WatchlistStore,
  accountId: string,
  monitorId: string,
  domains: readonly string[],
  atMs: number,
): Promise<ReadonlyMap<string, string>> {
  await watchlist.discover(
    domains.map((domain) => ({
      accountId,
      domain,
      tld: domain.split('.').at(-1) as string,
      discoveredMs: atMs,
      matches: [{ monitorId, reason: { ...reason, name: domain } }],
      facts: undefined,
    })),
  );
  return idsOf(watchlist, accountId, 'new');
}

export async function idsOf(
  watchlist: WatchlistStore,
  accountId: string,
  state: DomainState,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let offset = 0; ; offset += 1000) {
    const query = { state, sort: [], descending: false, offset, limit: 1000 };
    const page = await watchlist.listDomains(accountId, query);
    if (page === 'unknown-monitor') throw new Error(page);
    for (const { domain, id } of page.domains) ids.set(domain, id);
    if (page.domains.length < 1000) return ids;
  }
}
