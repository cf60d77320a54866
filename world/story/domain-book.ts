/** Which domains are registered now, and the subscribers to their events. */
import type { WorldDomain, WorldEvent } from '../world-domain.ts';

export class DomainBook {
  readonly #domains = new Map<string, WorldDomain>();
  readonly #subscribers = new Set<(event: WorldEvent) => void>();

  find(name: string): WorldDomain | undefined {
    return this.#domains.get(name);
  }

  get(name: string): WorldDomain {
    const domain = this.#domains.get(name);
    if (!domain) throw new Error(`${name} is not registered in the world`);
    return domain;
  }

  has(name: string): boolean {
    return this.#domains.has(name);
  }

  get size(): number {
    return this.#domains.size;
  }

  /** In the order of their registration: what is registered comes last, and what changes keeps its place. */
  values(): Iterable<WorldDomain> {
    return this.#domains.values();
  }

  /** Without an event, for what happened before the world began. */
  put(domain: WorldDomain): void {
    this.#domains.set(domain.name, domain);
  }

  /** The new state of a domain, undefined: none any more; and every subscriber is notified. */
  record(kind: WorldEvent['kind'], name: string, atMs: number, state: WorldDomain | undefined): void {
    if (state) this.#domains.set(name, state);
    else this.#domains.delete(name);
    const event = { atMs, kind, domain: name };
    for (const onEvent of this.#subscribers) onEvent(event);
  }

  follow(onEvent: (event: WorldEvent) => void): () => void {
    this.#subscribers.add(onEvent);
    return () => this.#subscribers.delete(onEvent);
  }
}
