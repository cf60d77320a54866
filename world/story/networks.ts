/** Where sites stand: twenty-five networks of loopback, the busiest first, and the addresses in them. */
import type { Network } from '../world-domain.ts';

const firstAsn = 64_600;
const sitesPerNetwork = 5;
/** Below them stand name servers and mail hosts. */
const firstSite = 10;

const operators: readonly (readonly [organization: string, country: string])[] = [
  ['Cumulus Hosting Inc.', 'US'],
  ['Stratus Edge Network', 'US'],
  ['Rheingold Rechenzentrum GmbH', 'DE'],
  ['Polder Cloud B.V.', 'NL'],
  ['Loire Hébergement SAS', 'FR'],
  ['Shinano Data K.K.', 'JP'],
  ['Thames Valley Servers Ltd', 'GB'],
  ['Harborlight Colocation', 'CA'],
  ['Kattegat Hosting ApS', 'DK'],
  ['Vistula Serwery Sp. z o.o.', 'PL'],
  ['Pampero Datos S.A.', 'AR'],
  ['Banksia Hosting Pty Ltd', 'AU'],
  ['Bosphorus Veri A.Ş.', 'TR'],
  ['Lagoon Internet Services', 'BR'],
  ['Sierra Nevada Housing S.L.', 'ES'],
  ['Aurora Konesali Oy', 'FI'],
  ['Nilgiri Networks Pvt Ltd', 'IN'],
  ['Han River Systems', 'KR'],
  ['Table Mountain Hosting', 'ZA'],
  ['Carpathia Servers SRL', 'RO'],
  ['Parking Lot Media LLC', 'US'],
  ['Wetterhorn Cloud AG', 'CH'],
  ['Driftwood Offshore Ltd', 'SC'],
  ['Night Harbor Servers', 'PA'],
  ['Grey Steppe Telecom', 'MD'],
];

export const networks: readonly Network[] = operators.map(([organization, country], index) => ({
  prefix: `127.${81 + (index % 15)}.${7 * index + 3}.0/24`,
  asn: firstAsn + 11 * index,
  organization,
  country,
}));

/** The n-th address of a network. */
export function addressIn(network: Network, last: number): string {
  return network.prefix.replace('.0/24', `.${last}`);
}

export function siteAddressesOf(network: Network): readonly string[] {
  return Array.from({ length: sitesPerNetwork }, (_, index) => addressIn(network, firstSite + index));
}

export const siteAddresses: readonly string[] = networks.flatMap(siteAddressesOf);

const parkingIndex = 20;
export const parkingNetwork = networks[parkingIndex] as Network;
/** Hosting without identity checks, preferred by crews. */
export const carelessNetworks: readonly Network[] = networks.slice(-3);
export const ordinaryNetworks: readonly Network[] = [
  ...networks.slice(0, parkingIndex),
  networks[parkingIndex + 1] as Network,
];

/** A line as Nameglass reads address ranges; no organization here has a comma in its name. */
export function addressRangeLine({ prefix, asn, organization, country }: Network): string {
  const base = prefix.replace('.0/24', '');
  return `${base}.0,${base}.255,${asn},${organization},${country}\n`;
}
