/** Lookalikes for answers. What explains a match quotes the name, which somebody else chose. */
import { totalSighting } from '../../model/detect/sightings.ts';
import type { WatchlistDomain } from '../../model/detect/watchlist.ts';
import type { LookalikeMatch } from '../../model/lookalike/match.ts';
import { defined, instantOfMs } from './plain-values.ts';
import { type Detail, fullDetail, type ThirdParties, thirdParties } from './third-parties.ts';

/** One English sentence. */
export type ExplainMatch = (match: Omit<LookalikeMatch, 'term'>) => string;

export interface LookalikeRow extends ThirdParties {
  readonly id: string;
  readonly domain: string;
  readonly [member: string]: unknown;
}

/** `terms`: of the monitors, by id. */
export function lookalikeRow(
  domain: WatchlistDomain,
  { terms, explain }: { readonly terms: ReadonlyMap<string, string>; readonly explain: ExplainMatch },
  detail: Detail = fullDetail,
): LookalikeRow {
  const [match] = domain.matches;
  return {
    id: domain.id,
    domain: domain.domain,
    ...defined({
      risk_score: domain.riskScore,
      risk_status: domain.riskStatus,
      class: match?.reason.class,
      monitor_id: match?.monitorId,
      term: terms.get(match?.monitorId ?? ''),
    }),
    discovered: instantOfMs(domain.discoveredMs),
    active: domain.active,
    has_mx: domain.mxExists,
    ...sightingMembers(domain.sightings),
    escalations: [...new Set(domain.escalations.map(({ type }) => type))],
    ...thirdParties({ explanation: match && explain(match.reason) }, detail),
  };
}

/** Whether our own sensors saw it resolved; nothing of it is from third parties. */
function sightingMembers(sightings: WatchlistDomain['sightings']) {
  const total = totalSighting(sightings);
  if (!total) return { resolved_by_us: false };
  return {
    resolved_by_us: true,
    sightings: {
      first: instantOfMs(total.firstSeconds * 1000),
      last: instantOfMs(total.lastSeconds * 1000),
      count: total.count,
      sensors: sightings.map(({ sensor }) => sensor),
    },
  };
}

export interface CheckedName extends ThirdParties {
  readonly domain: string;
  readonly class: string;
  readonly distance: number;
}

export function checkedName(
  domain: string,
  match: LookalikeMatch,
  explain: ExplainMatch,
  detail: Detail = fullDetail,
): CheckedName {
  const { class: kind, distance } = match;
  return { domain, class: kind, distance, ...thirdParties({ explanation: explain(match) }, detail) };
}
