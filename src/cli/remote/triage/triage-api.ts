/** What Triage asks of a server: pages of its lists, one domain in detail, decisions, their undoing, and what happens meanwhile. */
import type { NameglassClient, Query } from '../../../client/nameglass-client.ts';
import type { DecisionTarget, DomainState } from '../../../model/detect/watchlist.ts';
import type { TriageList } from '../../../model/triage/triage-lists.ts';
import type { WatchlistDomain } from '../detect/watchlist-domain.ts';
import { serverSentEvents } from '../server-sent-events.ts';

export interface TriageRow extends WatchlistDomain {
  readonly match: readonly {
    readonly class: string;
    readonly explanation: string;
    readonly host: string;
    readonly text: string;
    readonly steps: readonly { readonly at: number; readonly removed: string; readonly inserted: string }[];
  }[];
}

export interface TriageDetail {
  readonly watchlist_domain: TriageRow & {
    readonly registrar?: string;
    readonly create_date?: number | null;
    readonly name_server?: readonly { readonly host: string }[];
    readonly mx?: readonly { readonly host: string }[];
    readonly ip?: readonly { readonly country_code: string; readonly ip: string; readonly isp: string }[];
    readonly screenshot?: { readonly src: string; readonly timestamp: string };
  };
  readonly risk_reasons?: readonly {
    readonly reason: string;
    readonly value: string | null;
    readonly points: number;
  }[];
}

export interface TriagePage {
  readonly rows: readonly TriageRow[];
  readonly total: number;
  readonly hasMore: boolean;
  /** Where the next page begins. */
  readonly offset: number;
}

/** A decision as it was sent: undoing finds it in the log by what it was about. */
export interface SentDecision {
  readonly to: DecisionTarget;
  readonly domains: readonly string[];
}

interface LoggedDecision {
  readonly id: string;
  readonly decision: string;
  readonly domains: readonly string[];
  readonly can_undo: boolean;
}

interface UndoAnswer {
  readonly watchlist_domains: readonly { readonly id: string; readonly domain: string }[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
}

export interface WatchlistEvent {
  readonly id: number;
  readonly event: string;
  readonly watchlist_domain_id: string;
}

const pageSize = 100;
const perRequest: Readonly<Record<DecisionTarget, number>> = {
  watched: 1000,
  ignored: 1000,
  blocked: 100,
  external_safe: 100,
};

const everything = '1970-01-01T00:00:00Z';
/** The order of the web UI: by risk where nothing is decided, else what happened last. */
const listQueries: Readonly<Record<TriageList, readonly [state: DomainState, query: Query]>> = {
  new: ['new', { 'sort[]': ['risk_score', 'discovered_date'], order: 'desc' }],
  changed: ['watched', { 'sort[]': ['changed_date'], order: 'desc', changed_since: everything }],
  watched: ['watched', { 'sort[]': ['risk_score', 'discovered_date'], order: 'desc' }],
  ignored: ['ignored', { 'sort[]': ['risk_score', 'discovered_date'], order: 'desc' }],
  blocked: ['watched', { 'sort[]': ['risk_score', 'discovered_date'], 'escalation_types[]': 'blocked' }],
};

export class TriageApi {
  readonly #client: NameglassClient;
  readonly #filter: Query;
  #username: string | undefined;

  /** `filter`: of the command line, for all lists. */
  constructor(client: NameglassClient, filter: Query) {
    this.#client = client;
    this.#filter = filter;
  }

  async readPage(list: TriageList, search: string, offset: number): Promise<TriagePage> {
    const [state, own] = listQueries[list];
    const query = { ...this.#filter, ...own, ...(search === '' ? {} : { search }), limit: pageSize, offset };
    const answer = await this.#client.json<{
      watchlist_domains: readonly TriageRow[];
      total_count: number;
    }>(`/v1/intel-detect/watchlist/${state}/`, { query });
    const next = offset + answer.watchlist_domains.length;
    return {
      rows: answer.watchlist_domains.filter((row) => list !== 'changed' || hasChanged(row)),
      total: answer.total_count,
      hasMore: answer.watchlist_domains.length > 0 && next < answer.total_count,
      offset: next,
    };
  }

  readDetail(id: string): Promise<TriageDetail> {
    const query = { id, include_domain_data: true, include_risk_reasons: true, screenshots: true };
    return this.#client.json<TriageDetail>('/v1/intel-detect/domain/', { query });
  }

  /** In as many requests as are needed; `onSent` after each, so that a failure in the middle leaves what was done known. */
  async decide(
    rows: readonly TriageRow[],
    to: DecisionTarget,
    onSent: (sent: SentDecision, ids: readonly string[]) => void,
  ): Promise<void> {
    for (let from = 0; from < rows.length; from += perRequest[to]) {
      const group = rows.slice(from, from + perRequest[to]);
      const ids = group.map(({ id }) => id);
      if (to === 'watched' || to === 'ignored')
        await this.#client.request('/v1/intel-detect/domains/', {
          method: 'PATCH',
          body: { watchlist_domain_ids: ids, state: to },
        });
      else
        await this.#client.request('/v1/intel-detect/escalations/', {
          method: 'POST',
          body: { watchlist_domain_ids: ids, escalation_type: to },
        });
      onSent({ to, domains: group.map(({ domain }) => domain) }, ids);
    }
  }

  /** Undefined if the log has nothing of the user that can be undone; without `sent` the newest that can. */
  async undo(sent: SentDecision | undefined): Promise<UndoAnswer | undefined> {
    const { decisions } = await this.#client.json<{ decisions: readonly LoggedDecision[] }>(
      '/v1/intel-detect/decisions/',
      { query: { by: await this.#ownName(), limit: 50 } },
    );
    const about = new Set(sent?.domains);
    const found = decisions.find(
      ({ can_undo, decision, domains }) =>
        can_undo &&
        (sent === undefined || (decision === sent.to && domains.every((domain) => about.has(domain)))),
    );
    if (!found) return undefined;
    return this.#client.json<UndoAnswer>('/v1/intel-detect/decisions/undo/', {
      body: { decision_id: found.id },
    });
  }

  /** Until `signal` aborts or the server ends the stream. */
  async follow(
    lastId: number | undefined,
    onEvent: (event: WatchlistEvent) => void,
    onOpen: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const headers = lastId === undefined ? {} : { 'last-event-id': String(lastId) };
    const response = await this.#client.request('/v1/intel-detect/events/', { headers, signal });
    onOpen();
    for await (const event of serverSentEvents(response)) onEvent(event as WatchlistEvent);
  }

  async #ownName(): Promise<string> {
    this.#username ??= (
      await this.#client.json<{ response: { user: { username: string } } }>('/v1/account/user/')
    ).response.user.username;
    return this.#username;
  }
}

/** Since it is watched, as the web UI counts it. */
function hasChanged({ changed_date: changed, assigned_date: assigned }: TriageRow): boolean {
  return changed !== null && (assigned === undefined || Date.parse(changed) > Date.parse(assigned));
}
