/** What had happened when the world begins: the last ten years, as lives that were lived so far. */

import { findDefensiveName, homeOf } from './brand-domains.ts';
import { brands } from './brands.ts';
import { type Cast, crewDomainsOf } from './cast.ts';
import { findCrewsDomain } from './crews.ts';
import { hostileLives } from './hostile-domains.ts';
import { dayMs, hourMs, type Life, livedUntil, yearMs } from './life.ts';
import { newOwner, type Owner, ownersDomain } from './owners.ts';
import { parkedDomain } from './parkers.ts';
import type { Random } from './random.ts';
import { serviceLives } from './service-domains.ts';

export interface PastOptions {
  readonly startMs: number;
  /** Never fewer than the brands, the operators and the hostile need. */
  readonly domains: number;
  readonly hostile: boolean;
}

const parkedShare = 0.15;
const defensiveShare = 0.02;
const crewShare = 0.03;
const newOwnerShare = 0.55;
const pastMs = 10 * yearMs;

/** In the order of registration. What is still to come of them is in their steps. */
export function pastLives(random: Random, cast: Cast, options: PastOptions): readonly Life[] {
  const { startMs } = options;
  const lives = new Map<string, Life>();
  const add = (life: Life | undefined) => {
    const lived = life && livedUntil(life, startMs);
    if (lived) lives.set(lived.domain.name, lived);
  };
  const isTaken = (name: string) => lives.has(name);
  for (const life of serviceLives(random.derive('services'), startMs - pastMs)) add(life);
  brands.forEach((brand, index) => {
    const registeredMs = startMs - pastMs + index * 90 * dayMs;
    add(homeOf({ brand, index, random: random.derive(brand.word), registeredMs }));
  });
  for (const life of crewDomainsOf(cast, startMs - 60 * dayMs)) add(life);
  if (options.hostile) for (const life of hostileLives(random.derive('hostile'), startMs)) add(life);

  const owners: Owner[] = [];
  for (let index = 0; lives.size < options.domains; index += 1) {
    add(ordinaryLife({ random: random.derive(`past/${index}`), cast, owners, startMs, isTaken }));
  }
  return [...lives.values()].sort(
    (one, other) =>
      one.domain.registeredMs - other.domain.registeredMs || (one.domain.name < other.domain.name ? -1 : 1),
  );
}

function ordinaryLife({
  random,
  cast,
  owners,
  startMs,
  isTaken,
}: {
  readonly random: Random;
  readonly cast: Cast;
  readonly owners: Owner[];
  readonly startMs: number;
  readonly isTaken: (name: string) => boolean;
}): Life | undefined {
  const kind = random.fraction();
  // More of them are young than old.
  const registeredMs = Math.round(startMs - hourMs - (pastMs - hourMs) * random.fraction() ** 1.5);
  if (kind < parkedShare) return parkedDomain(random.pickSkewed(cast.parkers), random, registeredMs, isTaken);
  if (kind < parkedShare + defensiveShare) {
    const index = random.below(brands.length);
    return findDefensiveName(
      { brand: brands[index] as (typeof brands)[number], index, random, registeredMs },
      isTaken,
    );
  }
  if (kind < parkedShare + defensiveShare + crewShare) {
    const recentMs = startMs - random.between(1, 5 * 24 * 60) * 60_000;
    const next = { registeredMs: recentMs, isTaken, isFirst: false };
    return findCrewsDomain(random.pick(cast.crews), random.pick(brands), random, next);
  }
  if (owners.length === 0 || random.chance(newOwnerShare)) owners.push(newOwner(random));
  const owner = random.chance(newOwnerShare) ? (owners.at(-1) as Owner) : random.pick(owners);
  return ownersDomain(owner, random, registeredMs, isTaken);
}
