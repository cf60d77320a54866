/** Rows of domains on lists, and the facts from their records. */
import { domainToUnicode } from 'node:url';
import type {
  DomainFacts,
  DomainState,
  RiskComponents,
  WatchlistDomain,
} from '../../../model/detect/watchlist.ts';
import { dayMs } from '../../../model/durations.ts';
import { parsed, type StoredFlag, type StoredJson } from './stored-json.ts';

/** How long the row of an undecided domain stays after its last match: longer than any page of a list may refer to it. */
export const unmatchedKeptMs = 2 * dayMs;

export interface FactRow {
  readonly active: StoredFlag;
  readonly mx_exists: StoredFlag;
  readonly name_servers: StoredJson<readonly string[]>;
  readonly risk_score: number | null;
  readonly risk_status: 'provisional' | 'full' | null;
  readonly risk_components: StoredJson<RiskComponents> | null;
}

export interface DomainRow extends FactRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly tld: string;
  readonly state: DomainState;
  readonly discovered_ms: number;
  readonly changed_ms: number | null;
  readonly assigned_by: string | null;
  readonly assigned_ms: number | null;
}

/** A newly seen domain is assumed to be active until it has a record. */
export const unknownFacts: DomainFacts = {
  active: true,
  mxExists: false,
  nameServers: [],
  riskScore: undefined,
  riskStatus: undefined,
  riskComponents: undefined,
};

export function factsOf(row: FactRow): DomainFacts {
  return {
    active: Boolean(row.active),
    mxExists: Boolean(row.mx_exists),
    nameServers: parsed(row.name_servers),
    riskScore: row.risk_score ?? undefined,
    riskStatus: row.risk_status ?? undefined,
    riskComponents: row.risk_components === null ? undefined : parsed(row.risk_components),
  };
}

export function domainOf(
  row: DomainRow,
  { matches, escalations, sightings }: Pick<WatchlistDomain, 'matches' | 'escalations' | 'sightings'>,
): WatchlistDomain {
  return {
    ...factsOf(row),
    id: row.id,
    domain: row.name,
    tld: row.tld,
    state: row.state,
    discoveredMs: row.discovered_ms,
    changedMs: row.changed_ms ?? undefined,
    assigned:
      row.assigned_by === null || row.assigned_ms === null
        ? undefined
        : { by: row.assigned_by, atMs: row.assigned_ms },
    monitorIds: matches.map(({ monitorId }) => monitorId),
    matches,
    escalations,
    sightings,
  };
}

/** Null where it is the same. */
export function unicodeOf(domain: string): string | null {
  const unicode = domain.includes('xn--') ? domainToUnicode(domain) : '';
  return unicode === '' || unicode === domain ? null : unicode;
}
