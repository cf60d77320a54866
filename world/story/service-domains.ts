/** The domains of those whom the others need: registrars, operators of name servers and of mail, and what crews run for themselves. */
import type { Person } from '../world-domain.ts';
import type { Crew } from './crews.ts';
import { certified, hosted, type Life, minuteMs } from './life.ts';
import { mailOperators, nameServerOperators, type Operator, parkingOperator } from './operators.ts';
import { newOrdinaryAddress } from './owners.ts';
import { companyPerson } from './people.ts';
import type { Random } from './random.ts';
import { registrarDomains, registrars } from './registrars.ts';
import { registration } from './registration.ts';

const operators: readonly Operator[] = [...nameServerOperators, ...mailOperators, parkingOperator];

interface Company {
  readonly domain: string;
  readonly organization: string;
  /** Undefined: those of the largest operator. */
  readonly nameServers: Operator | undefined;
}

const companies: readonly Company[] = [
  ...operators.map((operator) => ({ ...operator, nameServers: operator })),
  ...registrarDomains
    .map((domain, index) => ({ domain, organization: registrars[index]?.name ?? '', nameServers: undefined }))
    .filter(({ domain }) => operators.every((operator) => operator.domain !== domain)),
];

/** The others would be lost without them, so nothing happens to these. */
export const serviceDomains: ReadonlySet<string> = new Set(companies.map(({ domain }) => domain));

/** Old, and used in the ordinary way. */
export function serviceLives(random: Random, registeredMs: number): readonly Life[] {
  return companies.map(({ domain: name, organization, nameServers }, index) => {
    const isMail = mailOperators.some((each) => each.domain === name);
    const usual = nameServerOperators[0] as Operator;
    const domain = registration({
      name,
      actor: 'owner',
      registeredMs: registeredMs + index * 1000,
      registrar: registrars[index % 4] as (typeof registrars)[number],
      registrant: companyPerson(random, organization, name),
      nameServers: (isMail ? usual : (nameServers ?? usual)).hosts.map((host) => host.name),
      soaEmail: `hostmaster@${name}`,
    });
    const site = {
      kind: 'home',
      title: organization,
      server: 'nginx',
      redirectTo: undefined,
      trackers: {},
      brand: undefined,
    } as const;
    const addresses = [newOrdinaryAddress(random)];
    return { domain, steps: [hosted(minuteMs, { addresses, site }), certified(2 * minuteMs, ['www'])] };
  });
}

/** The domain of a crew's name servers: no site, no mail. */
export function crewServiceLife(crew: Crew, registeredMs: number): Life {
  const registrant: Person = crew.persona;
  const domain = registration({
    name: crew.domain,
    actor: 'crew',
    registeredMs,
    registrar: crew.registrar,
    registrant,
    nameServers: crew.hosts.map((host) => host.name),
    soaEmail: `admin@${crew.domain}`,
    statuses: ['ok'],
  });
  return { domain, steps: [] };
}
