/**
 * What happens from now on, scene by scene: a crew comes with a cluster, a shop opens, a parker buys (also lookalikes), an owner moves, a name is
 * given up. A scene begins lives; most of what happens is what becomes of them.
 */
import type { WorldDomain } from '../world-domain.ts';
import { brands } from './brands.ts';
import type { Cast } from './cast.ts';
import { findCrewsDomain } from './crews.ts';
import { type Life, minuteMs, type Step, secondMs } from './life.ts';
import { newOrdinaryAddress, newOwner, ownersDomain } from './owners.ts';
import { findParkedLookalike, parkedDomain } from './parkers.ts';
import type { Random } from './random.ts';

export interface SceneNeeds {
  readonly cast: Cast;
  readonly atMs: number;
  readonly isTaken: (name: string) => boolean;
  /** Domains of ordinary owners that have a site now. */
  readonly owned: readonly string[];
}

export interface Scene {
  readonly lives: readonly Life[];
  /** What happens at once to a domain that was there before. */
  readonly sudden?: { readonly name: string; readonly step: Step };
}

type Play = (random: Random, needs: SceneNeeds) => Scene;

/** On average, with all that becomes of it. */
export const eventsPerScene = 12;

const plays: readonly (readonly [share: number, play: Play])[] = [
  [0.3, clusterAppears],
  [0.35, ownerStarts],
  [0.1, parkerBuys],
  [0.1, ownerMoves],
  [0.08, certificateIsRenewed],
  [0.07, ownerGivesUp],
];

export function nextScene(random: Random, needs: SceneNeeds): Scene {
  let share = random.fraction();
  for (const [each, play] of plays) {
    share -= each;
    if (share < 0) return play(random, needs);
  }
  return clusterAppears(random, needs);
}

/** Three to eight lookalikes of one brand within minutes. */
export function clusterAppears(random: Random, { cast, atMs, isTaken }: SceneNeeds): Scene {
  const [crew, brand] = [random.pick(cast.crews), random.pick(brands)];
  const lives = new Map<string, Life>();
  const isGone = (name: string) => lives.has(name) || isTaken(name);
  let registeredMs = atMs;
  for (let left = random.between(3, 8); left > 0; left -= 1) {
    const next = { registeredMs, isTaken: isGone, isFirst: lives.size === 0 };
    const life = findCrewsDomain(crew, brand, random, next);
    if (life) lives.set(life.domain.name, life);
    registeredMs += random.between(5, 45) * secondMs;
  }
  return { lives: [...lives.values()] };
}

function ownerStarts(random: Random, { atMs, isTaken }: SceneNeeds): Scene {
  return { lives: [ownersDomain(newOwner(random), random, atMs, isTaken)] };
}

function parkerBuys(random: Random, { cast, atMs, isTaken }: SceneNeeds): Scene {
  const parker = random.pickSkewed(cast.parkers);
  const lives = new Map<string, Life>();
  const isGone = (name: string) => lives.has(name) || isTaken(name);
  for (let left = random.between(1, 5), at = atMs; left > 0; left -= 1, at += minuteMs) {
    const life = parkedDomain(parker, random, at, isGone);
    lives.set(life.domain.name, life);
  }
  // By chance of their own, so that the rest of the story does not depend on them.
  const own = random.derive('lookalikes');
  const about = { brand: own.pick(brands), buyer: own.pick(cast.crews) };
  for (let left = own.between(0, 4), registeredMs = atMs; left > 0; left -= 1, registeredMs += minuteMs) {
    const life = findParkedLookalike(parker, about, own, { registeredMs, isTaken: isGone });
    if (life) lives.set(life.domain.name, life);
  }
  return { lives: [...lives.values()] };
}

function ownerMoves(random: Random, needs: SceneNeeds): Scene {
  const address = newOrdinaryAddress(random);
  const change = (domain: WorldDomain) => ({ ...domain, addresses: [address] });
  return happensTo(random, needs, { kind: 'moved', afterMs: 0, change });
}

function certificateIsRenewed(random: Random, needs: SceneNeeds): Scene {
  const change = (domain: WorldDomain, atMs: number) => ({ ...domain, certifiedMs: atMs });
  return happensTo(random, needs, { kind: 'certified', afterMs: 0, change });
}

function ownerGivesUp(random: Random, needs: SceneNeeds): Scene {
  return happensTo(random, needs, { kind: 'dropped', afterMs: 0, change: () => undefined });
}

function happensTo(random: Random, { owned }: SceneNeeds, step: Step): Scene {
  return owned.length === 0 ? { lives: [] } : { lives: [], sudden: { name: random.pick(owned), step } };
}
