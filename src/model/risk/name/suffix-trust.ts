/**
 * How much of the suffix's log-odds is added to the trees' output. The registration policy of a country lasts for years. Which generic
 * top-level domains attract abuse changes with their prices, so their weight is halved and capped: none of them makes a name
 * suspicious by itself.
 */
export interface SuffixTrust {
  /** Factors on the suffix's log-odds. */
  readonly country: number;
  readonly generic: number;
  /** The maximum contribution of a generic suffix, in log-odds. */
  readonly genericMax: number;
}

const countryCodeLength = 2;

export function trustedLogOdds(trust: SuffixTrust, suffix: string, logOdds: number): number {
  const isCountry = suffix.length - suffix.lastIndexOf('.') - 1 === countryCodeLength;
  return isCountry ? logOdds * trust.country : Math.min(trust.genericMax, logOdds * trust.generic);
}
