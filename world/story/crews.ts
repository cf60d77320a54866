/**
 * Phishing crews. Each is known by what it shares among its names: a registrar, a persona, a pair of name servers, a few addresses, one
 * forgotten analytics code. It registers lookalikes of a brand in clusters, arms them soon, and moves when it is noticed. Of a cluster the
 * first is reported within minutes, of the others a few, and hours later.
 */
import type { Person, Registrar, Site, WorldDomain } from '../world-domain.ts';
import type { Brand } from './brands.ts';
import {
  armed,
  certified,
  dayMs,
  dropped,
  hosted,
  hourMs,
  type Life,
  minuteMs,
  moved,
  reported,
  secondMs,
  takenDown,
} from './life.ts';
import { findLookalike } from './lookalike-names.ts';
import { addressIn, carelessNetworks, siteAddressesOf } from './networks.ts';
import type { Host } from './operators.ts';
import { newPerson } from './people.ts';
import type { Random } from './random.ts';
import { carelessRegistrars } from './registrars.ts';
import { registration } from './registration.ts';
import { newAnalyticsCode, type Trackers } from './trackers.ts';

export interface Crew {
  /** Of its name servers. */
  readonly domain: string;
  readonly hosts: readonly Host[];
  readonly registrar: Registrar;
  readonly persona: Person;
  /** Where its names stand, by move: the first at the start, the second afterwards. */
  readonly homes: readonly (readonly string[])[];
  readonly trackers: Trackers;
  readonly server: string;
}

export const crewDomains = [
  'silentgate.brax',
  'fastpanel-dns.velt',
  'greymoon.nimbo',
  'tallship-ns.brax',
  'copperkettle-dns.velt',
] as const;
/** Does what is asked of it beside the story, and nothing in it. */
export const hirelingDomain = 'hireling-dns.brax';

const firstCrewHost = 40;
const lateReportShare = 0.3;

export function newCrew(random: Random, domain: string, index: number): Crew {
  const [near, far] = random.some(carelessNetworks, 2).map(siteAddressesOf) as [
    readonly string[],
    readonly string[],
  ];
  const network = carelessNetworks[index % carelessNetworks.length] as (typeof carelessNetworks)[number];
  return {
    domain,
    hosts: ['ns1', 'ns2'].map((label, place) => ({
      name: `${label}.${domain}`,
      four: addressIn(network, firstCrewHost + 2 * index + place),
      six: undefined,
    })),
    registrar: random.pick(carelessRegistrars),
    persona: newPerson(random),
    homes: [near, far].map((addresses) => random.some(addresses, random.between(1, 3))),
    trackers: newAnalyticsCode(random),
    server: random.pick(['nginx', 'Apache', 'LiteSpeed']),
  };
}

export interface NextName {
  readonly registeredMs: number;
  readonly isTaken: (name: string) => boolean;
  /** Whether it is the first of its cluster. */
  readonly isFirst: boolean;
}

/** One more lookalike; undefined where no name is left. */
export function findCrewsDomain(
  crew: Crew,
  brand: Brand,
  random: Random,
  { registeredMs, isTaken, isFirst }: NextName,
): Life | undefined {
  const name = findLookalike(brand, random, isTaken);
  if (name === undefined) return undefined;
  const domain = registration({
    name,
    actor: 'crew',
    registeredMs,
    registrar: crew.registrar,
    registrant: crew.persona,
    nameServers: crew.hosts.map((host) => host.name),
    soaEmail: `admin@${crew.domain}`,
    statuses: ['ok'],
  });
  return { domain, steps: stepsOf(crew, brand, random, { name, isFirst }) };
}

function stepsOf(
  crew: Crew,
  brand: Brand,
  random: Random,
  { name, isFirst }: { readonly name: string; readonly isFirst: boolean },
): Life['steps'] {
  const [first, second] = crew.homes.map((home) => [random.pick(home)]) as [string[], string[]];
  const hostedMs = random.between(8, 40) * secondMs;
  const certifiedMs = hostedMs + random.between(8, 30) * secondMs;
  const armedMs = certifiedMs + random.between(60, 400) * secondMs;
  const movedMs = armedMs + random.between(40, 180) * minuteMs;
  const isMoved = random.chance(0.6);
  const downMs = movedMs + random.between(1, 8) * hourMs;
  const dropMs = downMs + random.between(3, 12) * dayMs;
  const attention = random.derive(`reported/${name}`);
  const isReportedLate = !isFirst && attention.chance(lateReportShare);
  return [
    hosted(hostedMs, { addresses: first, site: emptySite(crew, name) }),
    certified(certifiedMs, ['www', 'login']),
    armed(armedMs, copiedSite(crew, brand)),
    ...(isFirst ? [reported(armedMs + attention.between(20, 90) * secondMs)] : []),
    ...(isMoved ? [moved(movedMs, second)] : []),
    ...(isReportedLate ? [reported(movedMs + attention.between(1, 55) * minuteMs)] : []),
    takenDown(downMs),
    dropped(dropMs),
  ];
}

function emptySite({ server, trackers }: Crew, name: string): Site {
  return {
    kind: 'parked',
    title: `Welcome to ${name}`,
    server,
    redirectTo: undefined,
    trackers,
    brand: undefined,
  };
}

export function copiedSite({ server, trackers }: Crew, { word, title }: Brand): Site {
  return { kind: 'login', title, server, redirectTo: undefined, trackers, brand: word };
}

/** Where a name of a crew goes next: to an address that it does not have now. */
export function nextAddresses(crew: Crew, { addresses }: WorldDomain): readonly string[] {
  const others = crew.homes.flat().filter((address) => !addresses.includes(address));
  return others.slice(0, 1);
}
