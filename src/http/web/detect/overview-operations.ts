/** Numbers about the lists of Triage: how many domains each has, and the most frequent values. */
import { dayMs } from '../../../model/durations.ts';
import { countFacets, type FacetNeeds } from '../../../product/detect/lists/facets.ts';
import type { ImageStore } from '../../../store/image-store.ts';
import type { TriageStore } from '../../../store/triage-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { Counts, FacetQuery, Facets } from './overview-wire.ts';
import { readFilter } from './read-filter.ts';

export interface OverviewNeeds extends FacetNeeds {
  readonly triage: FacetNeeds['triage'] &
    Pick<TriageStore, 'countLists' | 'countArrivedSince' | 'findVisitMs'>;
  readonly images: FacetNeeds['images'] & Pick<ImageStore, 'listAlike'>;
}

const seriesDays = 30;

export function overviewOperations(needs: OverviewNeeds): readonly WebOperation[] {
  const { triage } = needs;

  const getCounts = defineWebOperation({
    method: 'GET',
    path: '/detect/counts',
    access: 'read',
    product: 'intel-detect-watched-domains',
    summary: 'How many domains each list has, by monitor too, with the discoveries of 30 days',
    answer: Counts,
    handle: async ({ caller: { account, user }, nowMs }) => {
      const todayMs = Math.floor(nowMs / dayMs) * dayMs;
      const series = { fromMs: todayMs - (seriesDays - 1) * dayMs, days: seriesDays };
      const visit = { accountId: account.id, username: user.username, list: 'new' } as const;
      const readMs = await triage.findVisitMs(visit);
      const [{ lists, monitors }, arrived] = await Promise.all([
        triage.countLists(account.id, series),
        triage.countArrivedSince(account.id, 'new', readMs ?? -1),
      ]);
      return {
        lists,
        monitors: monitors.map((monitor) => ({ ...monitor, days: [...monitor.days] })),
        new_since_looked: arrived,
      };
    },
  });

  const getFacets = defineWebOperation({
    method: 'GET',
    path: '/detect/facets',
    access: 'read',
    product: 'intel-detect-watched-domains',
    charge: 'page',
    summary: 'The most frequent values of an attribute in a list',
    query: FacetQuery,
    answer: Facets,
    handle: async ({ caller: { account }, query: { by, ...wanted } }) => {
      const filter = await readFilter(wanted, needs);
      const { values, more } = await countFacets(account, filter, by, needs);
      return {
        values: values.map(({ value, label, domains, averageRisk }) => ({
          value,
          ...(label === undefined ? {} : { label }),
          domains,
          average_risk: averageRisk ?? null,
        })),
        more,
      };
    },
  });

  return [getCounts, getFacets];
}
