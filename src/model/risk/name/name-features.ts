/**
 * The features of the trees: for each threat the weight sum of every n-gram group, and the form of the label. The
 * weight of the suffix is not a feature: which suffixes phishers prefer changes monthly, and the trees would overfit to it.
 */

import { threats } from '../threat.ts';
import { letterLogLikelihood } from './letter-model.ts';
import { gramGroups, type NameGrams } from './name-grams.ts';
import type { NameParts } from './name-parts.ts';

/** A sum for each group, and their total. */
export const sumsPerThreat = gramGroups.length + 1;
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
  'words',
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

/** Fills the form features, from `formFrom` on. `grams` has read the same name. */
export function fillForm(
  features: Float32Array,
  { label, isInternational }: NameParts,
  grams: NameGrams,
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
  features[to++] = grams.wordCount;
}

/** The feature groups of an evaluation, each with its reason in explanations. `single word` and `suffix` are not of the trees. */
const groupReasons = {
  'n-grams': 'words',
  words: 'words',
  'whole label': 'words',
  'single word': 'words',
  pattern: 'form',
  length: 'form',
  digits: 'form',
  hyphens: 'form',
  'letter order': 'form',
  internationalized: 'form',
  'letters by suffix': 'suffix',
  suffix: 'suffix',
} as const;

export const reasons = ['words', 'form', 'suffix'] as const;
export type Reason = (typeof reasons)[number];
export type FeatureGroup = keyof typeof groupReasons;
export const featureGroups = Object.keys(groupReasons) as FeatureGroup[];

const groupsOfSums: readonly FeatureGroup[] = [
  'n-grams',
  'n-grams',
  'pattern',
  'words',
  'whole label',
  'letters by suffix',
  'n-grams',
];
const groupsOfForm: Readonly<Record<(typeof formNames)[number], FeatureGroup>> = {
  length: 'length',
  digits: 'digits',
  hyphens: 'hyphens',
  vowels: 'letter order',
  consonants: 'letter order',
  numbers: 'digits',
  changes: 'digits',
  usual: 'letter order',
  oddest: 'letter order',
  variety: 'letter order',
  international: 'internationalized',
  words: 'hyphens',
};

export function featureGroupOf(feature: number): FeatureGroup {
  const name = formNames[feature - formFrom];
  return name ? groupsOfForm[name] : (groupsOfSums[feature % sumsPerThreat] as FeatureGroup);
}

export function reasonOf(feature: number): Reason {
  return groupReasons[featureGroupOf(feature)];
}
