/** The facts from a domain's record as columns. */
import type { DomainFacts } from '../../../model/detect/watchlist.ts';

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
