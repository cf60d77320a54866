/**
 * Decisions about domains on watchlists: a log of all of them, made over the API or in the web UI, and their undoing. Every operation is scoped to one
 * account; an id of another account is treated as unknown. A decision about many domains is made in several transactions: after a crash
 * some of its domains are decided, each once, and the log has exactly those.
 */
import type { DecisionTarget, DomainState, WatchlistId } from '../model/detect/watchlist.ts';
import type { TriageFilter } from './triage-store.ts';

export interface Actor {
  readonly username: string;
  readonly atMs: number;
}

export interface NewDecision {
  readonly target: DecisionTarget;
  /** Shown with each domain that the decision changed. */
  readonly note?: string;
  /** Domains per transaction. */
  readonly pieceDomains: number;
}

export interface ChangedDomain {
  readonly id: WatchlistId;
  /** Punycode. */
  readonly domain: string;
  readonly from: DomainState;
  readonly to: DomainState;
}

/** `already`: nothing would change. `state`: in another state than the caller expected. */
export interface RefusedDomain {
  readonly id: WatchlistId;
  readonly why: 'unknown' | 'already' | 'state';
  readonly state?: DomainState;
  /** Who decided what it is now. */
  readonly assigned?: Actor;
}

export interface DecisionOutcome {
  /** Undefined where nothing changed: such a decision is not logged. */
  readonly decisionId: WatchlistId | undefined;
  readonly changed: readonly ChangedDomain[];
  readonly refused: readonly RefusedDomain[];
}

/** `submitted`, `submitting`: the external service has it, or may have it. `gone`: forgotten since. `decided`: as in a conflict. */
export interface KeptDomain {
  readonly id: WatchlistId;
  readonly why: 'submitted' | 'submitting' | 'decided';
}

/** A later decision about a domain, which must be undone first. */
export interface UndoConflict {
  readonly id: WatchlistId;
  /** Punycode. */
  readonly domain: string;
  readonly by: string;
  readonly atMs: number;
  readonly state: DomainState;
}

export type UndoOutcome =
  | {
      readonly outcome: 'undone';
      readonly changed: readonly ChangedDomain[];
      readonly kept: readonly KeptDomain[];
    }
  /** Nothing was changed. */
  | { readonly outcome: 'conflict'; readonly conflicts: readonly UndoConflict[] }
  | { readonly outcome: 'unknown' };

export interface LoggedDecision {
  readonly id: WatchlistId;
  readonly by: string;
  readonly atMs: number;
  readonly target: DecisionTarget;
  /** How many domains it changed, and the names of the first, in punycode. Those that were forgotten since do not count. */
  readonly domains: number;
  readonly firstNames: readonly string[];
  readonly undone: Actor | undefined;
  /** Whether something is left that undoing might change. */
  readonly canUndo: boolean;
}

/** A decision as seen from one of its domains. */
export interface DecisionOfDomain {
  readonly decisionId: WatchlistId;
  readonly by: string;
  readonly atMs: number;
  readonly from: DomainState;
  readonly target: DecisionTarget;
  /** Who undid it for this domain. */
  readonly undone: Actor | undefined;
}

export interface DecisionStore {
  /** `expected`: by id, the state that the caller has seen. */
  decideDomains(
    accountId: string,
    ids: readonly WatchlistId[],
    decision: NewDecision & { readonly expected?: Readonly<Record<string, string>> },
    by: Actor,
  ): Promise<DecisionOutcome>;

  /** All domains that match, if there are `count` of them. A domain that leaves the list meanwhile is refused. */
  decideMatching(
    accountId: string,
    filter: TriageFilter,
    decision: NewDecision & { readonly count: number },
    by: Actor,
  ): Promise<DecisionOutcome | { readonly matching: number } | 'unknown-monitor'>;

  /**
   * Puts every domain back into the state that it was in, assignment included, and withdraws the escalations that the decision made.
   * An escalation that an external service has, or may have, is kept with its domain. `skipConflicts`: domains about which somebody
   * decided since are kept; otherwise nothing is undone if there is one.
   */
  undoDecision(
    accountId: string,
    id: WatchlistId,
    options: { readonly skipConflicts: boolean; readonly pieceDomains: number },
    by: Actor,
  ): Promise<UndoOutcome>;

  findDecision(accountId: string, id: WatchlistId): Promise<LoggedDecision | undefined>;

  /** Newest first. The id of the last one of a page, as `beforeId`, begins the next page. */
  listDecisions(
    accountId: string,
    page: { readonly beforeId?: WatchlistId; readonly by?: string; readonly limit: number },
  ): Promise<readonly LoggedDecision[]>;

  /** Newest first. */
  listDecisionsOf(
    accountId: string,
    domainId: WatchlistId,
    limit: number,
  ): Promise<readonly DecisionOfDomain[]>;
}
