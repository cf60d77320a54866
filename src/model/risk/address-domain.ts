/**
 * What a domain is to the addresses that it was seen at: known to be bad, thought to be, good, or none of these. Proximity does not count
 * here: it comes from addresses, and would make every neighbour of a bad domain a reason against the address of both.
 */
import { findDayMs } from '../instant.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import { registrationOf } from '../record/registration.ts';
import { findComponent, riskStatusOf, threatComponent } from './domain-risk.ts';
import { type Threat, threats } from './threat.ts';
import { findTrust } from './trust.ts';
import { badVerdictsOf, isBad, type Verdict } from './verdict.ts';

export interface AddressDomain {
  /** How often passive DNS saw it there. */
  readonly resolutions: number;
  /** What lists say that it is bad for. */
  readonly known: readonly Threat[];
  /** Known to be bad, but a lawful site that was broken into: many use it, or it is old. */
  readonly isCompromised: boolean;
  /** What its full score says that it is bad for, where no list knows it. */
  readonly predicted: readonly Threat[];
  readonly isZeroListed: boolean;
}

/** What is known of the domain. */
export interface DomainAtAddress {
  readonly record: DomainRecord | undefined;
  readonly verdicts: readonly Verdict[];
  readonly resolutions: number;
}

export interface AddressDomainSettings {
  readonly popularRankMax: number;
  readonly addressScoreMin: number;
}

const yearMs = 365 * 86_400_000;

export function addressDomainOf(
  { record, verdicts, resolutions }: DomainAtAddress,
  settings: AddressDomainSettings,
  nowMs: number,
): AddressDomain {
  const labels = new Set(badVerdictsOf(verdicts).map(({ label }) => label));
  const known = threats.filter((threat) => labels.has(threat));
  const isTrusted = findTrust({ record, verdicts }, settings.popularRankMax) !== undefined;
  const isZeroListed = isTrusted || (known.length === 0 && hasZeroScore(record));
  return {
    resolutions,
    known,
    isCompromised: known.length > 0 && (wasTrusted(record, verdicts, settings) || isOld(record, nowMs)),
    predicted: known.length > 0 || isZeroListed ? [] : predictedOf(record, settings.addressScoreMin),
    isZeroListed,
  };
}

export function isBadDomain({ known, predicted }: AddressDomain): boolean {
  return known.length > 0 || predicted.length > 0;
}

/** But for the lists that say that it is bad. */
function wasTrusted(
  record: DomainRecord | undefined,
  verdicts: readonly Verdict[],
  { popularRankMax }: AddressDomainSettings,
): boolean {
  const others = verdicts.filter((verdict) => !isBad(verdict));
  return findTrust({ record, verdicts: others }, popularRankMax) !== undefined;
}

/** Whoever brought the record may know more good domains than our lists do. */
function hasZeroScore(record: DomainRecord | undefined): boolean {
  return record?.domain_risk !== undefined && findComponent(record.domain_risk, 'zerolist') !== undefined;
}

function isOld(record: DomainRecord | undefined, nowMs: number): boolean {
  const createdMs = findDayMs((record && registrationOf(record).create_date) ?? '');
  return createdMs !== undefined && nowMs - createdMs > yearMs;
}

/** A provisional score is of the name alone, and says too little to speak against an address. */
function predictedOf(record: DomainRecord | undefined, scoreMin: number): readonly Threat[] {
  const risk = record?.domain_risk;
  if (!risk || riskStatusOf(risk) !== 'full') return [];
  return threats.filter((threat) => (findComponent(risk, threatComponent(threat)) ?? 0) >= scoreMin);
}
