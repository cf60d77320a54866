/** The facts of a record by which watchlists are filtered and sorted. */
import type { DomainRecord } from '../record/domain-record.ts';
import { registrationOf } from '../record/registration.ts';
import { trackerMembers } from '../record/tracker-members.ts';
import type { DomainRisk } from '../risk/assessment.ts';
import { findComponent, riskStatusOf } from '../risk/domain-risk.ts';
import type { DomainFacts, RiskComponents, SharedFacts } from './watchlist.ts';

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
    shared: sharedFactsOf(record),
  };
}

/** A hostile record may have thousands of values; lists are filtered and grouped by the first of each kind. */
const valuesMax = 20;

export function sharedFactsOf(record: DomainRecord): SharedFacts {
  const { ip = [], ssl_info = [] } = record;
  return {
    registrar: registrationOf(record).registrar ?? '',
    ip: first(ip.map(({ address }) => address)),
    country: first(ip.map(({ country_code = '' }) => country_code)),
    certificate: first(ssl_info.map(({ hash }) => hash)),
    analytics: first(trackerMembers.flatMap((member) => record[member] ?? [])),
  };
}

function first(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').slice(0, valuesMax);
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
