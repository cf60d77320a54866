/** Days of the simulated Internet: who registered what, and the records that collectors would have made of it. No server of the world runs. */
import type { RecordUpdate } from '../../src/store/domain-store.ts';
import { WorldClock } from '../../world/clock.ts';
import { dayMs } from '../../world/story/life.ts';
import { Story } from '../../world/story/story.ts';
import type { ActorKind, WorldDomain } from '../../world/world-domain.ts';

export class SimulatedDays {
  readonly #clock: WorldClock;
  /** The latest state of each domain that something happened to since the last day, gone ones as they were before. */
  readonly #changed = new Map<string, WorldDomain>();
  /** Who had each of them last. */
  readonly #actors = new Map<string, ActorKind>();
  /** Those that crews bought from parkers. */
  readonly #bought = new Set<string>();

  constructor(seed: number, startMs: number, eventsPerHour: number) {
    this.#clock = new WorldClock({ startMs, speed: 0, machineNow: () => startMs });
    const { view } = new Story({ seed, domains: 0, startMs, eventsPerHour, hostile: false }, this.#clock);
    view.follow(({ domain: name }) => {
      const domain = view.find(name);
      if (!domain) return;
      if (domain.actor === 'crew' && this.#actors.get(name) === 'parker') this.#bought.add(name);
      this.#actors.set(name, domain.actor);
      this.#changed.set(name, domain);
    });
  }

  now(): number {
    return this.#clock.now();
  }

  readonly isCrews = (name: string): boolean => this.#actors.get(name) === 'crew';

  readonly isBought = (name: string): boolean => this.#bought.has(name);

  /** Records of everything that happened in the next day. */
  async nextDay(): Promise<readonly RecordUpdate[]> {
    await this.#clock.advance(dayMs);
    const domains = [...this.#changed.values()];
    this.#changed.clear();
    return domains.map(({ name, nameServers }) => ({
      record: { domain: name, name_server: nameServers.map((host) => ({ host })) },
      source: 'bench',
      seenMs: this.now(),
    }));
  }
}
