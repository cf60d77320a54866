/**
 * Labels that are one word with which many other names begin (`paypal`, of `paypal-login` and `paypalsecure`). What is suspicious inside
 * a longer name is ordinary as a whole label where the organization of that name is at home, so the log-odds of such labels hardly rise
 * above a cap for each kind of suffix. Which words these are is known from longer names only: no label is stored.
 */
import { threats } from '../threat.ts';
import type { NameGrams } from './name-grams.ts';

export interface SingleWords {
  /** By hash of a word: whether many names begin with it. */
  readonly stems: Uint8Array;
  /** For each threat and each kind of suffix the maximum log-odds of the label. */
  readonly caps: Float32Array;
}

export const stemBits = 22;

const kinds = { com: 0, old: 1, country: 2, other: 3 };
const kindCount = Object.keys(kinds).length;
export const capCount = threats.length * kindCount;
const oldSuffixes = new Set(['edu', 'gov', 'int', 'mil', 'net', 'org']);
const countryCodeLength = 2;

/**
 * Who registers a single word there: under `com` and the other old suffixes, nearly always the organization of that name; under a
 * country's suffix, often; under other generic suffixes, mostly somebody else.
 */
function suffixKind(suffix: string): number {
  if (suffix === 'com') return kinds.com;
  if (oldSuffixes.has(suffix)) return kinds.old;
  const isCountry = suffix.length - suffix.lastIndexOf('.') - 1 === countryCodeLength;
  return isCountry ? kinds.country : kinds.other;
}

export function isStem(grams: NameGrams, stems: Uint8Array): boolean {
  return grams.isSingleWord && stems[grams.wholeHash & (stems.length - 1)] === 1;
}

/** The index of a cap in `caps`. */
export function capIndex(slot: number, suffix: string): number {
  return slot * kindCount + suffixKind(suffix);
}

/** Above the cap log-odds grow with the logarithm of the excess alone, so that the order of labels stays. */
export function cappedLogOdds(logOdds: number, cap: number): number {
  return logOdds > cap ? cap + Math.log1p(logOdds - cap) : logOdds;
}
