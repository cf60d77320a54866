/**
 * All names of the world and their records: top-level domains, registered domains and what is below them, hosts of name servers, of mail and
 * of the world's own services. One place answers for all zones, as a resolver would.
 */
import { nameText } from '../../../src/model/dns/name.ts';
import { typeOf } from '../../../src/model/dns/rr-type.ts';
import type { HostileAnswer } from '../../story/hostile-answers.ts';
import { isHeld } from '../../story/life.ts';
import { baseOf, topLevelOf } from '../../story/top-level-domains.ts';
import type { WorldDomain, WorldView } from '../../world-domain.ts';
import { serviceAddress } from '../world-server.ts';
import { apexRecords, isAliased, isSiteName, siteRecords } from './domain-records.ts';
import { type Finding, recordsOf, refused, type WorldRecord } from './findings.ts';
import { domainSoa, negativeSeconds, rdataOf, soaOf } from './rdata.ts';

export interface WorldNamesNeeds {
  readonly view: WorldView;
  /** Addresses of hosts that are not part of any domain's data, by name. */
  readonly hosts: ReadonlyMap<string, { readonly four: string; readonly six?: string | undefined }>;
  readonly findHostileAnswer: (name: string) => HostileAnswer | undefined;
}

const anyType = 255;
const aliasesMax = 8;
const topLevelServers = ['a', 'b'];
const topLevelTtlSeconds = 86_400;
const [a, cname, ns, mx] = [typeOf('A'), typeOf('CNAME'), typeOf('NS'), typeOf('MX')];

/** The name servers of a top-level domain. */
export function topLevelHosts(topLevel: string): readonly string[] {
  return topLevelServers.map((label) => `${label}.nic.${topLevel}`);
}

export function topLevelSoa(topLevel: string, nowMs: number): Uint8Array | undefined {
  return soaOf(`a.nic.${topLevel}`, `hostmaster@nic.${topLevel}`, Math.floor(nowMs / 1000));
}

export class WorldNames {
  readonly #view: WorldView;
  readonly #hosts: WorldNamesNeeds['hosts'];
  readonly #findHostileAnswer: WorldNamesNeeds['findHostileAnswer'];
  /** How often each name that rebinds was asked for. */
  readonly #queries = new Map<string, number>();

  constructor({ view, hosts, findHostileAnswer }: WorldNamesNeeds) {
    this.#view = view;
    this.#hosts = hosts;
    this.#findHostileAnswer = findHostileAnswer;
  }

  /** The zone that a name of the world is in: its domain, or the top-level domain where there is none. */
  zoneOf(name: string): string {
    const base = baseOf(name);
    return base !== undefined && this.#findActive(base) ? base : topLevelOf(name);
  }

