/**
 * Events on request, beside the story, for tests and demonstrations. The n-th errand is the same in every
 * world of a seed, as long as the story has not taken its name.
 */
import type { WorldClock } from '../clock.ts';
import type { WorldDomain } from '../world-domain.ts';
import { findBrand } from './brands.ts';
import type { Cast } from './cast.ts';
import { type Crew, findCrewsDomain, hirelingDomain, nextAddresses } from './crews.ts';
import type { DomainBook } from './domain-book.ts';
import { isHeld, reported, type Step, takenDown } from './life.ts';
import { newOrdinaryAddress } from './owners.ts';
import type { Random } from './random.ts';

/** What makes a lookalike dangerous; what becomes of it later is for the one who asked. */
const firstSteps: readonly Step['kind'][] = ['hosted', 'certified', 'armed'];

export class Errands {
  readonly #random: Random;
  readonly #cast: Cast;
  readonly #book: DomainBook;
  readonly #clock: WorldClock;
  #done = 0;

  constructor(random: Random, cast: Cast, book: DomainBook, clock: WorldClock) {
    this.#random = random;
    this.#cast = cast;
    this.#book = book;
    this.#clock = clock;
  }

  /** Registered, hosted, certified and armed at once; by a crew of the story where one is named. */
  registerLookalike(word: string, crewDomain: string = hirelingDomain): WorldDomain {
    const brand = findBrand(word);
    if (!brand) throw new Error(`${word} is no brand of the world`);
    const crew = this.#crews().find(({ domain }) => domain === crewDomain);
    if (!crew) throw new Error(`${crewDomain} is no crew of the world`);
    const atMs = this.#clock.now();
    const isTaken = (name: string) => this.#book.has(name);
    const next = { registeredMs: atMs, isTaken, isFirst: false };
    const life = findCrewsDomain(crew, brand, this.#next(), next);
    if (!life) throw new Error(`every lookalike of ${word} is taken`);
    const { name } = life.domain;
    this.#book.record('registered', name, atMs, life.domain);
    for (const { kind, change } of life.steps.filter((step) => firstSteps.includes(step.kind))) {
      this.#book.record(kind, name, atMs, change(this.#book.get(name), atMs));
    }
    return this.#book.get(name);
  }

  moveHosting(name: string): WorldDomain {
    const [domain, random] = [this.#book.get(name), this.#next()];
    if (isHeld(domain)) throw new Error(`${name} is taken down`);
    const crew = this.#crews().find(({ hosts }) => domain.nameServers.includes(hosts[0]?.name ?? ''));
    let addresses = crew ? nextAddresses(crew, domain) : [];
    while (addresses.length === 0) {
      addresses = [newOrdinaryAddress(random)].filter((address) => !domain.addresses.includes(address));
    }
    this.#book.record('moved', name, this.#clock.now(), { ...domain, addresses });
    return this.#book.get(name);
  }

  takeDown(name: string): void {
    const [domain, atMs] = [this.#book.get(name), this.#clock.now()];
    if (!isHeld(domain)) this.#book.record('taken-down', name, atMs, takenDown(0).change(domain, atMs));
  }

  report(name: string): void {
    const [domain, atMs] = [this.#book.get(name), this.#clock.now()];
    if (domain.reportedMs !== undefined) return;
    this.#book.record('reported', name, atMs, reported(0).change(domain, atMs));
  }

  #crews(): readonly Crew[] {
    return [...this.#cast.crews, this.#cast.hireling];
  }

  #next(): Random {
    this.#done += 1;
    return this.#random.derive(`errand/${this.#done}`);
  }
}
