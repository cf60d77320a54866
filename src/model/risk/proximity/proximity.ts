/**
 * Guilt by association: how close a domain is to known bad domains, by the links it shares with them. Each link contributes a
 * probability, which grows with the strength of its kind, with the number and share of bad domains that have it and with the
 * confidence in those, and falls with the number of domains that have it. Links of one group (two name servers of one operator, the
 * name and the e-mail address of one person) count once, by the strongest; groups are combined as independent probabilities (noisy-OR).
 */
import { codeOf, type RiskReason } from '../risk-reason.ts';
import type { SharedLink } from './link.ts';
import { type LinkStrength, strengthOf } from './link-strength.ts';

export interface ProximityPart extends RiskReason {
  /** The contract's word; undefined for the base value that every domain has. */
  readonly evidence: string | undefined;
  readonly points: number;
}

export interface Proximity {
  /** 1 to 99: 1 if no link leads to a known bad domain, because 0 is for zero-listed domains. */
  readonly score: number;
  /** Their points sum to the score. */
  readonly parts: readonly ProximityPart[];
}

const scoreMin = 1;
const scoreMax = 99;
const valueCharactersShown = 80;

interface WeightedLink {
  readonly link: SharedLink;
  readonly strength: LinkStrength;
  readonly chance: number;
}

export function proximityOf(links: readonly SharedLink[]): Proximity {
  const parts: ProximityPart[] = [
    { code: 'base', reason: 'any domain', evidence: undefined, points: scoreMin },
  ];
  let [clean, score] = [1, scoreMin];
  for (const { link, strength, chance } of strongestOfGroups(links)) {
    clean *= 1 - chance;
    const points = scoreOf(1 - clean) - score;
    score += points;
    if (points > 0) parts.push({ ...reasonOf(link, strength), evidence: strength.evidence, points });
  }
  return { score, parts };
}

function strongestOfGroups(links: readonly SharedLink[]): readonly WeightedLink[] {
  const strongest = new Map<LinkStrength['group'], WeightedLink>();
  for (const link of links) {
    if (!(link.bad > 0)) continue;
    const strength = strengthOf(link);
    const weighted = { link, strength, chance: chanceOf(link, strength) };
    const known = strongest.get(strength.group);
    if (!known || known.chance < weighted.chance) strongest.set(strength.group, weighted);
  }
  return [...strongest.values()].sort((a, b) => b.chance - a.chance);
}

/** Beyond this count only the share of bad domains matters; smoothing keeps the share of a few domains small. */
const badCountedMax = 10;
const domainsSmoothed = 10;
const shareSteepness = 2.5;

/** `domains` may lag behind `bad`, so it is raised to it. */
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

function reasonOf({ value, domains, bad }: SharedLink, { words }: LinkStrength): RiskReason {
  const of = domains === undefined ? '' : ` of ${Math.max(domains, bad + 1)}`;
  return {
    code: `shared-${codeOf(words)}`,
    reason: `shared ${words} (${bad} bad${of})`,
    value: value.slice(0, valueCharactersShown),
  };
}
