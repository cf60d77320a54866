/** The input of a domain's score, and the result. */
import type { DomainRecord } from '../record/domain-record.ts';
import type { SharedLink } from './proximity/link.ts';
import type { RiskReason } from './risk-reason.ts';
import type { Verdict } from './verdict.ts';

export type RiskStatus = 'provisional' | 'full';

/** The `domain_risk` member of a record: overall score and components. */
export type DomainRisk = NonNullable<DomainRecord['domain_risk']>;

/** Everything that a score is computed from. */
export interface RiskFacts {
  /** A registrable domain, punycode. */
  readonly domain: string;
  readonly record: DomainRecord | undefined;
  readonly verdicts: readonly Verdict[];
  readonly links: readonly SharedLink[];
  /** When it was discovered, if known. */
  readonly seenMs: number | undefined;
  readonly status: RiskStatus;
  readonly nowMs: number;
}

export interface RiskContribution extends RiskReason {
  /** A component: `proximity`, `threat_profile_phishing`. */
  readonly component: string;
  /** The contract's word for such evidence: `domain name`, `ip address`. Undefined for the base value that every domain has. */
  readonly evidence: string | undefined;
  /** The points of one component sum to its score. */
  readonly points: number;
}

export interface Assessment {
  readonly domain: string;
  readonly status: RiskStatus;
  readonly risk: DomainRisk;
}
