/**
 * The features of the trees: for each threat the weight sum of every n-gram group of the label, and the form of the label. The
 * weight of the suffix is not a feature: which suffixes phishers prefer changes monthly, and the trees would overfit to it.
 */

import { threats } from '../threat.ts';
import { letterLogLikelihood } from './letter-model.ts';
import { gramGroups } from './name-grams.ts';
import type { NameParts } from './name-parts.ts';

/** A sum for each label group, and their total. */
export const sumsPerThreat = gramGroups.length;
const formNames = [
  'length',
  'digits',
  'hyphens',
  'vowels',
  'consonants',
  'numbers',
  'changes',
  'usual',
  'oddest',
  'variety',
  'international',
] as const;
export const formFrom = threats.length * sumsPerThreat;
export const featureCount = formFrom + formNames.length;

const vowel = 1;
const consonant = 2;
const digit = 3;
const hyphen = 4;

const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[aeiouy]/.test(character)) return vowel;
  if (/[a-z]/.test(character)) return consonant;
  if (/[0-9]/.test(character)) return digit;
  return character === '-' ? hyphen : 0;
});

const seenCodes = new Uint8Array(256);

/** Fills the form features, from `formFrom` on. */
export function fillForm(
  features: Float32Array,
  { label, isInternational }: NameParts,
  letters: Uint8Array,
): void {
  let [vowels, digits, hyphens, changes, variety] = [0, 0, 0, 0, 0];
  let [run, consonants, numbers, before] = [0, 0, 0, 0];
  const length = label.length;
  seenCodes.fill(0);
  for (let at = 0; at < length; at += 1) {
    const code = label.charCodeAt(at) & 0xff;
    const kind = kinds[code] as number;
    if (seenCodes[code] === 0) variety += 1;
    seenCodes[code] = 1;
    if (kind === vowel) vowels += 1;
    else if (kind === digit) digits += 1;
    else if (kind === hyphen) hyphens += 1;
    run = kind === before ? run + 1 : 1;
    if (kind === consonant && run > consonants) consonants = run;
    if (kind === digit && run > numbers) numbers = run;
    if ((kind === digit) !== (before === digit) && at > 0) changes += 1;
    before = kind;
  }
  const { mean, least } = letterLogLikelihood(label, letters);
  const share = 1 / Math.max(1, length);
  let to = formFrom;
  features[to++] = length;
  features[to++] = digits;
  features[to++] = hyphens;
  features[to++] = vowels * share;
  features[to++] = consonants;
  features[to++] = numbers;
  features[to++] = changes;
  features[to++] = mean;
  features[to++] = least;
  features[to++] = variety * share;
  features[to++] = isInternational ? 1 : 0;
}

/** The names of feature groups in explanations. */
export const reasons = ['words', 'form', 'suffix'] as const;
export type Reason = (typeof reasons)[number];

/** By group of n-grams; the last is the total. */
const groupReasons: readonly Reason[] = ['words', 'words', 'form', 'words', 'suffix', 'words'];

export function reasonOf(feature: number): Reason {
  return feature >= formFrom ? 'form' : (groupReasons[feature % sumsPerThreat] as Reason);
}
