/** The three lists of domains that monitors found, and the decision to watch or to ignore them. */
import { type Static, Type } from 'typebox';
import type { DomainState } from '../../model/detect/watchlist.ts';
import type { Settings } from '../../model/settings.ts';
import { productDraw } from '../../product/account/product-limits.ts';
import { type DomainListNeeds, type DomainPage, listDomains } from '../../product/detect/domain-list.ts';
import { findBeginningMs, type ListQuery, markOf } from '../../product/detect/last-query.ts';
import { getMonitor } from '../../product/detect/monitors.ts';
import { type TriageNeeds, triage, triageStates } from '../../product/detect/triage.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import type { DomainQuery, WatchlistStore } from '../../store/watchlist-store.ts';
import { DomainOnWire, domainOnWire } from './detect-domain-wire.ts';
import { previewDraw } from './detect-draws.ts';
import { type ListParameters, limitOf, listParameters, readQuery } from './detect-list-parameters.ts';
import { choice, DomainIds } from './detect-parameters.ts';
import { TriagedOnWire, triagedOnWire } from './detect-wire.ts';
import type { Asked, Offer } from './offer.ts';
import type { OperationId } from './operations.ts';
import { type ScreenshotNeeds, screenshotsOf } from './screenshot-wire.ts';

export interface DomainRouteNeeds extends DomainListNeeds, TriageNeeds, ScreenshotNeeds {
  readonly watchlist: DomainListNeeds['watchlist'] &
    TriageNeeds['watchlist'] &
    Pick<WatchlistStore, 'findMonitor'>;
  readonly usage: Pick<UsageStore, 'findMark'>;
  readonly settings: Settings;
}

const DomainList = Type.Object({
  watchlist_domains: Type.Array(DomainOnWire),
  total_count: Type.Integer({ description: 'all matches' }),
  count: Type.Integer({ description: 'those in this answer' }),
  offset: Type.Integer(),
  limit: Type.Integer(),
});

const lists: readonly (readonly [OperationId, DomainState])[] = [
  ['getDetectNewDomains', 'new'],
  ['getDomainsWatched', 'watched'],
  ['getDetectIgnored', 'ignored'],
];

export function detectDomainRoutes(offer: Offer, needs: DomainRouteNeeds): void {
  const { settings } = needs;
  const parameters = listParameters(settings);
  for (const [id, list] of lists) {
    offer(id, {
      parameters,
      answer: DomainList,
      understand: async (asked) => {
        readQuery(list, asked.parameters, asked.nowMs, settings);
        const { monitor_id } = asked.parameters;
        if (monitor_id !== undefined) await getMonitor(asked.caller.account, monitor_id, needs);
      },
      draw: async (asked) => {
        if (asked.parameters.preview) return previewDraw(asked, settings);
        const query = queryOf(list, asked, settings);
        if ((await findBegunMs(query, asked, needs)) !== undefined)
          return list === 'ignored' ? 'product' : 'free';
        const counted = productDraw(asked.caller.account, asked.grant, settings);
        return { ...counted, mark: markOf(query, asked.nowMs) };
      },
      run: async (asked) => {
        const begunMs = await findBegunMs(queryOf(list, asked, settings), asked, needs);
        const query = readQuery(list, asked.parameters, begunMs ?? asked.nowMs, settings);
        const asAtBeginning = begunMs === undefined ? query : discoveredBy(query, begunMs);
        const withData = asked.parameters.include_domain_data ?? false;
        const page = await listDomains(asked.caller.account, asAtBeginning, withData, needs);
        const screenshots = asked.parameters.screenshots
          ? await screenshotsOf(needs)(page.domains.map(({ domain }) => domain))
          : undefined;
        return listOnWire(page, query, screenshots);
      },
    });
  }

  offer('patchDetectDomains', {
    parameters: Type.Object({
      watchlist_domain_ids: DomainIds,
      state: choice(triageStates, 'what becomes of the domains'),
    }),
    answer: Type.Object({ watchlist_domains: Type.Array(TriagedOnWire) }),
    run: async ({ caller, parameters: { watchlist_domain_ids: ids, state }, nowMs }) => {
      const triaged = await triage(caller, ids, state, needs, nowMs);
      return { watchlist_domains: triaged.map(triagedOnWire) };
    },
  });
}

/** When the query began that this goes on with; undefined where it is one of its own. */
async function findBegunMs(
  query: ListQuery,
  { parameters }: Asked<ListParameters>,
  needs: DomainRouteNeeds,
): Promise<number | undefined> {
  return parameters.offset && !parameters.preview ? findBeginningMs(query, needs) : undefined;
}

function queryOf(
  list: DomainState,
  { caller, parameters }: Asked<ListParameters>,
  settings: Settings,
): ListQuery {
  const {
    offset: _offset,
    preview: _preview,
    include_domain_data = false,
    screenshots = false,
    order = 'desc',
    ...others
  } = parameters;
  const asked = { ...others, include_domain_data, screenshots, order, limit: limitOf(parameters, settings) };
  return { accountId: caller.account.id, list, asked };
}

function discoveredBy(query: DomainQuery, begunMs: number): DomainQuery {
  const { discoveredBeforeMs = Number.POSITIVE_INFINITY } = query;
  return { ...query, discoveredBeforeMs: Math.min(discoveredBeforeMs, begunMs + 1) };
}

function listOnWire(
  { total, domains, records }: DomainPage,
  query: DomainQuery,
  screenshots: readonly (object | undefined)[] | undefined,
): Static<typeof DomainList> {
  return {
    watchlist_domains: domains.map((domain, index) =>
      domainOnWire(domain, {
        data: records && { record: records[index] },
        screenshot: screenshots?.[index],
      }),
    ),
    total_count: total,
    count: domains.length,
    offset: query.offset,
    limit: query.limit,
  };
}
