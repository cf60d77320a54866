/**
 * How close a domain is to known bad ones, by what it shares with them. Each link makes it bad by a chance: the stronger its kind, the
 * fewer domains have it, the more of them are bad, and the surer that is, the greater; a link of thousands says nothing, unless a great
 * part of them is bad. Links that come of one decision (two servers of one operator, the name and the address of one person) count once,
 * by the strongest; the others add up as independent chances do.
 */
import type { SharedLink } from './link.ts';
import { type LinkStrength, strengthOf } from './link-strength.ts';

export interface ProximityPart {
  readonly reason: string;
  /** The contract's word; undefined for what every domain has. */
  readonly evidence: string | undefined;
  readonly points: number;
}

export interface Proximity {
  /** 1 to 99: 1 where no known bad domain is near, because 0 is for domains that are known to be good. */
  readonly score: number;
  /** Their points sum to the score. */
  readonly parts: readonly ProximityPart[];
}

const scoreMin = 1;
const scoreMax = 99;
const valueCharactersShown = 80;

interface Weighed {
  readonly link: SharedLink;
  readonly strength: LinkStrength;
  readonly chance: number;
}

export function proximityOf(links: readonly SharedLink[]): Proximity {
  const parts: ProximityPart[] = [{ reason: 'any domain', evidence: undefined, points: scoreMin }];
  let [clean, score] = [1, scoreMin];
  for (const { link, strength, chance } of strongestOfGroups(links)) {
    clean *= 1 - chance;
    const points = scoreOf(1 - clean) - score;
    score += points;
    if (points > 0) parts.push({ reason: reasonOf(link, strength), evidence: strength.evidence, points });
  }
  return { score, parts };
}

function strongestOfGroups(links: readonly SharedLink[]): readonly Weighed[] {
  const strongest = new Map<LinkStrength['group'], Weighed>();
  for (const link of links) {
    if (!(link.bad > 0)) continue;
    const strength = strengthOf(link);
    const weighed = { link, strength, chance: chanceOf(link, strength) };
    const known = strongest.get(strength.group);
    if (!known || known.chance < weighed.chance) strongest.set(strength.group, weighed);
  }
  return [...strongest.values()].sort((a, b) => b.chance - a.chance);
}

/** Of many bad ones it is their share that speaks, and of a few domains a share says little. */
const badCountedMax = 10;
const domainsSmoothed = 10;
const shareSteepness = 2.5;

/** A bad domain that was counted nowhere is one of those that have the link all the same. */
function chanceOf({ domains, bad, weight }: SharedLink, strength: LinkStrength): number {
  const others = domains === undefined ? 1 : Math.max(domains - 1, bad);
  const each = strength.chance * Math.min(1, strength.domainsFew / others);
  const byCount = 1 - (1 - each) ** Math.min(bad, badCountedMax);
  const share = domains === undefined ? 0 : bad / (others + domainsSmoothed);
  const byShare = 1 - Math.exp(-shareSteepness * share);
  return weight * strength.chanceMax * Math.max(Math.min(1, byCount / strength.chanceMax), byShare);
}

function scoreOf(chance: number): number {
  return Math.min(scoreMax, Math.max(scoreMin, Math.round(chance * 100)));
}

function reasonOf({ value, domains, bad }: SharedLink, { words }: LinkStrength): string {
  const of = domains === undefined ? '' : ` of ${Math.max(domains, bad + 1)}`;
  return `${words} ${value.slice(0, valueCharactersShown)} (${bad} bad${of})`;
}
