/** A dozen domains made by hand, for tests of the world's servers, and a client that sees them as Nameglass does. */
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { createDialer, type Dialer } from '../../../src/outgoing/guarded-dialer.ts';
import { startPublicServers } from '../../../world/servers/start-public-servers.ts';
import { findSiteOwner } from '../../../world/servers/web/site-owner.ts';
import { type WorldServer, worldPrefix } from '../../../world/servers/world-server.ts';
import type {
  Person,
  Registrar,
  Site,
  WorldDomain,
  WorldEvent,
  WorldView,
} from '../../../world/world-domain.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

export const nowMs = Date.UTC(2026, 4, 1, 12);
const dayMs = 86_400_000;

const registrar = (name: string, ianaId: number): Registrar => ({
  name,
  ianaId,
  whoisHost: `whois.${name.toLowerCase()}.zon`,
  rdapHost: `rdap.${name.toLowerCase()}.zon`,
  abuseEmail: `abuse@${name.toLowerCase()}.zon`,
  abusePhone: '+1.5550100',
});

export const registrars = [registrar('Namely', 9001), registrar('Doman', 9002)] as const;

export const owner: Person = {
  name: 'Jörg Müller',
  organization: 'Müller & Söhne GmbH',
  street: 'Hauptstraße 1',
  city: 'Köln',
  state: 'NW',
  postal: '50667',
  country: 'DE',
  phone: '+49.2211234567',
  email: 'jorg@mueller.eur',
};

export const site = (kind: Site['kind'], more: Partial<Site> = {}): Site => ({
  kind,
  title: `A ${kind} page`,
  server: 'nginx/1.27',
  redirectTo: undefined,
  trackers: {},
  brand: undefined,
  ...more,
});

export const siteAddresses = ['127.80.3.1', '127.80.3.2'] as const;

export function domainOf(name: string, more: Partial<WorldDomain> = {}): WorldDomain {
  return {
    name,
    actor: 'owner',
    registeredMs: nowMs - 400 * dayMs,
    changedMs: nowMs - 30 * dayMs,
    expiresMs: nowMs + 330 * dayMs,
    registrar: registrars[0],
    registrant: owner,
    statuses: ['clientTransferProhibited'],
    nameServers: ['ns1.hoster.zon', 'ns2.hoster.zon'],
    addresses: [siteAddresses[0]],
    mailServers: [],
    spf: undefined,
    soaEmail: 'hostmaster@hoster.zon',
    site: site('home'),
    certifiedMs: nowMs - 10 * dayMs,
    hosts: [`login.${name}`],
    reportedMs: undefined,
    ...more,
  };
}

const usual = [
  domainOf('brand.zon', { actor: 'brand', site: site('home', { brand: 'Brand', title: 'Brand & Co' }) }),
  domainOf('brand-login.zon', {
    actor: 'crew',
    registrant: undefined,
    site: site('login', { brand: 'Brand' }),
  }),
  domainOf('thick.gla', { registrar: registrars[1] }),
  domainOf('mueller.eur'),
  domainOf('hidden.eur', { registrant: undefined }),
  domainOf('sakura.asi', { site: site('shop') }),
  domainOf('xn--bcher-kva.zon', { site: site('parked'), certifiedMs: undefined }),
  domainOf('unused.zon', { site: undefined, addresses: [], certifiedMs: undefined }),
  domainOf('away.zon', { site: site('redirect', { redirectTo: 'https://brand.zon/welcome' }) }),
];

/** The view of a test: domains are added and changed by hand. */
export class SmallWorld implements WorldView {
  readonly topLevelDomains = ['zon', 'gla', 'eur', 'asi'];
  readonly registrars = registrars;
  readonly networks = [];
  readonly siteAddresses = siteAddresses;
  readonly #domains: Map<string, WorldDomain>;
  readonly #followers = new Set<(event: WorldEvent) => void>();

  constructor(more: readonly WorldDomain[] = []) {
    this.#domains = new Map([...usual, ...more].map((domain) => [domain.name, domain]));
  }

  now(): number {
    return nowMs;
  }

  find(name: string): WorldDomain | undefined {
    return this.#domains.get(name);
  }

  domains(): Iterable<WorldDomain> {
    return this.#domains.values();
  }

  follow(onEvent: (event: WorldEvent) => void): () => void {
    this.#followers.add(onEvent);
    return () => void this.#followers.delete(onEvent);
  }

  put(domain: WorldDomain, kind: WorldEvent['kind']): void {
    this.#domains.set(domain.name, domain);
    for (const onEvent of this.#followers) onEvent({ atMs: nowMs, kind, domain: domain.name });
  }
}

export interface Served {
  readonly world: SmallWorld;
  readonly server: WorldServer;
  readonly dialer: Dialer;
  readonly directory: string;
  /** The address that DNS would give for a host. */
  readonly addressOf: (host: string) => string;
  readonly port: (setting: 'httpPort' | 'httpsPort' | 'whoisPort') => number;
  readonly get: (url: string) => ReturnType<Dialer['send']>;
}

export async function serveSmallWorld(t: TestContext, more: readonly WorldDomain[] = []): Promise<Served> {
  const world = new SmallWorld(more);
  const directory = temporaryDirectory(t);
  const server = await startPublicServers({ view: world, directory });
  t.after(() => server.close());
  const port: Served['port'] = (setting) => Number(server.settings[`collect.${setting}`]);
  const addressOf = (host: string): string => {
    const address = server.hosts[host] ?? findSiteOwner(world, host)?.addresses[0];
    if (address === undefined) throw new Error(`${host} has no address`);
    return address;
  };
  const dialer = createDialer({
    settings: { outgoing: { allow: [worldPrefix] } },
    resolve: async (host) => [addressOf(host)],
    ca: readFileSync(server.settings['collect.caFile'] ?? '', 'utf8'),
    ports: { http: port('httpPort'), https: port('httpsPort') },
  });
  const get = (url: string) =>
    dialer.send({ method: 'GET', url, timeoutMs: 20_000, responseBytesMax: 20_000_000 });
  return { world, server, dialer, directory, addressOf, port, get };
}
