/** Facts from records as columns, for statements that write many rows. */
import type { DomainFacts } from '../../../model/detect/watchlist.ts';

export function factFields(facts: DomainFacts) {
  return {
    active: facts.active,
    mx_exists: facts.mxExists,
    name_servers: facts.nameServers,
    risk_score: facts.riskScore ?? null,
    risk_status: facts.riskStatus ?? null,
    risk_components: facts.riskComponents ? JSON.stringify(facts.riskComponents) : null,
    // Null would be a row that is not filled yet.
    shared: facts.shared ?? {},
  };
}

/** Their types, and the assignments from rows named `new`. */
export const factTypes =
  'active boolean, mx_exists boolean, name_servers text[], risk_score int, risk_status text, risk_components text, shared jsonb';
export const factAssignments = `active = new.active, mx_exists = new.mx_exists, name_servers = new.name_servers,
  risk_score = new.risk_score, risk_status = new.risk_status, risk_components = new.risk_components, shared = new.shared`;
export const factNames = 'active, mx_exists, name_servers, risk_score, risk_status, risk_components, shared';
