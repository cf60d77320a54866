/** The WHOIS server of each top-level domain, from IANA; cached for a day, and longer while IANA does not answer. */

import type { Clock } from '../../../model/clock.ts';
import { dayMs } from '../../../model/durations.ts';

const entriesMax = 4000;

interface Known {
  /** Undefined where the registry has none. */
  readonly server: string | undefined;
  readonly atMs: number;
}

export class RegistryServers {
  readonly #known = new Map<string, Known>();
  readonly #clock: Clock;
  readonly #query: (tld: string, signal: AbortSignal) => Promise<string | undefined>;

  /** `query` throws where it got no answer. */
  constructor(clock: Clock, query: (tld: string, signal: AbortSignal) => Promise<string | undefined>) {
    this.#clock = clock;
    this.#query = query;
  }

  async findServer(tld: string, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#known.get(tld);
    if (known !== undefined && Math.abs(this.#clock.now() - known.atMs) < dayMs) return known.server;
    try {
      const server = await this.#query(tld, signal);
      // Hostile input can name any number of top-level domains.
      if (this.#known.size >= entriesMax) this.#known.clear();
      this.#known.set(tld, { server, atMs: this.#clock.now() });
      return server;
    } catch (error) {
      if (known === undefined) throw error;
      return known.server;
    }
  }
}
