/** Synthetic names that a model learns in a second: bad names combine a brand and an action, good names two nouns. */
import { seededRandom } from '../../../tools/risk-model/seeded-random.ts';
import { trainNameModel } from '../../../tools/risk-model/train-name-model.ts';
import { type NameLabel, TrainingSet } from '../../../tools/risk-model/training-set.ts';

const brands = ['acmebank', 'acmepay', 'globex', 'initech', 'umbrella'];
const errands = ['login', 'verify', 'secure', 'account', 'wallet', 'support', 'confirm'];
const things = [
  'garden',
  'bakery',
  'studio',
  'river',
  'oak',
  'bike',
  'music',
  'coffee',
  'house',
  'paper',
  'stone',
];
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const suffixes = ['com', 'net', 'top', 'shop', 'co.uk'];

export interface LabelledNames {
  readonly name: string;
  readonly label: NameLabel;
  readonly date: string;
}

export function labelledNames(count: number, seed = 7): readonly LabelledNames[] {
  const random = seededRandom(seed);
  const one = (list: readonly string[]) => list[Math.floor(random() * list.length)] as string;
  const noise = (length: number) => Array.from({ length }, () => one(letters)).join('');
  const labelOf: Readonly<Record<NameLabel, () => string>> = {
    phishing: () => `${one(brands)}-${one(errands)}${Math.floor(random() * 1000)}`,
    malware: () => noise(14),
    spam: () => `best-${one(things)}-offers-${Math.floor(random() * 10_000)}`,
    good: () => `${one(things)}${one(things)}${noise(2)}`,
    popular: () => `${one(things)}${one(things)}`,
  };
  const labels: readonly NameLabel[] = ['phishing', 'malware', 'spam', 'good', 'good', 'good', 'popular'];
  return Array.from({ length: count }, (_, at) => {
    const label = labels[at % labels.length] as NameLabel;
    return {
      name: `${labelOf[label]()}.${one(suffixes)}`,
      label,
      date: `${2020 + (at % 6)}-0${1 + (at % 9)}-15`,
    };
  });
}

export function smallSet(count = 6000, seed = 7): TrainingSet {
  const set = new TrainingSet();
  for (const { name, label, date } of labelledNames(count, seed)) set.add(name, label, { date });
  return set;
}

export const smallOptions = { seed: 1, bucketBits: 14, trees: 12, rowsMax: 10_000 };

export function smallModel() {
  return trainNameModel(smallSet(), smallOptions);
}
