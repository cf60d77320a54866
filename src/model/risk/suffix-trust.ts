/**
 * How much of what the weights of suffixes say is added to what the trees say. What a country's registry asks of those who register
 * lasts for years. Which of the generic top-level domains are full of bad names changes with their prices, so that they are believed
 * by half, and none of them makes a name suspicious by itself.
 */
export interface SuffixTrust {
  /** The share of what is said that counts. */
  readonly country: number;
  readonly generic: number;
  /** The most that a generic suffix may say for a threat, in log-odds. */
  readonly genericMax: number;
}

const countryCodeLength = 2;

export function trustedLogOdds(trust: SuffixTrust, suffix: string, said: number): number {
  const isCountry = suffix.length - suffix.lastIndexOf('.') - 1 === countryCodeLength;
  return isCountry ? said * trust.country : Math.min(trust.genericMax, said * trust.generic);
}
