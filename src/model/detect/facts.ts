/** What lists are filtered and sorted by, out of the record of a domain. */
import type { DomainRecord } from '../record/domain-record.ts';
import type { DomainFacts, RiskComponents } from './watchlist.ts';

/** A domain that was seen is active until its record says something else. */
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

type Risk = NonNullable<DomainRecord['domain_risk']>;

/** A score is full when malware and spam are in it; one that is zero by decree is full from the beginning. */
function riskStatusOf(risk: Risk): 'provisional' | 'full' {
  if (scoreOf(risk, 'zerolist') !== undefined) return 'full';
  const { malware, spam } = riskComponentsOf(risk);
  return malware === undefined || spam === undefined ? 'provisional' : 'full';
}

function riskComponentsOf(risk: Risk): RiskComponents {
  return {
    proximity: scoreOf(risk, 'proximity'),
    phishing: scoreOf(risk, 'threat_profile_phishing'),
    malware: scoreOf(risk, 'threat_profile_malware'),
    spam: scoreOf(risk, 'threat_profile_spam'),
    evidence: risk.components.find(({ name }) => name === 'threat_profile')?.evidence ?? [],
  };
}

function scoreOf({ components }: Risk, wanted: string): number | undefined {
  return components.find(({ name }) => name === wanted)?.risk_score;
}
