/**
 * The strength of each kind of link. Domains with the same registrant, certificate or tracker mostly have the same operator; name
 * servers and addresses are shared more widely; a registrar or a network hardly means anything. The numbers are judgements, backed by
 * tests of their outcomes.
 */
import type { Link, LinkKind } from './link.ts';

export interface LinkStrength {
  /** Links of one group are not independent: only the strongest counts. */
  readonly group: 'owner' | 'servers' | 'hosting' | 'registrar' | 'certificate' | 'tracker' | 'name';
  /** The contract's word. */
  readonly evidence: string;
  readonly words: string;
  /** The probability contributed by one bad domain, while at most `domainsFew` domains have the link. */
  readonly chance: number;
  readonly domainsFew: number;
  /** The upper bound, however many domains with the link are bad. */
  readonly chanceMax: number;
}

const strengths = {
  registrant: {
    group: 'owner',
    evidence: 'registrant',
    words: 'registrant',
    chance: 0.35,
    domainsFew: 75,
    chanceMax: 0.9,
  },
  'e-mail': {
    group: 'owner',
    evidence: 'registrant',
    words: 'e-mail',
    chance: 0.7,
    domainsFew: 75,
    chanceMax: 0.97,
  },
  certificate: {
    group: 'certificate',
    evidence: 'certificate',
    words: 'certificate',
    chance: 0.7,
    domainsFew: 20,
    chanceMax: 0.97,
  },
  tracker: {
    group: 'tracker',
    evidence: 'web site',
    words: 'tracker',
    chance: 0.65,
    domainsFew: 75,
    chanceMax: 0.95,
  },
  'name-server': {
    group: 'servers',
    evidence: 'name server',
    words: 'name server',
    chance: 0.5,
    domainsFew: 25,
    chanceMax: 0.9,
  },
  address: {
    group: 'hosting',
    evidence: 'ip address',
    words: 'address',
    chance: 0.5,
    domainsFew: 5,
    chanceMax: 0.95,
  },
  network: {
    group: 'hosting',
    evidence: 'ip address',
    words: 'network',
    chance: 0.12,
    domainsFew: 5,
    chanceMax: 0.25,
  },
  registrar: {
    group: 'registrar',
    evidence: 'registrar',
    words: 'registrar',
    chance: 0.08,
    domainsFew: 5,
    chanceMax: 0.2,
  },
  // The domains with a pattern are not counted, so even many bad ones are no certainty.
  'naming-pattern': {
    group: 'name',
    evidence: 'domain name',
    words: 'naming pattern',
    chance: 0.2,
    domainsFew: 1,
    chanceMax: 0.6,
  },
} as const satisfies Readonly<Record<LinkKind, LinkStrength>>;

/** The contact of a zone is as strong as its name servers, which have the same operator. */
export function strengthOf({ kind, attribute }: Link): LinkStrength {
  if (attribute !== 'soa_email') return strengths[kind];
  return { ...strengths['name-server'], words: 'e-mail of the zone' };
}
