/** Who acts in the story besides ordinary owners. */
import { type Crew, crewDomains, hirelingDomain, newCrew } from './crews.ts';
import type { Life } from './life.ts';
import { type Host, mailOperators, nameServerOperators, parkingOperator } from './operators.ts';
import { newParker, type Parker } from './parkers.ts';
import type { Random } from './random.ts';
import { crewServiceLife } from './service-domains.ts';

const parkerCount = 3;

export interface Cast {
  readonly crews: readonly Crew[];
  /** For what is asked for beside the story. */
  readonly hireling: Crew;
  readonly parkers: readonly Parker[];
}

export function newCast(random: Random): Cast {
  return {
    crews: crewDomains.map((domain, index) => newCrew(random.derive(domain), domain, index)),
    hireling: newCrew(random.derive(hirelingDomain), hirelingDomain, crewDomains.length),
    parkers: Array.from({ length: parkerCount }, (_, index) =>
      newParker(random.derive(`parker/${index}`), index),
    ),
  };
}

export function crewDomainsOf({ crews, hireling }: Cast, registeredMs: number): readonly Life[] {
  return [...crews, hireling].map((crew, index) => crewServiceLife(crew, registeredMs + index * 1000));
}

/** Name servers and mail hosts, by name. */
export function hostsOf({ crews, hireling }: Cast): ReadonlyMap<string, Host> {
  const all = [...nameServerOperators, ...mailOperators, parkingOperator, ...crews, hireling];
  return new Map(all.flatMap(({ hosts }) => hosts).map((host) => [host.name, host]));
}
