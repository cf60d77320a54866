/**
 * The RDAP server of a name, from IANA's bootstrap file (RFC 9224), fetched once a day; a stale copy serves while it cannot be
 * fetched.
 */

import type { Clock } from '../../../model/clock.ts';
import { dayMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import { listIn, objectIn, textsIn } from '../../../model/registration/rdap/json-value.ts';
import { parseJson } from '../../../model/registration/rdap/parse-json.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';

/** Delay after a failed fetch. */
const retryMs = 300_000;
const bytesMax = 1_000_000;
const timeoutMs = 20_000;
const servicesMax = 5000;

type ServerTable = ReadonlyMap<string, string>;

interface BootstrapNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly clock: Clock;
  readonly url: string;
  readonly userAgent: string;
}

export class RdapBootstrap {
  readonly #needs: BootstrapNeeds;
  #table: ServerTable | undefined;
  #dueMs = 0;
  #refreshing: Promise<ServerTable> | undefined;

  constructor(needs: BootstrapNeeds) {
    this.#needs = needs;
  }

  /** The base URL of the server; undefined where the name has none. Throws a Problem where the file cannot be fetched. */
  async findServer(domain: string, signal: AbortSignal): Promise<string | undefined> {
    const table = await this.#current(signal);
    for (let rest = domain; ; rest = rest.slice(rest.indexOf('.') + 1)) {
      const server = table.get(rest);
      if (server !== undefined || !rest.includes('.')) return server;
    }
  }

  async #current(signal: AbortSignal): Promise<ServerTable> {
    const nowMs = this.#needs.clock.now();
    // A time further ahead than a day was set before the clock was set back.
    if (this.#table !== undefined && nowMs < this.#dueMs && this.#dueMs <= nowMs + dayMs) return this.#table;
    this.#refreshing ??= this.#refresh(signal).finally(() => {
      this.#refreshing = undefined;
    });
    try {
      const table = await this.#refreshing;
      [this.#table, this.#dueMs] = [table, nowMs + dayMs];
      return table;
    } catch (error) {
      if (this.#table === undefined || signal.aborted) throw error;
      this.#dueMs = nowMs + retryMs;
      return this.#table;
    }
  }

  async #refresh(signal: AbortSignal): Promise<ServerTable> {
    const { dialer, url, userAgent } = this.#needs;
    const response = await dialer.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
      timeoutMs,
      signal,
      responseBytesMax: bytesMax,
      ports: 'configured',
    });
    const table =
      response.status === 200 && !response.isTruncated ? tableOf(parseJson(response.body)) : undefined;
    if (table !== undefined && table.size > 0) return table;
    throw new Problem('unavailable', `the RDAP bootstrap file cannot be read: status ${response.status}`);
  }
}

function tableOf(value: unknown): ServerTable {
  const services = objectIn(value)?.['services'];
  const table = new Map<string, string>();
  for (const service of Array.isArray(services) ? services.slice(0, servicesMax) : []) {
    const [names, urls] = listIn(service);
    const all = textsIn(urls).filter((url) => /^https?:\/\/\S{1,300}$/i.test(url));
    const server = all.find((url) => url.toLowerCase().startsWith('https:')) ?? all[0];
    if (server === undefined || !Array.isArray(names)) continue;
    for (const name of names.slice(0, servicesMax)) {
      if (typeof name === 'string')
        table.set(name.toLowerCase().replace(/\.$/, ''), server.endsWith('/') ? server : `${server}/`);
    }
  }
  return table;
}