  /** Takes a name in lower case, without its final dot. Aliases are followed. */
  lookUp(name: string, type: number): Finding {
    const topLevel = topLevelOf(name);
    const isInWorld = this.#view.topLevelDomains.includes(topLevel);
    if (!isInWorld && !this.#hosts.has(name)) return refused;
    const answer: WorldRecord[] = [];
    const seen = new Set<string>();
    let at = name;
    for (;;) {
      const records = this.#recordsAt(at, type);
      if (!records) return this.#without('NXDOMAIN', at, answer);
      const alias =
        type === cname || type === anyType ? undefined : records.find((each) => each.type === cname);
      const fitting = alias ? [alias] : records.filter((each) => type === anyType || each.type === type);
      answer.push(...fitting);
      seen.add(at);
      const target = alias && aliasTarget(alias);
      if (target === undefined)
        return fitting.length > 0 ? this.#with(answer) : this.#without('NOERROR', at, answer);
      if (seen.has(target) || seen.size > aliasesMax) return this.#with(answer);
      at = target;
    }
  }

  #with(answer: readonly WorldRecord[]): Finding {
    const hosts = answer.flatMap((record) =>
      record.type === ns || record.type === mx ? [hostIn(record)] : [],
    );
    const additional = [...new Set(hosts)].flatMap((host) => this.#hostRecords(host) ?? []);
    return { rcode: 'NOERROR', answer, authority: [], additional };
  }

  #without(rcode: 'NOERROR' | 'NXDOMAIN', name: string, answer: readonly WorldRecord[]): Finding {
    const zone = this.zoneOf(name);
    const domain = this.#view.find(zone);
    const soa = domain ? domainSoa(domain) : topLevelSoa(zone, this.#view.now());
    return { rcode, answer, authority: recordsOf(zone, 'SOA', [soa], negativeSeconds), additional: [] };
  }

  /** Everything at a name; undefined: there is no such name. */
  #recordsAt(name: string, type: number): readonly WorldRecord[] | undefined {
    const base = baseOf(name);
    if (base === undefined) return this.#topLevelRecords(name);
    const hostile = this.#findHostileAnswer(name) ?? this.#findHostileAnswer(base);
    const domain = this.#findActive(base);
    const host = this.#hostRecords(name);
    if (!domain) return host ?? (base === `nic.${topLevelOf(name)}` && name === base ? [] : undefined);
    if (hostile && isSiteName(name, domain)) return this.#hostileRecords(name, type, hostile, domain);
    if (name === domain.name) return [...apexRecords(domain), ...siteRecords(name, domain)];
    if (name === `www.${base}` && isAliased(domain)) {
      return recordsOf(name, 'CNAME', [rdataOf('CNAME', `${base}.`)]);
    }
    if (isSiteName(name, domain)) return siteRecords(name, domain);
    return host;
  }

  /** Registered, and in the zone. */
  #findActive(base: string): WorldDomain | undefined {
    const domain = this.#view.find(base);
    return domain && !isHeld(domain) ? domain : undefined;
  }

  #topLevelRecords(topLevel: string): readonly WorldRecord[] | undefined {
    if (!this.#view.topLevelDomains.includes(topLevel)) return this.#hostRecords(topLevel);
    const servers = topLevelHosts(topLevel).map((host) => rdataOf('NS', `${host}.`));
    return [
      ...recordsOf(topLevel, 'SOA', [topLevelSoa(topLevel, this.#view.now())], topLevelTtlSeconds),
      ...recordsOf(topLevel, 'NS', servers, topLevelTtlSeconds),
    ];
  }

  #hostRecords(name: string): readonly WorldRecord[] | undefined {
    const host = this.#hosts.get(name);
    if (host) {
      const six = host.six === undefined ? [] : [rdataOf('AAAA', host.six)];
      return [...recordsOf(name, 'A', [rdataOf('A', host.four)]), ...recordsOf(name, 'AAAA', six)];
    }
    const isTopLevelServer = topLevelHosts(topLevelOf(name)).includes(name);
    return isTopLevelServer ? recordsOf(name, 'A', [rdataOf('A', serviceAddress)]) : undefined;
  }

  #hostileRecords(
    name: string,
    type: number,
    hostile: HostileAnswer,
    domain: WorldDomain,
  ): readonly WorldRecord[] {
    if (hostile.kind === 'alias') {
      return recordsOf(name, 'CNAME', [rdataOf('CNAME', `${hostile.target}.`)]);
    }
    const apex = name === domain.name ? apexRecords(domain) : [];
    if (hostile.kind === 'rebinding') {
      const query = this.#queries.get(name) ?? 0;
      if (type === a) this.#queries.set(name, query + 1);
      const four = hostile.four[query % hostile.four.length] as string;
      return [...apex, ...recordsOf(name, 'A', [rdataOf('A', four)], 0)];
    }
    const { four, six } = hostile;
    const fours = four.map((address) => rdataOf('A', address));
    const sixes = six.map((address) => rdataOf('AAAA', address));
    return [...apex, ...recordsOf(name, 'A', fours), ...recordsOf(name, 'AAAA', sixes)];
  }
}

function aliasTarget({ rdata }: WorldRecord): string {
  return nameText(rdata).slice(0, -1);
}

/** Of a name server, or behind the priority of a mail server. */
function hostIn({ type, rdata }: WorldRecord): string {
  return nameText(rdata, type === mx ? 2 : 0).slice(0, -1);
}
