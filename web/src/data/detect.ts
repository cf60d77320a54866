/** What Triage reads. A list keeps its order until it is asked for again: nothing moves by itself. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { DecisionsAnswer } from '../../../src/http/web/detect/decision-wire.ts';
import type {
  Clusters as ClustersWire,
  Cluster as ClusterWire,
  DomainDetail as DomainDetailWire,
  DomainPage,
  Domain as DomainWire,
} from '../../../src/http/web/detect/domain-wire.ts';
import type { TriageFilter, TriageSort } from '../../../src/http/web/detect/filter-wire.ts';
import type {
  Counts as CountsWire,
  Facets as FacetsWire,
} from '../../../src/http/web/detect/overview-wire.ts';
import type { FacetAttribute } from '../../../src/model/triage/triage-facets.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';

export type Domain = Received<DomainWire>;
export type DomainDetail = Received<DomainDetailWire>;
export type Cluster = Received<ClusterWire>;
export type Counts = Received<CountsWire>;
export type Facets = Received<FacetsWire>;
export type LoggedDecision = Received<DecisionsAnswer>['decisions'][number];

const pageSize = 200;
const freshMs = 5 * 60_000;

export const domainsKey = ['detect', 'domains'] as const;
export const clustersKey = ['detect', 'clusters'] as const;
export const countsKey = ['detect', 'counts'] as const;
export const facetsKey = ['detect', 'facets'] as const;
export const decisionsKey = ['detect', 'decisions'] as const;
export const domainKey = (id: string) => ['detect', 'domain', id] as const;

export function useDomains(filter: TriageFilter, sort: TriageSort) {
  return useInfiniteQuery({
    queryKey: [...domainsKey, filter, sort],
    queryFn: ({ pageParam, signal }) =>
      request<DomainPage>('GET', '/detect/domains', {
        signal,
        query: { ...filter, sort, limit: pageSize, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor ?? undefined,
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  });
}

/** Domains of a list that have not been scrolled to yet. */
export async function readDomains(filter: TriageFilter, ids: readonly string[]): Promise<readonly Domain[]> {
  if (ids.length === 0) return [];
  const query = { list: filter.list, ids, limit: 500 };
  return (await request<DomainPage>('GET', '/detect/domains', { query })).domains;
}

export function useCounts() {
  return useQuery({
    queryKey: countsKey,
    queryFn: ({ signal }) => request<CountsWire>('GET', '/detect/counts', { signal }),
    staleTime: 30_000,
  });
}

export function useFacets(by: FacetAttribute, filter: TriageFilter, enabled = true) {
  return useQuery({
    queryKey: [...facetsKey, by, filter],
    queryFn: ({ signal }) =>
      request<FacetsWire>('GET', '/detect/facets', { signal, query: { ...filter, by } }),
    staleTime: 30_000,
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** `enabled`: while somebody runs through a list, nothing is read that they do not stop at. */
export function useDomain(id: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: domainKey(id),
    queryFn: ({ signal }) =>
      request<DomainDetailWire>('GET', `/detect/domains/${encodeURIComponent(id)}`, { signal }),
    staleTime: 60_000,
  });
}

export function readCluster(id: string, filter: TriageFilter): Promise<Cluster> {
  return request<ClusterWire>('GET', `/detect/domains/${encodeURIComponent(id)}/cluster`, { query: filter });
}

/** A whole list in clusters, with members that may not have been scrolled to yet. */
export function useClusters(filter: TriageFilter, enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: [...clustersKey, filter],
    queryFn: async ({ signal }) => {
      const { clusters } = await request<ClustersWire>('GET', '/detect/clusters', { signal, query: filter });
      const ids = clusters.flatMap((cluster) => cluster.ids).slice(0, 500);
      return { clusters, others: await readDomains(filter, ids) };
    },
    staleTime: freshMs,
  });
}

export function useRecentDecisions(by: string | undefined) {
  return useInfiniteQuery({
    queryKey: [...decisionsKey, by],
    queryFn: ({ pageParam, signal }) =>
      request<DecisionsAnswer>('GET', '/detect/decisions', { signal, query: { before: pageParam, by } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.decisions.at(-1)?.id : undefined),
  });
}
