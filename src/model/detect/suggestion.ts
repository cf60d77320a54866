/** Suggested changes of monitors, drawn from what a team has decided, and what people answered. */
import type { MatchClass } from '../lookalike/match.ts';
import type { WatchlistId } from './watchlist.ts';

export const suggestedChangeKinds = [
  'exclude-name-servers',
  'exclude-text',
  'no-substring-variations',
] as const;

export interface SuggestedChange {
  readonly monitorId: WatchlistId;
  readonly kind: (typeof suggestedChangeKinds)[number];
  /** The exclusion; empty where there is none. */
  readonly value: string;
}

/** How the domains that something holds for were decided. Those that nobody decided about do not count. */
export interface DecidedCount {
  /** Watched, those that are escalated included. */
  readonly kept: number;
  readonly escalated: number;
  readonly ignored: number;
}

/** A domain that somebody decided about, with what is learned from. */
export interface DecidedDomain {
  /** Punycode. */
  readonly domain: string;
  readonly state: 'watched' | 'ignored';
  readonly isEscalated: boolean;
  readonly nameServers: readonly string[];
  /** Empty if unknown. */
  readonly registrar: string;
  /** The monitors that report it, and why. */
  readonly matches: readonly { readonly monitorId: WatchlistId; readonly class: MatchClass }[];
}

export type SuggestionOutcome = 'accepted' | 'dismissed';

export interface NewSuggestionAnswer extends SuggestedChange {
  /** Of the suggestion: the same change has the same id each time it is suggested. */
  readonly suggestionId: string;
  readonly outcome: SuggestionOutcome;
  /** What the suggestion was drawn from. */
  readonly ignored: number;
  readonly kept: number;
}

export interface SuggestionAnswer extends NewSuggestionAnswer {
  readonly id: WatchlistId;
  readonly by: string;
  readonly atMs: number;
  readonly undone: { readonly by: string; readonly atMs: number } | undefined;
}
