/**
 * Queries the configured DNS servers. NXDOMAIN and NODATA are answers without records; a timeout, SERVFAIL or malformed message is
 * no answer.
 */
import type { MxRecord, SoaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

export type DnsAnswer<Found> =
  | { readonly answered: true; readonly records: readonly Found[] }
  | { readonly answered: false; readonly code: string };

export interface RetryPolicy {
  readonly timeoutMs: number;
  readonly timeoutMsMax: number;
  readonly tries: number;
}

const defaultRetryPolicy: RetryPolicy = { timeoutMs: 1500, timeoutMsMax: 3000, tries: 3 };
const nothing: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** The queries of one probe: closing it cancels them and no others. */
export class DnsClient {
  readonly #resolver: Resolver;
  readonly #signal: AbortSignal;
  readonly close = () => this.#resolver.cancel();

  /** Throws for servers that are not addresses. */
  constructor(servers: readonly string[], signal: AbortSignal, policy = defaultRetryPolicy) {
    const { timeoutMs, timeoutMsMax, tries } = policy;
    this.#resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMsMax, tries });
    if (servers.length > 0) this.#resolver.setServers([...servers]);
    this.#signal = signal;
    signal.addEventListener('abort', this.close, { once: true });
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.close);
    this.close();
  }

  a(name: string): Promise<DnsAnswer<string>> {
    return this.#query(() => this.#resolver.resolve4(name));
  }

  aaaa(name: string): Promise<DnsAnswer<string>> {
    return this.#query(() => this.#resolver.resolve6(name));
  }

  ns(name: string): Promise<DnsAnswer<string>> {
    return this.#query(() => this.#resolver.resolveNs(name));
  }

  mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.#query(() => this.#resolver.resolveMx(name));
  }

  /** Each record as its character strings. */
  txt(name: string): Promise<DnsAnswer<readonly string[]>> {
    return this.#query(() => this.#resolver.resolveTxt(name));
  }

  soa(name: string): Promise<DnsAnswer<SoaRecord>> {
    return this.#query(async () => [await this.#resolver.resolveSoa(name)]);
  }

  async #query<Found>(query: () => Promise<readonly Found[]>): Promise<DnsAnswer<Found>> {
    this.#signal.throwIfAborted();
    try {
      return { answered: true, records: await query() };
    } catch (error) {
      this.#signal.throwIfAborted();
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return nothing.has(code) ? { answered: true, records: [] } : { answered: false, code };
    }
  }
}
