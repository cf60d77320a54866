/**
 * A whole Internet on the loopback addresses of this machine: names, registries, certificates, web sites and the people behind them, from a
 * seed. It speaks the real protocols, and only its addresses distinguish it from the real Internet.
 */
import type { WorldDomain, WorldEvent } from './world-domain.ts';

export interface WorldOptions {
  readonly seed: number;
  /** How many domains are registered when it begins. */
  readonly domains: number;
  /** The world's time at the start. */
  readonly startMs: number;
  /** How much faster than ours its clock runs; 0: it stands until `advance`. */
  readonly speed: number;
  /** Registrations, moves and so on in an hour of the world's time. */
  readonly eventsPerHour: number;
  /** Whether some of its data is deliberately bad. */
  readonly hostile: boolean;
  /** For its zone files, its certificate authority, its address ranges. */
  readonly directory: string;
  /** The unix socket to which its resolver sends dnstap; undefined: none. */
  readonly dnstapSocket?: string;
}

export interface World {
  /** Settings of Nameglass that lead into this world, by key as text: `collect.resolvers` and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Fictitious brands whose lookalikes are registered: terms for monitors. */
  readonly brands: readonly string[];
  /** Those who register them, by the domains of their name servers. */
  readonly crews: readonly string[];
  /** The brands' own domains, which are not lookalikes. */
  readonly ownDomains: readonly string[];
  now(): number;
  /** Lets time pass at once. */
  advance(ms: number): Promise<void>;
  find(name: string): WorldDomain | undefined;
  /** All that are registered now, with who is behind each. */
  domains(): Iterable<WorldDomain>;
  /**
   * Makes something happen, beside the story: register a lookalike of a brand by a crew, move a domain to other hosts, report it to the
   * community, take it down.
   */
  registerLookalike(brand: string, crew?: string): Promise<WorldDomain>;
  moveHosting(name: string): Promise<WorldDomain>;
  report(name: string): Promise<void>;
  takeDown(name: string): Promise<void>;
  follow(onEvent: (event: WorldEvent) => void): () => void;
  /** What its servers were asked, by kind: `dns`, `rdap`, `whois`, `http`, `https`, `ct`, `reports`, `websocket`. */
  statistics(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}
