/** What Triage asks of a server: pages of its lists, one domain in detail, decisions, their undoing, and what happens meanwhile. */
import { type NameglassClient, NameglassError, type Query } from '../../../client/nameglass-client.ts';
import type { DecisionTarget } from '../../../model/detect/watchlist.ts';
import type { FacetAttribute } from '../../../model/triage/triage-facets.ts';
import type { TriageList } from '../../../model/triage/triage-lists.ts';
import type { WatchlistDomain } from '../detect/watchlist-domain.ts';
import { serverSentEvents } from '../server-sent-events.ts';
import { type ChosenFacets, type FacetName, type FacetValue, facetQuery, offeredFacets } from './facets.ts';

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
  readonly noted?: TriageNotes | undefined;
}

/** Undefined where the server is older and has none. */
export interface TriageNotes {
  readonly notes: readonly {
    readonly text: string;
    readonly created_by: string;
    readonly created_date: string;
  }[];
  readonly assignee: string | null;
}

export interface TriageCluster {
  readonly shared: { readonly attribute: string; readonly value: string } | null;
  readonly watchlist_domain_ids: readonly string[];
}

export interface TriagePage {
  readonly rows: readonly TriageRow[];
  readonly total: number;
  /** Of the next page; undefined on the last. */
  readonly cursor: string | undefined;
}

/** Which domains are listed, besides what the command line says. */
export interface ListQuery {
  readonly list: TriageList;
  readonly search: string;
  readonly facets: ChosenFacets;
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
/** They are in the address of the request. */
const idsPerRequest = 300;
const perRequest: Readonly<Record<DecisionTarget, number>> = {
  watched: 1000,
  ignored: 1000,
  blocked: 100,
  external_safe: 100,
};

export class TriageApi {
  readonly #client: NameglassClient;
  readonly #filter: Query;
  /** What the lists can be narrowed by. */
  readonly offered: readonly FacetName[];
  #username: string | undefined;

  /** `filter`: of the command line, for all lists. */
  constructor(client: NameglassClient, filter: Query) {
    this.#client = client;
    this.#filter = filter;
    this.offered = offeredFacets(filter);
  }

  async readPage(query: ListQuery, cursor: string | undefined): Promise<TriagePage> {
    const answer = await this.#client.json<{
      watchlist_domains: readonly TriageRow[];
      total_count: number;
      next_cursor: string | null;
    }>(`/v1/intel-detect/triage/${query.list}/`, {
      query: { ...this.#filterOf(query), limit: pageSize, cursor },
    });
    return {
      rows: answer.watchlist_domains,
      total: answer.total_count,
      cursor: answer.next_cursor ?? undefined,
    };
  }

  /** Rows of a list by their ids; those that it has no longer are left out. */
  async readRows(query: ListQuery, ids: readonly string[]): Promise<readonly TriageRow[]> {
    const rows: TriageRow[] = [];
    for (let from = 0; from < ids.length; from += idsPerRequest) {
      const some = ids.slice(from, from + idsPerRequest);
      const answer = await this.#client.json<{ watchlist_domains: readonly TriageRow[] }>(
        `/v1/intel-detect/triage/${query.list}/`,
        {
          query: {
            ...this.#filterOf(query),
            watchlist_domain_ids: some.join(','),
            limit: idsPerRequest,
          },
        },
      );
      rows.push(...answer.watchlist_domains);
    }
    return rows;
  }

  /** The most frequent values of an attribute, whichever of them is chosen. */
  async facets(
    { list, search, facets }: ListQuery,
    by: FacetAttribute,
  ): Promise<{ readonly values: readonly FacetValue[]; readonly more: boolean }> {
    const { [by]: _own, ...others } = facets;
    const query = { ...this.#filterOf({ list, search, facets: others }), attribute: by };
    const { values, more } = await this.#client.json<{
      values: readonly { value: string; label?: string; domains: number; average_risk: number | null }[];
      more: boolean;
    }>(`/v1/intel-detect/triage/${list}/facets/`, { query });
    return {
      values: values.map(({ value, label = value, domains, average_risk: averageRisk }) => ({
        value,
        label,
        domains,
        averageRisk,
      })),
      more,
    };
  }

  async clusters(query: ListQuery): Promise<readonly TriageCluster[]> {
    const path = `/v1/intel-detect/triage/${query.list}/clusters/`;
    const answer = await this.#client.json<{ clusters: readonly TriageCluster[] }>(path, {
      query: this.#filterOf(query),
    });
    return answer.clusters;
  }

  async readDetail(id: string): Promise<TriageDetail> {
    const query = { id, include_domain_data: true, include_risk_reasons: true, screenshots: true };
    const [detail, noted] = await Promise.all([
      this.#client.json<TriageDetail>('/v1/intel-detect/domain/', { query }),
      this.#client.json<TriageNotes>('/v1/intel-detect/notes/', { query: { id } }).catch((error: unknown) => {
        if (error instanceof NameglassError && error.code === 'not-found') return undefined;
        throw error;
      }),
    ]);
    return { ...detail, noted };
  }

  /** What belongs together with a domain of a list. */
  cluster(id: string, list: ListQuery): Promise<TriageCluster> {
    const query = { ...this.#filterOf(list), id, list: list.list };
    return this.#client.json<TriageCluster>('/v1/intel-detect/cluster/', { query });
  }

  async addNote(id: string, text: string): Promise<void> {
    await this.#client.request('/v1/intel-detect/notes/', { method: 'POST', body: { id, text } });
  }

  /** An empty name: nobody. */
  async assign(id: string, person: string): Promise<void> {
    const body = { id, ...(person === '' ? {} : { person }) };
    await this.#client.request('/v1/intel-detect/assignee/', { method: 'POST', body });
  }

  /** For the whole account, as tags of Triage in the web UI are. */
  async tag(rows: readonly TriageRow[], label: string): Promise<void> {
    const body = { domains: rows.map(({ domain }) => domain), add: [label], scope: 'team' };
    await this.#client.request('/v1/domain-tags/', { method: 'POST', body });
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

  #filterOf({ search, facets }: ListQuery): Query {
    return { ...this.#filter, ...facetQuery(facets), ...(search === '' ? {} : { search }) };
  }

  async #ownName(): Promise<string> {
    this.#username ??= (
      await this.#client.json<{ response: { user: { username: string } } }>('/v1/account/user/')
    ).response.user.username;
    return this.#username;
  }
}
