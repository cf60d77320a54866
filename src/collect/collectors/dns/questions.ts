/**
 * Questions to the configured DNS servers. That there is no such name or no such record is an answer; that nobody answered, or nothing
 * that can be read, is none.
 */
import type { MxRecord, SoaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

export type Answer<Found> =
  | { readonly answered: true; readonly records: readonly Found[] }
  | { readonly answered: false; readonly code: string };

/** How long an answer is waited for, and how often a question is asked. */
export interface Patience {
  readonly timeoutMs: number;
  readonly timeoutMsMax: number;
  readonly tries: number;
}

const usualPatience: Patience = { timeoutMs: 1500, timeoutMsMax: 3000, tries: 3 };
const nothing: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Of one look: closing it ends all of its questions, and those of nobody else. */
export class Questions {
  readonly #resolver: Resolver;
  readonly #signal: AbortSignal;
  readonly close = () => this.#resolver.cancel();

  /** Throws for servers that are no addresses. */
  constructor(servers: readonly string[], signal: AbortSignal, patience = usualPatience) {
    const { timeoutMs, timeoutMsMax, tries } = patience;
    this.#resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMsMax, tries });
    if (servers.length > 0) this.#resolver.setServers([...servers]);
    this.#signal = signal;
    signal.addEventListener('abort', this.close, { once: true });
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.close);
    this.close();
  }

  a(name: string): Promise<Answer<string>> {
    return this.#answer(() => this.#resolver.resolve4(name));
  }

  aaaa(name: string): Promise<Answer<string>> {
    return this.#answer(() => this.#resolver.resolve6(name));
  }

  ns(name: string): Promise<Answer<string>> {
    return this.#answer(() => this.#resolver.resolveNs(name));
  }

  mx(name: string): Promise<Answer<MxRecord>> {
    return this.#answer(() => this.#resolver.resolveMx(name));
  }

  /** Each record as its pieces. */
  txt(name: string): Promise<Answer<readonly string[]>> {
    return this.#answer(() => this.#resolver.resolveTxt(name));
  }

  soa(name: string): Promise<Answer<SoaRecord>> {
    return this.#answer(async () => [await this.#resolver.resolveSoa(name)]);
  }

  async #answer<Found>(ask: () => Promise<readonly Found[]>): Promise<Answer<Found>> {
    this.#signal.throwIfAborted();
    try {
      return { answered: true, records: await ask() };
    } catch (error) {
      this.#signal.throwIfAborted();
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return nothing.has(code) ? { answered: true, records: [] } : { answered: false, code };
    }
  }
}
