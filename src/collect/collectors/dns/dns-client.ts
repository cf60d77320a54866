/**
 * Queries the configured DNS servers. NXDOMAIN and NODATA are answers without records; a timeout, SERVFAIL or malformed message is
 * no answer.
 */
import type { MxRecord, SoaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { recordRequest } from '../../../outgoing/request-recorder.ts';

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

/** `[address]:port` of IPv6, `address:port` of IPv4, or an address alone. */
const serverForm = /^(?:(?:\[(.*)\]|([\d.]+)):(\d+)|(.*))$/;

/** The queries of one probe: closing it cancels them and no others. */
export class DnsClient {
  readonly #resolver: Resolver;
  readonly #signal: AbortSignal;
  readonly #asked: AskedServer;
  readonly close = () => this.#resolver.cancel();

  /** Throws for servers that are not addresses. */
  constructor(servers: readonly string[], signal: AbortSignal, policy = defaultRetryPolicy) {
    const { timeoutMs, timeoutMsMax, tries } = policy;
    this.#resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMsMax, tries });
    if (servers.length > 0) this.#resolver.setServers([...servers]);
    this.#asked = askedServer(this.#resolver.getServers());
    this.#signal = signal;
    signal.addEventListener('abort', this.close, { once: true });
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.close);
    this.close();
  }

  a(name: string): Promise<DnsAnswer<string>> {
    return this.#query(name, () => this.#resolver.resolve4(name));
  }

  aaaa(name: string): Promise<DnsAnswer<string>> {
    return this.#query(name, () => this.#resolver.resolve6(name));
  }

  ns(name: string): Promise<DnsAnswer<string>> {
    return this.#query(name, () => this.#resolver.resolveNs(name));
  }

  mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.#query(name, () => this.#resolver.resolveMx(name));
  }

  /** Each record as its character strings. */
  txt(name: string): Promise<DnsAnswer<readonly string[]>> {
    return this.#query(name, () => this.#resolver.resolveTxt(name));
  }

  soa(name: string): Promise<DnsAnswer<SoaRecord>> {
    return this.#query(name, async () => [await this.#resolver.resolveSoa(name)]);
  }

  async #query<Found>(name: string, query: () => Promise<readonly Found[]>): Promise<DnsAnswer<Found>> {
    this.#signal.throwIfAborted();
    try {
      const records = await query();
      this.#record(name, 'answered');
      return { answered: true, records };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#record(name, code === undefined || nothing.has(code) ? 'answered' : code);
      this.#signal.throwIfAborted();
      if (code === undefined) throw error;
      return nothing.has(code) ? { answered: true, records: [] } : { answered: false, code };
    }
  }

  #record(host: string, outcome: string): void {
    recordRequest({ protocol: 'dns', host, ...this.#asked, source: undefined, outcome });
  }
}

interface AskedServer {
  readonly address: string | undefined;
  readonly port: number;
}

/** Which of several resolvers was asked, and from which of our addresses, the library does not say. */
function askedServer(servers: readonly string[]): AskedServer {
  const [, ipv6, ipv4, port = '53', plain] =
    serverForm.exec(servers.length === 1 ? (servers[0] ?? '') : '') ?? [];
  return { address: ipv6 ?? ipv4 ?? (plain || undefined), port: Number(port) };
}
