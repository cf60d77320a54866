/** The three lists of domains that monitors matched, and triage: the decision to watch or ignore them. */
import { type Static, Type } from 'typebox';
import type { DomainState } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type DomainListNeeds, type DomainPage, listDomains } from '../../../product/detect/domain-list.ts';
import { findQueryStartMs, type ListQuery, markOf } from '../../../product/detect/last-query.ts';
import { getMonitor } from '../../../product/detect/monitors.ts';
import { queryDigest } from '../../../product/detect/query-digest.ts';
import { type TriageNeeds, triage, triageStates } from '../../../product/detect/triage.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { ListPaging } from '../../../store/paging/list-paging.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import type { DomainQuery } from '../../../store/watchlist-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { type ScreenshotNeeds, screenshotFinder } from '../records/screenshot-wire.ts';
import { listCharge, previewCharge } from './charges.ts';
import { choice, DomainIds } from './detect-parameters.ts';
import { TriagedOnWire, triagedOnWire } from './detect-wire.ts';
import { DomainOnWire, domainOnWire } from './domain-wire.ts';
import { type ListParameters, limitOf, listParameters, readQuery } from './list-parameters.ts';

export interface DomainOperationNeeds extends DomainListNeeds, TriageNeeds, ScreenshotNeeds {
  readonly watchlist: DomainListNeeds['watchlist'] & TriageNeeds['watchlist'];
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly usage: Pick<UsageStore, 'findSavedText'>;
  readonly settings: Settings;
}

export const DomainList = Type.Object({
  watchlist_domains: Type.Array(DomainOnWire),
  total_count: Type.Integer({ description: 'all matching domains' }),
  count: Type.Integer({ description: 'domains in this response' }),
  offset: Type.Integer(),
  limit: Type.Integer(),
});

const lists = [
  {
    state: 'new',
    id: 'getDetectNewDomains',
    product: 'intel-detect-new-domains',
    summary: 'Lists newly discovered domains',
  },
  {
    state: 'watched',
    id: 'getDomainsWatched',
    product: 'intel-detect-watched-domains',
    summary: 'Lists watched domains',
  },
  {
    state: 'ignored',
    id: 'getDetectIgnored',
    product: 'intel-detect-ignored-domains',
    summary: 'Lists ignored domains',
  },
] as const;

export function domainOperations(needs: DomainOperationNeeds): readonly Operation[] {
  return [...lists.map((list) => listOperation(list, needs)), triageOperation(needs)];
}

const listAdvice =
  'Following pages (the same parameters with offset) and requests with preview=true do not count against it.';

function listOperation(
  { state, id, product, summary }: (typeof lists)[number],
  needs: DomainOperationNeeds,
): Operation {
  const { settings } = needs;
  return defineOperation({
    id,
    family: families.detect,
    route: `GET /intel-detect/domains/${state}/`,
    product,
    permission: 'read',
    summary,
    ...(state === 'ignored' ? {} : { description: `Once an hour by default. ${listAdvice}` }),
    parameters: listParameters(settings),
    response: DomainList,
    parse: async ({ caller, parameters, nowMs }) => {
      readQuery(state, parameters, nowMs, settings);
      const { monitor_id } = parameters;
      if (monitor_id !== undefined) await getMonitor(caller.account, monitor_id, needs);
    },
    charge: async (context) => {
      if (context.parameters.preview) return previewCharge(context, settings);
      const query = queryOf(state, context, settings);
      if ((await findStartMs(query, context, needs)) !== undefined)
        return state === 'ignored' ? 'product' : 'free';
      const charge = listCharge(context, settings, listAdvice);
      return { ...charge, savedText: markOf(query, context.nowMs) };
    },
    handle: async (context) => {
      const { caller, parameters, nowMs } = context;
      const listQuery = queryOf(state, context, settings);
      const startMs = await findStartMs(listQuery, context, needs);
      const query = readQuery(state, parameters, startMs ?? nowMs, settings);
      // Where the snapshot of the first page is lost, at least what was discovered since does not shift the rest.
      const asOfStart = startMs === undefined ? query : discoveredBy(query, startMs);
      const withData = parameters.include_domain_data ?? false;
      const paging = pagingOf(context, query, listQuery.digest, settings);
      const page = await listDomains(caller.account, asOfStart, { withData, paging }, needs);
      const screenshots = parameters.screenshots
        ? await screenshotFinder(needs)(page.domains.map(({ domain }) => domain))
        : undefined;
      return listOnWire(page, query, screenshots);
    },
  });
}

function triageOperation(needs: DomainOperationNeeds): Operation {
  return defineOperation({
    id: 'patchDetectDomains',
    family: families.detect,
    route: 'PATCH /intel-detect/domains/',
    product: 'intel-detect-manage-watchlist-domains',
    permission: 'triage',
    summary: 'Watches or ignores domains',
    description: 'All of the domains or none, at most 1000.',
    errorCode: 'invalid-members',
    parameters: Type.Object({
      watchlist_domain_ids: DomainIds,
      state: choice(triageStates, 'the new state of the domains'),
    }),
    response: Type.Object({ watchlist_domains: Type.Array(TriagedOnWire) }),
    handle: async ({ caller, parameters: { watchlist_domain_ids: ids, state }, nowMs }) => {
      const triaged = await triage(caller, { ids, state }, needs, nowMs);
      return { watchlist_domains: triaged.map(triagedOnWire) };
    },
  });
}

/** When the first page of this query was requested; undefined where this request is the first page. */
async function findStartMs(
  query: ListQuery,
  { parameters }: OperationContext<ListParameters>,
  needs: DomainOperationNeeds,
): Promise<number | undefined> {
  return parameters.offset && !parameters.preview ? findQueryStartMs(query, needs) : undefined;
}

function queryOf(
  list: DomainState,
  { caller, parameters }: OperationContext<ListParameters>,
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
  const limit = limitOf(parameters, settings);
  const digest = queryDigest({ ...others, include_domain_data, screenshots, order, limit });
  return { accountId: caller.account.id, list, digest };
}

/** A preview shows the list as it is. */
function pagingOf(
  { caller, parameters, nowMs }: OperationContext<ListParameters>,
  { offset, limit }: DomainQuery,
  digest: string,
  { limits }: Settings,
): ListPaging | undefined {
  if (parameters.preview) return undefined;
  const rowsMax = limits.detect.offsetMax + limit;
  return { username: caller.user.username, query: digest, isFirstPage: offset === 0, rowsMax, nowMs };
}

/** Leaves out what was discovered after the first page. */
function discoveredBy(query: DomainQuery, startMs: number): DomainQuery {
  const { discoveredBeforeMs = Number.POSITIVE_INFINITY } = query;
  return { ...query, discoveredBeforeMs: Math.min(discoveredBeforeMs, startMs + 1) };
}

export function listOnWire(
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
