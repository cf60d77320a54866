/** Parkers hold hundreds of names on one address and one pair of name servers, with advertisements on them. */
import type { Person, Registrar } from '../world-domain.ts';
import { hosted, type Life, minuteMs } from './life.ts';
import { parkingNetwork, siteAddressesOf } from './networks.ts';
import { parkingOperator } from './operators.ts';
import { newSoughtName } from './ordinary-names.ts';
import { newPerson } from './people.ts';
import type { Random } from './random.ts';
import { registrars } from './registrars.ts';
import { registration } from './registration.ts';

export interface Parker {
  readonly registrar: Registrar;
  readonly registrant: Person;
  readonly address: string;
  readonly adCode: string;
}

export function newParker(random: Random, index: number): Parker {
  return {
    registrar: random.pick(registrars),
    registrant: newPerson(random),
    address: siteAddressesOf(parkingNetwork)[index] as string,
    adCode: `pub-${random.between(1, 9)}${random.digits(15)}`,
  };
}

export function parkedDomain(
  parker: Parker,
  random: Random,
  registeredMs: number,
  isTaken: (name: string) => boolean,
): Life {
  const name = newSoughtName(random, isTaken);
  const domain = registration({
    name,
    actor: 'parker',
    registeredMs,
    registrar: parker.registrar,
    registrant: parker.registrant,
    nameServers: parkingOperator.hosts.map((host) => host.name),
    soaEmail: `dns@${parkingOperator.domain}`,
  });
  const site = {
    kind: 'parked',
    title: `${name} is for sale`,
    server: 'ParkServe/2',
    redirectTo: undefined,
    trackers: { ad_tracker_code: [parker.adCode] },
    brand: undefined,
  } as const;
  return { domain, steps: [hosted(minuteMs, { addresses: [parker.address], site })] };
}
