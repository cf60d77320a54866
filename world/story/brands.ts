/** Eight well-known companies of the world, which crews imitate. */

export interface Brand {
  /** The word that its name is made of: a term for a monitor. */
  readonly word: string;
  readonly organization: string;
  /** Its home. */
  readonly domain: string;
  readonly title: string;
}

export const brands: readonly Brand[] = [
  {
    word: 'brightwater',
    organization: 'Brightwater Bank plc',
    domain: 'brightwater.zon',
    title: 'Brightwater Bank – Sign in to online banking',
  },
  {
    word: 'orbitapay',
    organization: 'Orbitapay Inc.',
    domain: 'orbitapay.orb',
    title: 'Orbitapay: send money anywhere',
  },
  {
    word: 'velomarket',
    organization: 'Velomarket AG',
    domain: 'velomarket.zon',
    title: 'Velomarket | Everything that rolls',
  },
  {
    word: 'nordfjell',
    organization: 'Nordfjell Energi AS',
    domain: 'nordfjell.lumen',
    title: 'Nordfjell Energi – Min side',
  },
  {
    word: 'cloudpantry',
    organization: 'Cloudpantry Ltd',
    domain: 'cloudpantry.zon',
    title: 'Cloudpantry. Your files, fresh.',
  },
  {
    word: 'mailgarden',
    organization: 'Mailgarden GmbH',
    domain: 'mailgarden.quill',
    title: 'Mailgarden Webmail Login',
  },
  {
    word: 'parcelhawk',
    organization: 'Parcelhawk Logistics B.V.',
    domain: 'parcelhawk.zon',
    title: 'Parcelhawk – Track your parcel',
  },
  {
    word: 'tessaltrade',
    organization: 'Tessaltrade Securities LLC',
    domain: 'tessaltrade.orb',
    title: 'Tessaltrade — Trade in every market',
  },
];

export function findBrand(word: string): Brand | undefined {
  return brands.find((brand) => brand.word === word);
}
