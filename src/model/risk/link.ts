/**
 * What ties a domain to others: an address, a name server, a registrant. Known bad domains leave theirs behind, and whoever shares one is
 * in their proximity. `linksOf` in `links-of.ts` tells which a record has.
 */

export const linkKinds = [
  'address',
  'network',
  'name-server',
  'registrar',
  'registrant',
  'e-mail',
  'certificate',
  'tracker',
  'naming-pattern',
] as const;

export type LinkKind = (typeof linkKinds)[number];

export interface Link {
  readonly kind: LinkKind;
  /** The attribute of the record that has it; a naming pattern has none. */
  readonly attribute?: string;
  readonly value: string;
}

/** A link of a domain, with who else has it. */
export interface SharedLink extends Link {
  /** How many domains have it, this one included; undefined where nobody counts them. */
  readonly domains: number | undefined;
  /** How many others of them are known to be bad, and the greatest weight that one of them has. */
  readonly bad: number;
  readonly weight: number;
}
