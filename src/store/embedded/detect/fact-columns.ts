/** The facts from a domain's record, converted between the model and columns. */
import type { DomainFacts } from '../../../model/detect/watchlist.ts';

export interface FactRow {
  readonly active: number;
  readonly mx_exists: number;
  readonly name_servers: string;
  readonly risk_score: number | null;
  readonly risk_status: 'provisional' | 'full' | null;
  readonly risk_components: string | null;
}

export function factColumns(facts: DomainFacts) {
  return {
    active: facts.active ? 1 : 0,
    mxExists: facts.mxExists ? 1 : 0,
    nameServers: JSON.stringify(facts.nameServers),
    riskScore: facts.riskScore ?? null,
    riskStatus: facts.riskStatus ?? null,
    riskComponents: facts.riskComponents ? JSON.stringify(facts.riskComponents) : null,
    // Null would be a row of an earlier version.
    shared: JSON.stringify(facts.shared ?? {}),
  };
}

export function factsOf(row: FactRow): DomainFacts {
  return {
    active: row.active === 1,
    mxExists: row.mx_exists === 1,
    nameServers: JSON.parse(row.name_servers),
    riskScore: row.risk_score ?? undefined,
    riskStatus: row.risk_status ?? undefined,
    riskComponents: row.risk_components === null ? undefined : JSON.parse(row.risk_components),
  };
}
