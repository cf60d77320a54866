/**
 * What is true of a domain of the world at one moment. The story (`story/`) makes these from a seed; every server of the world answers from
 * them alone, so that DNS, RDAP, WHOIS, certificates and web pages of a domain agree with one another.
 */

export interface WorldDomain {
  /** Punycode, under one of the world's own top-level domains. */
  readonly name: string;
  readonly actor: ActorKind;
  readonly registeredMs: number;
  readonly changedMs: number;
  readonly expiresMs: number;
  readonly registrar: Registrar;
  /** Undefined: hidden behind the registrar's privacy service. */
  readonly registrant: Person | undefined;
  readonly statuses: readonly string[];
  /** Hosts, without final dots. */
  readonly nameServers: readonly string[];
  /** Where the domain and its `www` lead; none: registered and not yet used. */
  readonly addresses: readonly string[];
  readonly mailServers: readonly { readonly host: string; readonly priority: number }[];
  readonly spf: string | undefined;
  readonly soaEmail: string;
  readonly site: Site | undefined;
  /** When its certificate was issued; undefined: it has none. A new time is a new certificate. */
  readonly certifiedMs: number | undefined;
  /** Names in the certificate besides the domain itself, as `www.…`, `login.…`. */
  readonly hosts: readonly string[];
  /** When it was reported as bad; undefined: never. */
  readonly reportedMs: number | undefined;
}

export type ActorKind = 'brand' | 'owner' | 'parker' | 'crew' | 'hostile';

export interface Registrar {
  readonly name: string;
  readonly ianaId: number;
  /** Hosts of its WHOIS and RDAP servers, in the world. */
  readonly whoisHost: string;
  readonly rdapHost: string;
  readonly abuseEmail: string;
  readonly abusePhone: string;
}

export interface Person {
  readonly name: string;
  readonly organization: string | undefined;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postal: string;
  /** Two letters, upper case. */
  readonly country: string;
  readonly phone: string;
  readonly email: string;
}

export interface Site {
  readonly kind: SiteKind;
  readonly title: string;
  /** The header `server`. */
  readonly server: string;
  /** Where visitors are sent; undefined: the page is here. */
  readonly redirectTo: string | undefined;
  /** Tracker codes in the page, by the member of the plain record that they belong to. */
  readonly trackers: Readonly<Record<string, readonly string[]>>;
  /** The brand whose page it shows, or pretends to show. */
  readonly brand: string | undefined;
}

export type SiteKind =
  | 'home'
  | 'shop'
  | 'login'
  | 'parked'
  | 'redirect'
  /** Deliberately bad: see `servers/web/hostile-pages.ts`. */
  | 'script-title'
  | 'zip-bomb'
  | 'redirect-loop'
  | 'endless-page'
  | 'great-page'
  | 'slow-page';

/** Who runs a network of the world: what the file of address ranges says. */
export interface Network {
  /** `127.80.3.0/24` */
  readonly prefix: string;
  readonly asn: number;
  readonly organization: string;
  readonly country: string;
}

/** What happened: servers and tests follow the world by these. */
export interface WorldEvent {
  readonly atMs: number;
  readonly kind:
    | 'registered'
    | 'certified'
    | 'hosted'
    | 'armed'
    | 'reported'
    | 'moved'
    | 'taken-down'
    | 'dropped';
  readonly domain: string;
}

/** The world as its servers see it. Everything in it is at the world's own time. */
export interface WorldView {
  readonly topLevelDomains: readonly string[];
  readonly registrars: readonly Registrar[];
  readonly networks: readonly Network[];
  /** Every address at which a web site may be, now or later. */
  readonly siteAddresses: readonly string[];
  /** Milliseconds of the world's clock. */
  now(): number;
  /** By punycode name; undefined: not registered now. */
  find(name: string): WorldDomain | undefined;
  /** All that are registered now, in the order of their registration. */
  domains(): Iterable<WorldDomain>;
  /** Calls back for every event from now on, in order; call the result to unsubscribe. */
  follow(onEvent: (event: WorldEvent) => void): () => void;
}
