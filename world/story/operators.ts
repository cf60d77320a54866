/** Who runs name servers and mail for others: a few serve most domains. Their hosts stand in the networks of the world. */
import { addressIn, networks, parkingNetwork } from './networks.ts';

export interface Host {
  readonly name: string;
  readonly four: string;
  readonly six: string | undefined;
}

export interface Operator {
  readonly domain: string;
  readonly organization: string;
  readonly hosts: readonly Host[];
}

type Company = readonly [domain: string, organization: string, hosts: readonly string[], network: number];

const nameServerCompanies: readonly Company[] = [
  ['harbordns.zon', 'Harbor DNS Inc.', ['ns1', 'ns2'], 0],
  ['anycastle.orb', 'Anycastle Ltd', ['alpha', 'bravo', 'charlie'], 1],
  ['keyhaven.zon', 'Keyhaven Domains, Inc.', ['ns1', 'ns2'], 2],
  ['polder-cloud.zon', 'Polder Cloud B.V.', ['ns1', 'ns2'], 3],
  ['nameport.zon', 'NamePort Registrations LLC', ['dns1', 'dns2'], 6],
  ['rheingold.lumen', 'Rheingold Rechenzentrum GmbH', ['ns', 'ns2'], 2],
  ['shinano-data.orb', 'Shinano Data K.K.', ['ns01', 'ns02'], 5],
  ['zonewright.quill', 'Zonewright Cooperative', ['a', 'b'], 8],
];

const mailCompanies: readonly Company[] = [
  ['postbox.zon', 'Postbox Mail Inc.', ['mx1', 'mx2'], 0],
  ['cumulus-mail.zon', 'Cumulus Hosting Inc.', ['inbound', 'inbound2'], 1],
  ['briefkasten.lumen', 'Briefkasten Mail GmbH', ['mx'], 2],
  ['pigeonpost.orb', 'Pigeon Post Ltd', ['mx1', 'mx2'], 6],
  ['courrier.quill', 'Courrier SAS', ['mx'], 4],
];

const documentationPrefix = '2001:db8';

function operatorsOf(companies: readonly Company[], firstHost: number): readonly Operator[] {
  return companies.map(([domain, organization, labels, network], index) => ({
    domain,
    organization,
    hosts: labels.map((label, position) => ({
      name: `${label}.${domain}`,
      four: addressIn(networks[(network + position) % 20] ?? parkingNetwork, firstHost + (index % 4)),
      six: position === 0 ? `${documentationPrefix}:${network + 1}::${firstHost + index}` : undefined,
    })),
  }));
}

export const nameServerOperators: readonly Operator[] = operatorsOf(nameServerCompanies, 2);
export const mailOperators: readonly Operator[] = operatorsOf(mailCompanies, 6);

/** All parked names are on these two. */
export const parkingOperator: Operator = {
  domain: 'parkinglot.brax',
  organization: 'Parking Lot Media LLC',
  hosts: ['ns1', 'ns2'].map((label, index) => ({
    name: `${label}.parkinglot.brax`,
    four: addressIn(parkingNetwork, 2 + index),
    six: undefined,
  })),
};
