/** The lists of Triage: pages, clusters, and which of a list a person has read. */
import { Type } from 'typebox';
import { type ClusterNeeds, findCluster } from '../../../product/detect/lists/cluster.ts';
import { listClusters } from '../../../product/detect/lists/clusters.ts';
import { getTriageDomain } from '../../../product/detect/lists/triage-domain.ts';
import {
  readTriagePage,
  type TriagePageNeeds,
  usualSorts,
} from '../../../product/detect/lists/triage-page.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { TriageStore } from '../../../store/triage-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type DomainViewNeeds, domainsOnWire, isoTime } from './domain-on-wire.ts';
import { Cluster, Clusters, DomainListQuery, DomainPage } from './domain-wire.ts';
import { TriageFilter } from './filter-wire.ts';
import { LookedRequest } from './overview-wire.ts';
import { readFilter, readTime } from './read-filter.ts';
import { termsOf } from './terms-of.ts';

export interface ListOperationNeeds extends ClusterNeeds, TriagePageNeeds, DomainViewNeeds {
  readonly domains: ClusterNeeds['domains'] & DomainViewNeeds['domains'];
  readonly images: ClusterNeeds['images'] & DomainViewNeeds['images'];
  readonly triage: ClusterNeeds['triage'] &
    TriagePageNeeds['triage'] &
    Pick<TriageStore, 'findTriageDomain' | 'recordVisit'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
}

const usualLimit = 100;

export const domainIdParams = Type.Object({ id: Type.String({ maxLength: 40 }) });

export function listOperations(needs: ListOperationNeeds): readonly WebOperation[] {
  const getDomains = defineWebOperation({
    method: 'GET',
    path: '/detect/domains',
    access: 'read',
    product: 'intel-detect-watched-domains',
    charge: 'page',
    summary: 'A page of a list',
    query: DomainListQuery,
    answer: DomainPage,
    handle: async ({ caller, query: { sort, cursor, limit = usualLimit, ...wanted }, nowMs }) => {
      const filter = await readFilter(wanted, needs);
      const request = { filter, sort: sort ?? usualSorts[filter.list], limit, cursor };
      const page = await readTriagePage(caller, request, needs, nowMs);
      const domains = await domainsOnWire(page.domains, page.readMs, needs);
      return {
        domains,
        total: page.total,
        cursor: page.cursor ?? null,
        as_of: isoTime(page.asOfMs),
        monitors: await termsOf(
          caller.account,
          domains.flatMap((domain) => domain.monitor_ids),
          needs,
        ),
        looked_at: page.readMs === undefined ? null : isoTime(page.readMs),
        new_since_looked: page.arrivedSinceRead,
      };
    },
  });

  const getCluster = defineWebOperation({
    method: 'GET',
    path: '/detect/domains/:id/cluster',
    access: 'read',
    product: 'intel-detect-watched-domains',
    charge: 'page',
    summary: 'The domains of a list that share the most specific value of one of them',
    params: domainIdParams,
    query: TriageFilter,
    answer: Cluster,
    handle: async ({ caller, params, query }) => {
      const { account, person } = caller;
      const filter = await readFilter(query, needs);
      const domain = await getTriageDomain(account, params.id, needs);
      const sharedMax = person.preferences.guidedPivotThreshold;
      const { shared, ids } = await findCluster(domain, { account, filter, sharedMax }, needs);
      return { shared: shared ?? null, ids: [...ids] };
    },
  });

  const getClusters = defineWebOperation({
    method: 'GET',
    path: '/detect/clusters',
    access: 'read',
    product: 'intel-detect-watched-domains',
    charge: 'page',
    summary: 'A list in groups of domains that share something specific',
    query: TriageFilter,
    answer: Clusters,
    handle: async ({ caller: { account, person }, query }) => {
      const filter = await readFilter(query, needs);
      const sharedMax = person.preferences.guidedPivotThreshold;
      const clusters = await listClusters({ account, filter, sharedMax }, needs);
      return { clusters: clusters.map(({ shared, ids }) => ({ shared: shared ?? null, ids: [...ids] })) };
    },
  });

  const putLooked = defineWebOperation({
    method: 'PUT',
    path: '/me/looked',
    access: 'read',
    product: 'intel-detect-watched-domains',
    summary: 'Records that the person has read a list up to a time',
    body: LookedRequest,
    answer: Type.Void(),
    handle: async ({ caller: { account, user }, body: { list, monitor, at }, nowMs }) => {
      // A time to come would hide what is still to arrive.
      const atMs = Math.min(readTime('at', at), nowMs);
      const visit = { accountId: account.id, username: user.username, list, atMs };
      await needs.triage.recordVisit(monitor === undefined ? visit : { ...visit, monitorId: monitor });
    },
  });

  return [getDomains, getCluster, getClusters, putLooked];
}
