/** What suggestions of changes are drawn from, and a log of the answers to them. Every operation is scoped to one account. */
import type { DecidedDomain, NewSuggestionAnswer, SuggestionAnswer } from '../../model/detect/suggestion.ts';
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import type { Actor } from '../decision-store.ts';

export interface DecidedPage {
  readonly domains: readonly DecidedDomain[];
  /** Begins the next page; undefined after the last. */
  readonly next: string | undefined;
}

export interface SuggestionStore {
  /** Domains on the list of this state, the latest discovered first. `after` is that of the previous page. */
  listDecided(
    accountId: string,
    state: DecidedDomain['state'],
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<DecidedPage>;

  recordAnswer(accountId: string, answer: NewSuggestionAnswer, by: Actor): Promise<SuggestionAnswer>;

  findAnswer(accountId: string, id: WatchlistId): Promise<SuggestionAnswer | undefined>;

  /** Newest first. */
  listAnswers(accountId: string, limit: number): Promise<readonly SuggestionAnswer[]>;

  /** The answer as it is then; undefined if there is none of this id. One that was undone before stays as it is. */
  undoAnswer(accountId: string, id: WatchlistId, by: Actor): Promise<SuggestionAnswer | undefined>;
}
