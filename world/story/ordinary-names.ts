/** Names and titles of ordinary owners: what they do, and what they call it. */
import { domainToASCII } from 'node:url';
import type { Random } from './random.ts';
import { topLevelDomains } from './top-level-domains.ts';

const firstWords = [
  'maple',
  'granite',
  'silver',
  'copper',
  'willow',
  'meadow',
  'harvest',
  'lantern',
  'juniper',
  'coastal',
  'northern',
  'little',
  'old',
  'sunny',
  'quiet',
  'alpine',
  'käse',
  'blüten',
  'éclair',
  'señor',
  'fjord',
  'mistral',
  'saffron',
  'indigo',
] as const;

const trades = [
  ['bakery', 'Bakery', 'fresh bread every morning'],
  ['cycles', 'Cycles', 'repairs and new bikes'],
  ['press', 'Press', 'books that we like'],
  ['garden', 'Garden Centre', 'plants for every season'],
  ['studio', 'Studio', 'photographs and portraits'],
  ['clinic', 'Veterinary Clinic', 'for animals large and small'],
  ['roofing', 'Roofing', 'roofs since 1974'],
  ['coffee', 'Coffee Roasters', 'beans by post'],
  ['yoga', 'Yoga', 'classes for beginners'],
  ['legal', 'Legal', 'advice in plain words'],
  ['robotics', 'Robotics', 'machines that help'],
  ['travel', 'Travel', 'journeys by train'],
  ['school', 'Music School', 'lessons for all ages'],
  ['farm', 'Farm', 'vegetables from the field'],
  ['records', 'Records', 'vinyl and tea'],
  ['weather', 'Weather', 'forecasts for the valley'],
] as const;

export interface OrdinaryName {
  readonly name: string;
  readonly title: string;
}

export function newOrdinaryName(random: Random, isTaken: (name: string) => boolean): OrdinaryName {
  const [first, [trade, called, motto]] = [random.pick(firstWords), random.pick(trades)];
  const topLevel = random.pickSkewed(topLevelDomains);
  const title = `${capital(first)} ${called} – ${motto}`;
  const glue = random.chance(0.25) ? '-' : '';
  for (let number = 1; ; number += number < 3 ? 1 : random.between(1, 1000)) {
    const name = domainToASCII(`${first}${glue}${trade}${number === 1 ? '' : number}.${topLevel}`);
    if (!isTaken(name)) return { name, title };
  }
}

const soughtWords = ['cheap', 'best', 'online', 'free', 'top', 'my', 'the', 'go'];
export const soughtThings = [
  'tickets',
  'flights',
  'loans',
  'games',
  'phones',
  'recipes',
  'quotes',
  'jobs',
  'dating',
];

/** A plausible name that is not registered. */
export function newSoughtName(random: Random, isTaken: (name: string) => boolean): string {
  const label = `${random.pick(soughtWords)}${random.pick(soughtThings)}`;
  const topLevel = random.pick(topLevelDomains);
  for (let number = 1; ; number += number < 3 ? 1 : random.between(1, 1000)) {
    const name = `${label}${number === 1 ? '' : number}.${topLevel}`;
    if (!isTaken(name)) return name;
  }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
