/** The facts of a record by which watchlists are filtered and sorted. */
import type { DomainRecord } from '../record/domain-record.ts';
import type { DomainRisk } from '../risk/assessment.ts';
import { findComponent, riskStatusOf } from '../risk/domain-risk.ts';
import type { DomainFacts, RiskComponents } from './watchlist.ts';

/** A domain is active unless its record says otherwise. */
export function factsOf(record: DomainRecord): DomainFacts {
  const { active = true, mx = [], name_server = [], domain_risk } = record;
  return {
    active,
    mxExists: mx.length > 0,
    nameServers: name_server.map(({ host }) => host),
    riskScore: domain_risk?.risk_score,
    riskStatus: domain_risk && riskStatusOf(domain_risk),
    riskComponents: domain_risk && riskComponentsOf(domain_risk),
  };
}

function riskComponentsOf(risk: DomainRisk): RiskComponents {
  return {
    proximity: findComponent(risk, 'proximity'),
    phishing: findComponent(risk, 'threat_profile_phishing'),
    malware: findComponent(risk, 'threat_profile_malware'),
    spam: findComponent(risk, 'threat_profile_spam'),
    evidence: risk.components.find(({ name }) => name === 'threat_profile')?.evidence ?? [],
  };
}
