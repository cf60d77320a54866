/** Which server knows the domains of a top-level domain, as IANA's says; remembered for a day, and longer while IANA does not answer. */
import type { Clock } from '../../../model/clock.ts';

const dayMs = 86_400_000;
const entriesMax = 4000;

interface Known {
  /** Undefined where the registry has none. */
  readonly server: string | undefined;
  readonly atMs: number;
}

export class RegistryServers {
  readonly #known = new Map<string, Known>();
  readonly #clock: Clock;
  readonly #ask: (tld: string, signal: AbortSignal) => Promise<string | undefined>;

  /** `ask` throws where it got no answer. */
  constructor(clock: Clock, ask: (tld: string, signal: AbortSignal) => Promise<string | undefined>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  async serverOf(tld: string, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#known.get(tld);
    if (known !== undefined && this.#clock.now() - known.atMs < dayMs) return known.server;
    try {
      const server = await this.#ask(tld, signal);
      // Names that come from outside can name any number of top-level domains.
      if (this.#known.size >= entriesMax) this.#known.clear();
      this.#known.set(tld, { server, atMs: this.#clock.now() });
      return server;
    } catch (error) {
      if (known === undefined) throw error;
      return known.server;
    }
  }
}
