/** Who keeps the register of each top-level domain, in which words, and at which address. */
import type { Registrar, WorldView } from '../../world-domain.ts';

export type WhoisStyle = 'thin' | 'thick' | 'european' | 'asian';

export interface Registry {
  readonly topLevelDomain: string;
  readonly whoisHost: string;
  readonly rdapHost: string;
  /** `thin`: it knows the registrar, and only that one knows the registrant. */
  readonly style: WhoisStyle;
}

export interface WhoisPlaces {
  readonly rootHost: string;
  readonly registries: readonly Registry[];
  /** By name, the address where its WHOIS server is. */
  readonly addresses: Readonly<Record<string, string>>;
}

export const whoisRootHost = 'whois.iana.test';
/** Assigned round-robin over the top-level domains. */
const styles: readonly WhoisStyle[] = ['thin', 'thick', 'european', 'asian', 'thin', 'european'];
const network = '127.80.1';
const hostsMax = 253;

export function listRegistries({ topLevelDomains }: Pick<WorldView, 'topLevelDomains'>): readonly Registry[] {
  return topLevelDomains.map((topLevelDomain, at) => ({
    topLevelDomain,
    whoisHost: `whois.nic.${topLevelDomain}`,
    rdapHost: `rdap.nic.${topLevelDomain}`,
    style: styles[at % styles.length] ?? 'thin',
  }));
}

/** A protocol that does not say whom it wants to speak with needs an address for each. */
export function whoisPlaces(registries: readonly Registry[], registrars: readonly Registrar[]): WhoisPlaces {
  const hosts = new Set([
    whoisRootHost,
    ...registries.map(({ whoisHost }) => whoisHost),
    ...registrars.map(({ whoisHost }) => whoisHost),
  ]);
  if (hosts.size > hostsMax)
    throw new Error(`more than ${hostsMax} WHOIS servers have no room in ${network}.0/24`);
  const addresses = Object.fromEntries([...hosts].map((host, at) => [host, `${network}.${at + 1}`]));
  return { rootHost: whoisRootHost, registries, addresses };
}

/** Of the longest top-level domain that the name ends with. */
export function findRegistry(registries: readonly Registry[], name: string): Registry | undefined {
  const holding = registries.filter(
    ({ topLevelDomain }) => name === topLevelDomain || name.endsWith(`.${topLevelDomain}`),
  );
  return holding.sort((a, b) => b.topLevelDomain.length - a.topLevelDomain.length)[0];
}
