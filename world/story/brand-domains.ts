/** The domains of brands: their home page and their defensive registrations. */
import type { Site } from '../world-domain.ts';
import type { Brand } from './brands.ts';
import { certified, hosted, type Life, minuteMs } from './life.ts';
import { findLookalike } from './lookalike-names.ts';
import { networks, siteAddressesOf } from './networks.ts';
import { mailOperators, nameServerOperators } from './operators.ts';
import { mailOf } from './owners.ts';
import { companyPerson } from './people.ts';
import type { Random } from './random.ts';
import { registrars } from './registrars.ts';
import { registration } from './registration.ts';
import { newTrackers } from './trackers.ts';

const lockedStatuses = ['clientDeleteProhibited', 'clientTransferProhibited', 'serverTransferProhibited'];

export interface BrandRegistration {
  readonly brand: Brand;
  /** Of the brand, in the list of all. */
  readonly index: number;
  readonly random: Random;
  readonly registeredMs: number;
}

export function homeOf(registered: BrandRegistration): Life {
  const { brand, index, random } = registered;
  const site: Site = {
    kind: index % 2 === 0 ? 'login' : 'home',
    title: brand.title,
    server: 'nginx',
    redirectTo: undefined,
    trackers: newTrackers(random),
    brand: brand.word,
  };
  return brandLife(registered, { name: brand.domain, site });
}

/** It leads to the brand's home. Undefined where no name is left. */
export function findDefensiveName(
  registered: BrandRegistration,
  isTaken: (name: string) => boolean,
): Life | undefined {
  const { brand, random } = registered;
  const name = findLookalike(brand, random, isTaken);
  if (name === undefined) return undefined;
  const site: Site = {
    kind: 'redirect',
    title: brand.title,
    server: 'nginx',
    redirectTo: `https://${brand.domain}/`,
    trackers: {},
    brand: brand.word,
  };
  return brandLife(registered, { name, site });
}

function brandLife(
  { brand, index, random, registeredMs }: BrandRegistration,
  { name, site }: { readonly name: string; readonly site: Site },
): Life {
  const nameServers = nameServerOperators[index % 4] ?? nameServerOperators[0];
  const domain = registration({
    name,
    actor: 'brand',
    registeredMs,
    registrar: registrars[index % 6] as (typeof registrars)[number],
    registrant: companyPerson(random, brand.organization, brand.domain),
    nameServers: nameServers?.hosts.map((host) => host.name) ?? [],
    soaEmail: `hostmaster@${brand.domain}`,
    statuses: lockedStatuses,
  });
  // Each brand has an address of its own, which no owner shares but by chance.
  const addresses = [siteAddressesOf(networks[index] as (typeof networks)[number])[4] as string];
  const steps = [
    hosted(minuteMs, { addresses, site, ...mailOf(mailOperators[index % mailOperators.length]) }),
    certified(2 * minuteMs, ['www']),
  ];
  return { domain, steps };
}
