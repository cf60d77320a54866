/** Which RDAP server answers for a name: IANA's list, RFC 9224, fetched once a day; an older one serves while no newer can be had. */
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import { listIn, objectIn, textsIn } from '../../../model/registration/rdap/json-value.ts';
import { parseJson } from '../../../model/registration/rdap/parse-json.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';

const dayMs = 86_400_000;
/** After a failure the list is not asked for again at once. */
const pauseMs = 300_000;
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
  #underWay: Promise<ServerTable> | undefined;

  constructor(needs: BootstrapNeeds) {
    this.#needs = needs;
  }

  /** The base URL of the server; undefined where there is none for the name. Throws a Problem where no list can be had. */
  async serverOf(domain: string, signal: AbortSignal): Promise<string | undefined> {
    const table = await this.#current(signal);
    for (let rest = domain; ; rest = rest.slice(rest.indexOf('.') + 1)) {
      const server = table.get(rest);
      if (server !== undefined || !rest.includes('.')) return server;
    }
  }

  async #current(signal: AbortSignal): Promise<ServerTable> {
    const nowMs = this.#needs.clock.now();
    if (this.#table !== undefined && nowMs < this.#dueMs) return this.#table;
    this.#underWay ??= this.#refresh(signal).finally(() => {
      this.#underWay = undefined;
    });
    try {
      const table = await this.#underWay;
      [this.#table, this.#dueMs] = [table, nowMs + dayMs];
      return table;
    } catch (error) {
      if (this.#table === undefined || signal.aborted) throw error;
      this.#dueMs = nowMs + pauseMs;
      return this.#table;
    }
  }

  async #refresh(signal: AbortSignal): Promise<ServerTable> {
    const { dialer, url, userAgent } = this.#needs;
    const answer = await dialer.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
      timeoutMs,
      signal,
      answerBytesMax: bytesMax,
      ports: 'configured',
    });
    const table = answer.status === 200 && !answer.cut ? tableOf(parseJson(answer.body)) : undefined;
    if (table !== undefined && table.size > 0) return table;
    throw new Problem('unavailable', `the list of RDAP servers cannot be read: status ${answer.status}`);
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
