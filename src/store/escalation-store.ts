/**
 * Escalated domains, the blocklists made of them, and the submission of escalations to external services. Every operation is scoped to
 * one account unless it says otherwise; an id of another account is treated as unknown.
 */
import type { BlocklistFormatName } from '../model/detect/blocklist/format.ts';
import type { Escalation, EscalationType, WatchlistId } from '../model/detect/watchlist.ts';

export type EscalationOutcome =
  | { readonly outcome: 'escalated'; readonly escalations: readonly Escalation[] }
  | EscalationObstacle;

/** Why a request was refused as a whole. */
export type EscalationObstacle =
  | { readonly outcome: 'unknown-ids'; readonly ids: readonly WatchlistId[] }
  | { readonly outcome: 'already-escalated'; readonly ids: readonly WatchlistId[] };

/** Final unless `waiting`; a waiting submission is due again at `nextMs`. */
export interface SubmissionOutcome {
  readonly status: 'waiting' | 'submitted' | 'failed';
  readonly error?: string;
  readonly nextMs?: number;
  readonly atMs: number;
}

/** The last time that a client fetched a blocklist. */
export interface BlocklistFetch {
  readonly selection: string;
  /** `transfer`: as a DNS zone; `misp`: the manifest of its MISP feed. */
  readonly format: BlocklistFormatName | 'transfer' | 'misp';
  readonly address: string;
  /** As the client names itself. */
  readonly agent: string;
  readonly atMs: number;
  /** The serial of what it got. */
  readonly version: number;
}

export interface EscalationStore {
  /** Records the escalations, in the order given, and sets the domains to watched; all or nothing. */
  escalateDomains(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
    by: { readonly username: string; readonly atMs: number },
  ): Promise<EscalationOutcome>;

  /** What `escalateDomains` would refuse the request for; undefined if it would succeed. */
  findEscalationObstacle(
    accountId: string,
    ids: readonly WatchlistId[],
    type: EscalationType,
  ): Promise<EscalationObstacle | undefined>;

  /** Newest first. The id of the last one of a page, as `beforeId`, begins the next page. */
  listEscalations(
    accountId: string,
    page: { readonly type?: EscalationType; readonly beforeId?: WatchlistId; readonly limit: number },
  ): Promise<readonly Escalation[]>;

  /** Domains escalated as `blocked`, each once, in order of name, after the given name. */
  listBlockedDomains(
    accountId: string,
    after: string,
    limit: number,
  ): Promise<readonly { readonly domain: string; readonly sinceMs: number }[]>;

  /** Increases whenever the blocked domains of the account change. */
  blocklistVersion(accountId: string): Promise<number>;

  /** Part of the signature of the account's blocklist links. */
  blocklistEdition(accountId: string): Promise<number>;

  /** Invalidates all earlier blocklist links of the account. Returns the new edition. */
  renewBlocklistEdition(accountId: string): Promise<number>;

  /** Remembers the client, and forgets those that fetched longest ago. */
  recordBlocklistFetch(accountId: string, fetch: BlocklistFetch): Promise<void>;

  /** Each client once for each format, the latest first. */
  listBlocklistFetches(accountId: string): Promise<readonly BlocklistFetch[]>;

  /** Escalations of all accounts due for submission, leased to the caller until `untilMs`. Each lease counts as an attempt. */
  leaseSubmissions(
    limit: number,
    nowMs: number,
    untilMs: number,
  ): Promise<readonly (Escalation & { readonly accountId: string })[]>;

  /** Has no effect on a submission whose outcome is already final. */
  recordSubmissionOutcome(id: WatchlistId, outcome: SubmissionOutcome): Promise<void>;
}
