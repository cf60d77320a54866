/** Tracker codes as sites carry them, by the member of the plain record in which Nameglass keeps them. */
import type { Random } from './random.ts';

export type Trackers = Readonly<Record<string, readonly string[]>>;

const capitals = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
const hex = '0123456789abcdef';

/** The most common first. */
const kinds: readonly (readonly [member: string, code: (random: Random) => string])[] = [
  ['analytics_v4_codes', (random) => `G-${random.characters(capitals, 10)}`],
  ['tag_manager_codes', (random) => `GTM-${random.characters(capitals, 7)}`],
  ['analytics_code', (random) => `UA-${random.between(1, 9)}${random.digits(7)}-1`],
  ['social_codes', (random) => `${random.between(1, 9)}${random.digits(14)}`],
  ['ad_tracker_code', (random) => `pub-${random.between(1, 9)}${random.digits(15)}`],
  ['heatmap_codes', (random) => `${random.between(1, 9)}${random.digits(6)}`],
  ['metrics_ru_codes', (random) => `${random.between(1, 9)}${random.digits(7)}`],
  ['analytics_cn_codes', (random) => random.characters(hex, 32)],
  ['selfhosted_analytics_codes', (random) => String(random.between(1, 400))],
  ['counter_project_codes', (random) => `${random.between(1, 9)}${random.digits(7)}`],
];

const noneShare = 0.3;

export function newTrackers(random: Random): Trackers {
  if (random.chance(noneShare)) return {};
  const chosen = new Set(Array.from({ length: random.between(1, 3) }, () => random.pickSkewed(kinds)));
  const trackers: Record<string, readonly string[]> = {};
  for (const [member, code] of chosen) trackers[member] = [code(random)];
  if (trackers['counter_project_codes']) trackers['counter_security_codes'] = [random.characters(hex, 8)];
  return trackers;
}

/** The one that a crew forgets to take out of its copies. */
export function newAnalyticsCode(random: Random): Trackers {
  return { analytics_code: [`UA-${random.between(1, 9)}${random.digits(7)}-1`] };
}
