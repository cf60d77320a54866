/** Ordinary owners, to whom most domains belong: one registrar, one operator of name servers and one host for all that they have. */
import type { Person, Registrar, Site, WorldDomain } from '../world-domain.ts';
import { certified, hosted, type Life, minuteMs } from './life.ts';
import { ordinaryNetworks, siteAddressesOf } from './networks.ts';
import { mailOperators, nameServerOperators, type Operator } from './operators.ts';
import { newOrdinaryName } from './ordinary-names.ts';
import { newPerson } from './people.ts';
import type { Random } from './random.ts';
import { registrars } from './registrars.ts';
import { registration } from './registration.ts';
import { newTrackers, type Trackers } from './trackers.ts';

export interface Owner {
  readonly registrar: Registrar;
  readonly registrant: Person | undefined;
  readonly nameServers: Operator;
  readonly mail: Operator | undefined;
  readonly address: string;
  readonly server: string;
  readonly trackers: Trackers;
}

const privateShare = 0.35;
const mailShare = 0.7;
const unusedShare = 0.08;
const certifiedShare = 0.85;
const redirectShare = 0.08;

/** The most common first. */
export const webServers = ['nginx/1.26.3', 'Apache/2.4.62 (Debian)', 'openresty', 'LiteSpeed', 'Caddy'];
const certificateHosts = [['www'], ['www', 'shop'], ['www', 'blog'], ['www', 'mail']];

export function newOwner(random: Random): Owner {
  return {
    registrar: random.pickSkewed(registrars),
    registrant: random.chance(privateShare) ? undefined : newPerson(random),
    nameServers: random.pickSkewed(nameServerOperators),
    mail: random.chance(mailShare) ? random.pickSkewed(mailOperators) : undefined,
    address: newOrdinaryAddress(random),
    server: random.pickSkewed(webServers),
    trackers: newTrackers(random),
  };
}

export function newOrdinaryAddress(random: Random): string {
  return random.pickSkewed(siteAddressesOf(random.pickSkewed(ordinaryNetworks)));
}

export function ownersDomain(
  owner: Owner,
  random: Random,
  registeredMs: number,
  isTaken: (name: string) => boolean,
): Life {
  const { name, title } = newOrdinaryName(random, isTaken);
  const domain = registration({
    name,
    actor: 'owner',
    registeredMs,
    registrar: owner.registrar,
    registrant: owner.registrant,
    nameServers: owner.nameServers.hosts.map((host) => host.name),
    soaEmail: `hostmaster@${owner.nameServers.domain}`,
    statuses: random.chance(0.3) ? ['ok'] : ['clientTransferProhibited', 'clientDeleteProhibited'],
  });
  if (random.chance(unusedShare)) return { domain, steps: [] };
  const hostedMs = random.between(2, 40) * minuteMs;
  const steps = [hosted(hostedMs, { ...mailOf(owner.mail), ...siteOf(owner, random, title) })];
  if (random.chance(certifiedShare)) {
    steps.push(certified(hostedMs + random.between(1, 20) * minuteMs, random.pickSkewed(certificateHosts)));
  }
  return { domain, steps };
}

function siteOf(owner: Owner, random: Random, title: string): Pick<WorldDomain, 'addresses' | 'site'> {
  const site: Site = {
    kind: random.chance(0.3) ? 'shop' : 'home',
    title,
    server: owner.server,
    redirectTo: undefined,
    trackers: owner.trackers,
    brand: undefined,
  };
  const elsewhere = 'https://brightwater.zon/';
  const isRedirect = random.chance(redirectShare);
  return {
    addresses: [owner.address],
    site: isRedirect ? { ...site, kind: 'redirect', redirectTo: elsewhere, trackers: {} } : site,
  };
}

export function mailOf(operator: Operator | undefined): Pick<WorldDomain, 'mailServers' | 'spf'> {
  if (!operator) return { mailServers: [], spf: undefined };
  return {
    mailServers: operator.hosts.map(({ name }, index) => ({ host: name, priority: 10 * (index + 1) })),
    spf: `v=spf1 include:_spf.${operator.domain} -all`,
  };
}
