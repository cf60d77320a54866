/**
 * Classifies a domain for the risk of the addresses it resolved to: listed as bad, predicted bad, zero-listed, or none of these.
 * Proximity is not used: it is derived from addresses, and would turn every neighbour of a bad domain against their common address.
 */
import { dayMs } from '../../durations.ts';
import { findDayMs } from '../../instant.ts';
import type { DomainRecord } from '../../record/domain-record.ts';
import { registrationOf } from '../../record/registration.ts';
import { findComponent, riskStatusOf, threatComponent } from '../domain-risk.ts';
import { type Threat, threats } from '../threat.ts';
import { badVerdictsOf, isBad, type Verdict } from '../verdict.ts';
import { findZerolistReason, type ZerolistRules } from '../zerolist.ts';

export interface AddressDomain {
  /** How often passive DNS saw it there. */
  readonly resolutions: number;
  /** The threats for which lists name it. */
  readonly known: readonly Threat[];
  /** Listed as bad, but probably a compromised legitimate site: it is popular or old. */
  readonly isCompromised: boolean;
  /** The threats that its full score predicts, if no list names it. */
  readonly predicted: readonly Threat[];
  readonly isZeroListed: boolean;
}

/** The facts about the domain. */
export interface DomainAtAddress {
  /** A registrable domain, punycode. */
  readonly domain: string;
  readonly record: DomainRecord | undefined;
  readonly verdicts: readonly Verdict[];
  readonly resolutions: number;
}

export interface AddressDomainRules {
  readonly zerolist: ZerolistRules;
  readonly addressScoreMin: number;
}

const yearMs = 365 * dayMs;

export function addressDomainOf(
  { domain, record, verdicts, resolutions }: DomainAtAddress,
  { zerolist, addressScoreMin }: AddressDomainRules,
  nowMs: number,
): AddressDomain {
  const labels = new Set(badVerdictsOf(verdicts).map(({ label }) => label));
  const known = threats.filter((threat) => labels.has(threat));
  const isTrusted = findZerolistReason({ domain, record, verdicts }, zerolist) !== undefined;
  // Whether it would be zero-listed if the lists of bad domains did not name it.
  const others = verdicts.filter((verdict) => !isBad(verdict));
  const wasTrusted = findZerolistReason({ domain, record, verdicts: others }, zerolist) !== undefined;
  const isZeroListed = isTrusted || (known.length === 0 && hasZeroScore(record));
  return {
    resolutions,
    known,
    isCompromised: known.length > 0 && (wasTrusted || isOld(record, nowMs)),
    predicted: known.length > 0 || isZeroListed ? [] : predictedOf(record, addressScoreMin),
    isZeroListed,
  };
}

export function isBadDomain({ known, predicted }: AddressDomain): boolean {
  return known.length > 0 || predicted.length > 0;
}

/** An imported record may be zero-listed although no list here names it. */
function hasZeroScore(record: DomainRecord | undefined): boolean {
  return record?.domain_risk !== undefined && findComponent(record.domain_risk, 'zerolist') !== undefined;
}

function isOld(record: DomainRecord | undefined, nowMs: number): boolean {
  const createdMs = findDayMs((record && registrationOf(record).create_date) ?? '');
  return createdMs !== undefined && nowMs - createdMs > yearMs;
}

/** A provisional score is based on the name alone, which is too weak to count against an address. */
function predictedOf(record: DomainRecord | undefined, scoreMin: number): readonly Threat[] {
  const risk = record?.domain_risk;
  if (!risk || riskStatusOf(risk) !== 'full') return [];
  return threats.filter((threat) => (findComponent(risk, threatComponent(threat)) ?? 0) >= scoreMin);
}
