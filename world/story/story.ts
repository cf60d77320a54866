/**
 * Who has which names, where they lead, and what happens to them, from a seed. The same seed, start and number of domains give the same
 * world to the letter, and the same events at the same times. It knows nothing of protocols.
 */
import type { WorldClock } from '../clock.ts';
import type { WorldDomain, WorldView } from '../world-domain.ts';
import { brands } from './brands.ts';
import { type Cast, hostsOf, newCast } from './cast.ts';
import { DomainBook } from './domain-book.ts';
import { Errands } from './errands.ts';
import { type HostileAnswer, hostileAnswers } from './hostile-answers.ts';
import { hourMs, isHeld, type Life, type Step } from './life.ts';
import { networks, siteAddresses } from './networks.ts';
import type { Host } from './operators.ts';
import { pastLives } from './past.ts';
import { Random } from './random.ts';
import { registrars } from './registrars.ts';
import { clusterAppears, eventsPerScene, nextScene, type Scene } from './scenes.ts';
import { serviceDomains } from './service-domains.ts';
import { topLevelDomains } from './top-level-domains.ts';

export interface StoryOptions {
  readonly seed: number;
  readonly domains: number;
  readonly startMs: number;
  readonly eventsPerHour: number;
  readonly hostile: boolean;
}

/** The first cluster comes early, so that a visitor sees one soon. */
const firstSceneMs = 2000;

export class Story {
  readonly view: WorldView;
  readonly errands: Errands;
  /** Name servers and mail hosts, by name. */
  readonly hosts: ReadonlyMap<string, Host>;
  /** The most visited domains, the most popular first. */
  readonly popular: readonly string[];
  readonly #random: Random;
  readonly #clock: WorldClock;
  readonly #options: StoryOptions;
  readonly #book = new DomainBook();
  readonly #cast: Cast;
  /** Of ordinary owners. May hold names that were given up. */
  readonly #owned: string[] = [];
  #scenes = 0;

  constructor(options: StoryOptions, clock: WorldClock) {
    this.#random = new Random(`world/${options.seed}`);
    this.#clock = clock;
    this.#options = options;
    this.#cast = newCast(this.#random);
    this.hosts = hostsOf(this.#cast);
    this.view = viewOf(this.#book, clock);
    this.errands = new Errands(this.#random, this.#cast, this.#book, clock);
    for (const life of pastLives(this.#random, this.#cast, options)) {
      this.#book.put(life.domain);
      this.#goOn(life);
    }
    this.popular = this.#ranked();
    if (options.eventsPerHour > 0) this.#planScene(options.startMs + firstSceneMs);
  }

  /** What DNS must say whatever is registered; by host. */
  findHostileAnswer(name: string): HostileAnswer | undefined {
    return this.#options.hostile ? hostileAnswers.get(name) : undefined;
  }

  #planScene(atMs: number): void {
    this.#clock.schedule(atMs, () => {
      const random = this.#random.derive(`scene/${this.#scenes}`);
      this.#play(this.#scenes === 0 ? clusterAppears : nextScene, random);
      this.#scenes += 1;
      const meanMs = (hourMs * eventsPerScene) / this.#options.eventsPerHour;
      this.#planScene(this.#clock.now() + Math.max(1, Math.round(meanMs * (0.3 + 1.4 * random.fraction()))));
    });
  }

  #play(play: typeof nextScene, random: Random): void {
    const isTaken = (name: string) => this.#book.has(name);
    const owned = this.#owned.filter((name) => this.#book.find(name)?.site !== undefined);
    const scene: Scene = play(random, { cast: this.#cast, atMs: this.#clock.now(), isTaken, owned });
    for (const life of scene.lives) this.#begin(life);
    if (scene.sudden) this.#applyStep(scene.sudden.step, scene.sudden.name);
  }

  #begin(life: Life): void {
    const { domain } = life;
    this.#clock.schedule(domain.registeredMs, () => {
      // The name may have been registered meanwhile.
      if (this.#book.has(domain.name)) return;
      this.#book.record('registered', domain.name, domain.registeredMs, domain);
      this.#goOn(life);
    });
  }

  #goOn({ domain, steps }: Life): void {
    if (domain.actor === 'owner' && !serviceDomains.has(domain.name)) this.#owned.push(domain.name);
    const { name, registeredMs } = domain;
    for (const step of steps) {
      this.#clock.schedule(registeredMs + step.afterMs, () => {
        if (this.#book.find(name)?.registeredMs === registeredMs) this.#applyStep(step, name);
      });
    }
  }

  /** What was taken down stays so: nothing but its end can happen to it. */
  #applyStep({ kind, change }: Step, name: string): void {
    const domain = this.#book.get(name);
    if (kind !== 'dropped' && isHeld(domain)) return;
    const atMs = this.#clock.now();
    this.#book.record(kind, name, atMs, change(domain, atMs));
  }

  #ranked(): readonly string[] {
    const homes = brands.map(({ domain }) => domain);
    const used = (domain: WorldDomain) => domain.actor === 'owner' && domain.site !== undefined;
    const names = [...this.#book.values()].filter(used).map(({ name }) => name);
    return [...homes, ...this.#random.derive('popular').some(names, rankedMax)];
  }
}

const rankedMax = 1000;

function viewOf(book: DomainBook, clock: WorldClock): WorldView {
  return {
    topLevelDomains,
    registrars,
    networks,
    siteAddresses,
    now: () => clock.now(),
    find: (name) => book.find(name),
    domains: () => book.values(),
    follow: (onEvent) => book.follow(onEvent),
  };
}
