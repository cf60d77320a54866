/** Finds domains of the watchlist: by id, by name, or by a filter. */
import { type NameglassClient, NameglassError, type Query } from '../../../client/nameglass-client.ts';
import type { DomainState } from '../../../model/detect/watchlist.ts';
import { hostIn } from '../given-names.ts';
import { exitCodes, RemoteFailure } from '../remote-failure.ts';
import type { RiskBounds } from './risk-bounds.ts';
import type { WatchlistDomain } from './watchlist-domain.ts';

export interface DomainFilter {
  readonly states: readonly DomainState[];
  readonly risk?: RiskBounds | undefined;
  readonly query: Query;
}

export async function* matchingDomains(
  client: NameglassClient,
  { states, risk, query }: DomainFilter,
): AsyncGenerator<WatchlistDomain> {
  const ranges = risk ? { 'risk_score_ranges[]': risk.ranges } : {};
  for (const state of states) {
    const path = `/v1/intel-detect/watchlist/${state}/`;
    for await (const domain of client.pages<WatchlistDomain>(path, { query: { ...query, ...ranges } })) {
      if (!risk || (domain.risk_score !== null && risk.includes(domain.risk_score))) yield domain;
    }
  }
}

/** A name has a dot, an id has none. */
const idForm = /^[A-Za-z0-9_-]+$/;

/** Throws with all that are not on the watchlist. */
export async function getDomains(
  client: NameglassClient,
  given: AsyncIterable<string>,
  more: Query = {},
): Promise<readonly WatchlistDomain[]> {
  const found: WatchlistDomain[] = [];
  const missing: string[] = [];
  for await (const text of given) {
    const domain = await findDomain(client, text, more);
    if (domain) found.push(domain);
    else missing.push(text);
  }
  if (missing.length > 0)
    throw new RemoteFailure(`not on the watchlist: ${missing.join(', ')}`, exitCodes.notFound);
  return found;
}

async function findDomain(
  client: NameglassClient,
  text: string,
  more: Query,
): Promise<WatchlistDomain | undefined> {
  const query = { ...more, ...(idForm.test(text) ? { id: text } : { domain: hostIn(text) }) };
  try {
    const path = '/v1/intel-detect/domain/';
    return (await client.json<{ watchlist_domain: WatchlistDomain }>(path, { query })).watchlist_domain;
  } catch (error) {
    if (error instanceof NameglassError && error.code === 'not-found') return undefined;
    throw error;
  }
}
