/**
 * The risk of an address: statistics of the domains that passive DNS observed there, as the 32 fields of the address risk feeds.
 * Percentages are of all domains of the address and are rounded up, so that a percentage exceeds an integer exactly when the true share
 * does: 51 is more than half, 50 is not, and a non-zero share never shows as 0.
 */

import type { FeedRecord } from '../../feed/feed.ts';
import { secondText } from '../../feed/second.ts';
import type { Threat } from '../threat.ts';
import { type AddressDomain, isBadDomain } from './address-domain.ts';

export interface AddressRiskFacts {
  readonly ip: string;
  /** Distinct. */
  readonly domains: readonly AddressDomain[];
  /** Location and owner; the country as its two-letter code. */
  readonly location: { readonly asn?: number; readonly isp?: string; readonly country?: string };
  /** Known to be good, regardless of its domains. */
  readonly isZeroListed: boolean;
  readonly nowMs: number;
}

export type AddressRisk = FeedRecord<'iprisk'>;

export function addressRiskOf({ ip, domains, location, isZeroListed, nowMs }: AddressRiskFacts): AddressRisk {
  const bad = domains.filter(isBadDomain);
  const known = bad.filter((domain) => domain.known.length > 0);
  const counts = (threat: Threat) => countsOf(bad, threat);
  const [phishing, malware, spam] = [counts('phishing'), counts('malware'), counts('spam')];
  const percent = (part: number) => percentOf(part, domains.length);
  return {
    timestamp: secondText(Math.floor(nowMs / 1000)),
    ip,
    pdns_resolutions: resolutionsOf(domains),
    bad_pdns_resolutions: resolutionsOf(bad),
    total_domains: domains.length,
    third_party_threats: known.length,
    all_threats_combined_percent: percent(bad.length),
    combined_phishing_percent: percent(phishing.known + phishing.predicted),
    combined_malware_percent: percent(malware.known + malware.predicted),
    combined_spam_percent: percent(spam.known + spam.predicted),
    asn: location.asn ?? null,
    organization: location.isp ?? null,
    city: null,
    country: location.country?.toUpperCase() ?? null,
    latitude: null,
    longitude: null,
    all_threats_combined_count: bad.length,
    malicious_phishing: phishing.known - phishing.compromised,
    malicious_malware: malware.known - malware.compromised,
    malicious_spam: spam.known - spam.compromised,
    compromised_phishing: phishing.compromised,
    compromised_malware: malware.compromised,
    compromised_spam: spam.compromised,
    predicted_phishing: phishing.predicted,
    predicted_malware: malware.predicted,
    predicted_spam: spam.predicted,
    all_threats_percent: percent(known.length),
    percent_phishing: percent(phishing.known),
    percent_malware: percent(malware.known),
    percent_spam: percent(spam.known),
    zerolist_domains: domains.filter((domain) => domain.isZeroListed).length,
    zerolist_ip: isZeroListed,
  };
}

/** Whether more than `badPercentOver` percent of its domains are bad, compared by counts to avoid rounding. */
export function isHotAddress(risk: AddressRisk, badPercentOver: number): boolean {
  return !risk.zerolist_ip && 100 * risk.all_threats_combined_count > badPercentOver * risk.total_domains;
}

/** A domain counts for each of its threats. */
function countsOf(bad: readonly AddressDomain[], threat: Threat) {
  const known = bad.filter((domain) => domain.known.includes(threat));
  return {
    known: known.length,
    compromised: known.filter(({ isCompromised }) => isCompromised).length,
    predicted: bad.filter((domain) => domain.predicted.includes(threat)).length,
  };
}

function resolutionsOf(domains: readonly AddressDomain[]): number {
  const sum = domains.reduce((total, { resolutions }) => total + resolutions, 0);
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.ceil((100 * part) / whole);
}
