/** Marks domains as watched or ignored, all of a request or none. */
import type { Caller } from '../../model/account/account.ts';
import type { DomainState, WatchlistDomain, WatchlistId } from '../../model/detect/watchlist.ts';
import { Problem } from '../../model/problem.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { type EnqueueNeeds, enqueueNow } from './enqueue-now.ts';

export interface TriageNeeds extends EnqueueNeeds {
  readonly watchlist: Pick<WatchlistStore, 'triageDomains'>;
}

export const triageStates = ['watched', 'ignored'] as const satisfies readonly DomainState[];
export type TriageState = (typeof triageStates)[number];

/** Does not say which, so that ids of other accounts cannot be probed for. */
export function noSuchDomain(): Problem {
  return new Problem('not-found', 'A domain of this request is not on the watchlist.');
}

/** In the order of the ids. */
export async function triage(
  { account, user }: Caller,
  { ids, state }: { readonly ids: readonly WatchlistId[]; readonly state: TriageState },
  needs: TriageNeeds,
  nowMs: number,
): Promise<readonly WatchlistDomain[]> {
  const wanted = [...new Set(ids)];
  const outcome = await needs.watchlist.triageDomains(account.id, wanted, state, {
    username: user.username,
    atMs: nowMs,
  });
  if ('unknownIds' in outcome) throw noSuchDomain();
  if (state === 'watched')
    await enqueueNow(
      outcome.domains.map(({ domain }) => domain),
      needs,
      nowMs,
    );
  return outcome.domains;
}
