/**
 * The values that several domains share, and how much each says: a value that few of all known domains have weighs most (inverse document frequency),
 * and one that more than a bound have says nothing.
 */
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { CampaignLinkKind, DomainLink, LinkValue } from '../../model/campaign/campaign.ts';
import { QuarterIndex } from '../../model/picture/group-alike.ts';
import type { LinkedDomain } from '../../store/detect/campaign-store.ts';
import type { DomainStore } from '../../store/domain-store.ts';

/** A value that at least two of the domains share. */
export interface SharedLink {
  readonly by: CampaignLinkKind;
  readonly value: string;
  readonly known: number;
  /** From 0 to 1. */
  readonly weight: number;
}

/** A domain with the shared values it has. */
export interface WeighedDomain {
  readonly domain: string;
  readonly links: readonly {
    readonly shared: SharedLink;
    readonly firstMs: number;
    readonly lastMs: number;
  }[];
}

export interface WeighOptions {
  /** A value that more domains share says nothing. */
  readonly sharedMax: number;
  /** Values that say nothing, as `linkKey` writes them. */
  readonly own: ReadonlySet<string>;
}

export interface WeighNeeds {
  readonly domains: Pick<DomainStore, 'countsOf' | 'countNames'>;
}

/**
 * How much a value says at most. `identity`: chosen by one operator, who may have many domains, so it says enough up to the bound. `service`: rented by
 * many, so what it says falls to nothing at the bound. `habit`: what others do too.
 */
const strengths: Readonly<
  Record<CampaignLinkKind, { readonly sort: 'identity' | 'service' | 'habit'; readonly most: number }>
> = {
  certificate: { sort: 'identity', most: 1 },
  analytics: { sort: 'identity', most: 1 },
  registrant: { sort: 'identity', most: 1 },
  soa_email: { sort: 'service', most: 0.75 },
  name_server: { sort: 'service', most: 0.75 },
  ip: { sort: 'service', most: 0.7 },
  picture: { sort: 'habit', most: 0.45 },
  page: { sort: 'habit', most: 0.3 },
  naming: { sort: 'habit', most: 0.3 },
};

/** Of an identity that as many domains have as may. */
const identityLeast = 0.65;
/** A store that knows fewer domains sees only some of those that share a service. */
const namesOfReference = 50_000;

const valuesAtOnce = 500;

interface Counted {
  readonly by: CampaignLinkKind;
  readonly value: string;
  attribute: string;
  listed: number;
}

export async function weighDomains(
  given: readonly LinkedDomain[],
  { sharedMax, own }: WeighOptions,
  needs: WeighNeeds,
): Promise<readonly WeighedDomain[]> {
  const domains = await withPictureGroups(given);
  const counted = new Map<string, Counted>();
  await mapInSlices(domains, ({ links }) => {
    const seen = new Set<string>();
    for (const { by, attribute, value } of links) {
      const key = linkKey({ by, value });
      const known = counted.get(key) ?? { by, value, attribute, listed: 0 };
      if (!seen.has(key)) known.listed += 1;
      // Counted under one attribute, whichever domain comes first.
      if (attribute < known.attribute) known.attribute = attribute;
      seen.add(key);
      counted.set(key, known);
    }
  });
  const weighed = await weigh(
    [...counted].filter(([key, { listed }]) => listed > 1 && !own.has(key)),
    sharedMax,
    needs,
  );
  return mapInSlices(domains, ({ domain, links }) => {
    const found = new Map<string, WeighedDomain['links'][number]>();
    for (const link of links) {
      const shared = weighed.get(linkKey(link));
      if (!shared || found.has(linkKey(link))) continue;
      found.set(linkKey(link), { shared, firstMs: link.firstMs, lastMs: link.lastMs });
    }
    return { domain, links: [...found.values()] };
  });
}

async function weigh(
  shared: readonly (readonly [key: string, counted: Counted])[],
  sharedMax: number,
  { domains }: WeighNeeds,
): Promise<ReadonlyMap<string, SharedLink>> {
  const knownNames = await domains.countNames();
  const weighed = new Map<string, SharedLink>();
  for (let at = 0; at < shared.length; at += valuesAtOnce) {
    const piece = shared.slice(at, at + valuesAtOnce);
    const asked = piece.filter(([, { attribute }]) => attribute !== '');
    const counts = await domains.countsOf(asked.map(([, { attribute, value }]) => ({ attribute, value })));
    const countOf = new Map(asked.map(([key], index) => [key, counts[index] ?? 0]));
    for (const [key, { by, value, attribute, listed }] of piece) {
      const known = Math.max(countOf.get(key) ?? 0, listed);
      if (known > sharedMax) continue;
      const weight = weightOf({ by, attribute, known }, { sharedMax, knownNames });
      if (weight > 0) weighed.set(key, { by, value, known, weight });
    }
  }
  return weighed;
}

function weightOf(
  { by, attribute, known }: Pick<Counted, 'by' | 'attribute'> & { readonly known: number },
  { sharedMax, knownNames }: { readonly sharedMax: number; readonly knownNames: number },
): number {
  const { sort, most } = strengths[by];
  // Many people have the same name, and few the same address.
  if (by === 'registrant' && !attribute.endsWith('.email')) return nameMost * rarity(known, sharedMax);
  if (sort === 'identity') return identityLeast + (most - identityLeast) * rarity(known, sharedMax);
  const unseen = sort === 'service' ? Math.max(1, namesOfReference / Math.max(knownNames, 1)) : 1;
  return most * rarity(known * unseen, sharedMax);
}

const nameMost = 0.5;

/** 1 for a value that nobody else has, 0 for one that as many have as may. */
function rarity(known: number, sharedMax: number): number {
  return Math.max(0, 1 - Math.log(known) / Math.log(sharedMax));
}

/** A value of a kind as one text. */
export function linkKey({ by, value }: LinkValue): string {
  return `${by} ${value}`;
}

/** Pictures that look alike get the hash of one of them. In order of hashes, so that the order of domains does not matter. */
async function withPictureGroups(domains: readonly LinkedDomain[]): Promise<readonly LinkedDomain[]> {
  const hashes = new Set<string>();
  for (const { links } of domains) for (const { by, value } of links) if (by === 'picture') hashes.add(value);
  const groups = new QuarterIndex();
  const sorted = [...hashes].sort();
  const representatives = await mapInSlices(sorted, (hash) => groups.findOrAdd(hash));
  const groupOf = new Map(sorted.map((hash, index) => [hash, representatives[index] as string]));
  const grouped = (link: DomainLink) =>
    link.by === 'picture' ? { ...link, value: groupOf.get(link.value) ?? link.value } : link;
  return mapInSlices(domains, (one) => ({ ...one, links: one.links.map(grouped) }));
}
