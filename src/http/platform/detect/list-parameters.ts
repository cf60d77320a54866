/** The parameters that the three lists of domains share. */
import { type Static, Type } from 'typebox';
import { type DomainState, escalationTypes } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  boundsOf,
  domainSorts,
  getDomainLimit,
  riskRanges,
  tldAsStored,
} from '../../../product/detect/domain-list.ts';
import type { DomainQuery } from '../../../store/watchlist-store.ts';
import {
  choice,
  choices,
  definedMembers,
  instant,
  limit,
  Order,
  offset,
  readInstant,
} from './detect-parameters.ts';

const tldsMax = 1000;

const Tld = Type.String({
  pattern: '[^\\s.]',
  must: 'must be a top-level domain such as com or co.uk',
});

export function listParameters({ limits: { detect } }: Settings) {
  return Type.Object({
    monitor_id: Type.Optional(Type.String({ description: 'only domains that this monitor matched' })),
    escalation_types: choices(escalationTypes, 'escalated with one of these types'),
    tlds: Type.Optional(
      Type.Array(Tld, {
        maxItems: tldsMax,
        description: 'one parameter for each; uk includes co.uk',
      }),
    ),
    risk_score_ranges: choices(riskRanges, 'inclusive bounds'),
    mx_exists: Type.Optional(Type.Boolean({ description: 'with or without an MX record' })),
    resolved_by_us: Type.Optional(
      Type.Boolean({ description: 'beyond the contract: seen resolved by our own sensors, or not' }),
    ),
    domain_state: Type.Optional(choice(['active', 'inactive'], 'status of the domain')),
    discovered_since: instant('inclusive'),
    discovered_before: instant('exclusive'),
    changed_since: instant('inclusive; changes of DNS or registration of watched domains'),
    changed_before: instant('exclusive'),
    escalated_since: instant('inclusive'),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'substring of the name, case-insensitive' }),
    ),
    sort: choices(domainSorts, 'sort keys in order of priority; by default discovered_date'),
    order: Order,
    include_domain_data: Type.Optional(Type.Boolean({ description: 'adds DNS and registration data' })),
    offset: offset(detect.offsetMax),
    limit: limit(
      Math.max(detect.domainsLimitMax, detect.domainsLimitWithDataMax),
      `0 or absent: the maximum, ${detect.domainsLimitMax}, or ${detect.domainsLimitWithDataMax} with include_domain_data`,
    ),
    preview: Type.Optional(
      Type.Boolean({
        description: `at most ${detect.previewDomainsMax} domains; exempt from the hourly limit`,
      }),
    ),
    screenshots: Type.Optional(Type.Boolean({ description: 'adds the latest screenshot, if there is one' })),
  });
}

export type ListParameters = Static<ReturnType<typeof listParameters>>;

export function limitOf(parameters: ListParameters, settings: Settings): number {
  const { limit: requested, include_domain_data: withData = false, preview = false } = parameters;
  return getDomainLimit({ limit: requested, withData, preview }, settings);
}

export function readQuery(
  list: DomainState,
  parameters: ListParameters,
  nowMs: number,
  settings: Settings,
): DomainQuery {
  const time = (
    name: 'discovered_since' | 'discovered_before' | 'changed_since' | 'changed_before' | 'escalated_since',
  ) => readInstant(name, parameters[name], nowMs);
  return {
    state: list,
    ...definedMembers({
      monitorId: parameters.monitor_id,
      escalationTypes: parameters.escalation_types,
      tlds: parameters.tlds?.map(tldAsStored),
      riskRanges: parameters.risk_score_ranges?.map(boundsOf),
      mxExists: parameters.mx_exists,
      resolvedByUs: parameters.resolved_by_us,
      active: parameters.domain_state && parameters.domain_state === 'active',
      discoveredSinceMs: time('discovered_since'),
      discoveredBeforeMs: time('discovered_before'),
      changedSinceMs: time('changed_since'),
      changedBeforeMs: time('changed_before'),
      escalatedSinceMs: time('escalated_since'),
      search: parameters.search?.normalize('NFC').toLowerCase(),
    }),
    sort: parameters.sort?.length ? parameters.sort : ['discovered_date'],
    descending: parameters.order !== 'asc',
    offset: parameters.offset ?? 0,
    limit: limitOf(parameters, settings),
  };
}
