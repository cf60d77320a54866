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

/** Enough to see what went wrong; a request may name a thousand ids. */
const idsNamedMax = 20;
const idCharactersMax = 40;

/** An id of another account and one that never existed are answered alike. */
export function noSuchDomains(ids: readonly WatchlistId[]): Problem {
  const named = ids.slice(0, idsNamedMax).map(quoted).join(', ');
  const more = ids.length > idsNamedMax ? ` and ${ids.length - idsNamedMax} more` : '';
  const nothing = 'Nothing was changed.';
  return new Problem('not-found', `No domain on the watchlist has the id ${named}${more}. ${nothing}`);
}

function quoted(id: WatchlistId): string {
  const text = id.length > idCharactersMax ? `${id.slice(0, idCharactersMax)}…` : id;
  return /^[A-Za-z0-9]+$/.test(text) ? text : JSON.stringify(text.toWellFormed());
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
  if ('unknownIds' in outcome) throw noSuchDomains(outcome.unknownIds);
  if (state === 'watched')
    await enqueueNow(
      outcome.domains.map(({ domain }) => domain),
      needs,
      nowMs,
    );
  return outcome.domains;
}
