/** To watch a domain or to ignore it: all that are named, or none. */
import type { Caller } from '../../model/account.ts';
import type { DomainState, WatchlistDomain, WatchlistId } from '../../model/detect/watchlist.ts';
import { Problem } from '../../model/problem.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { type LookNeeds, lookAtOnce } from './look-at-once.ts';

export interface TriageNeeds extends LookNeeds {
  readonly watchlist: Pick<WatchlistStore, 'triage'>;
}

export const triageStates = ['watched', 'ignored'] as const satisfies readonly DomainState[];
export type TriageState = (typeof triageStates)[number];

/** Does not say which, so that an id of somebody else is like one that nobody has. */
export function noSuchDomain(): Problem {
  return new Problem('not-found', 'A domain of this request is not on the watchlist.');
}

/** In the order asked for. */
export async function triage(
  { account, user }: Caller,
  ids: readonly WatchlistId[],
  state: TriageState,
  needs: TriageNeeds,
  nowMs: number,
): Promise<readonly WatchlistDomain[]> {
  const wanted = [...new Set(ids)];
  const outcome = await needs.watchlist.triage(account.id, wanted, state, {
    username: user.username,
    atMs: nowMs,
  });
  if ('unknownIds' in outcome) throw noSuchDomain();
  if (state === 'watched')
    await lookAtOnce(
      outcome.domains.map(({ domain }) => domain),
      needs,
      nowMs,
    );
  return outcome.domains;
}
