/**
 * A link is an attribute that domains share: an address, a name server, a registrant. Domains that share links with known bad domains
 * are in their proximity. `links-of.ts` extracts the links of a record.
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

/** A link of a domain, with the statistics of the domains that share it. */
export interface SharedLink extends Link {
  /** How many domains have it, this one included; undefined if they are not counted. */
  readonly domains: number | undefined;
  /** How many of the other domains are listed as bad, and the maximum weight of their lists. */
  readonly bad: number;
  readonly weight: number;
}
