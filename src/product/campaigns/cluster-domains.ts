/**
 * Which domains belong together: those that share values whose weights reach a threshold, and all that belong together with one of them (single-linkage
 * clusters, by union-find). Domains are compared by way of an index of the combinations of values that suffice, not in pairs, so the work grows with the
 * number of domains and not with its square.
 */
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { CampaignLinkKind } from '../../model/campaign/campaign.ts';
import type { SharedLink, WeighedDomain } from './shared-values.ts';

const linkThreshold = 0.6;

/** Of values that usually come together, as a name server and the address in the SOA record, only the strongest counts. */
const groups: Readonly<Record<CampaignLinkKind, string>> = {
  certificate: 'certificate',
  analytics: 'analytics',
  registrant: 'registrant',
  soa_email: 'name server',
  name_server: 'name server',
  ip: 'address',
  picture: 'page',
  page: 'page',
  naming: 'naming',
};

/** Many copy the page of a brand, or choose a name like it: without another link that says nothing. */
const soft: ReadonlySet<CampaignLinkKind> = new Set(['picture', 'page', 'naming']);

const valuesPerGroup = 2;
const valuesPerCombination = 3;

/** Clusters have at least two domains; the order of the input does not matter. */
export async function clusterDomains(
  domains: readonly WeighedDomain[],
): Promise<readonly (readonly string[])[]> {
  const sets = new UnionFind(domains.length);
  const numbers = new Map<SharedLink, number>();
  const firstOf = new Map<string, number>();
  const indexes = domains.map((_, index) => index);
  await mapInSlices(indexes, (index) => {
    for (const combination of combinationsOf(domains[index] as WeighedDomain)) {
      const key = keyOf(combination, numbers);
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, index);
      else sets.union(first, index);
    }
  });
  const clusters = Map.groupBy(domains, (_, index) => sets.find(index));
  return [...clusters.values()]
    .filter(({ length }) => length > 1)
    .map((members) => members.map(({ domain }) => domain).sort());
}

/** The smallest sets of values of different groups that reach the threshold. */
function* combinationsOf({ links }: WeighedDomain): Generator<readonly SharedLink[]> {
  const strongest = bestOfGroups(links.map(({ shared }) => shared));
  const extend = function* (chosen: readonly SharedLink[], from: number): Generator<readonly SharedLink[]> {
    for (let at = from; at < strongest.length; at += 1) {
      const next = strongest[at] as SharedLink;
      if (chosen.some(({ by }) => groups[by] === groups[next.by])) continue;
      const combination = [...chosen, next];
      const weight = combination.reduce((sum, link) => sum + link.weight, 0);
      const isHard = combination.some(({ by }) => !soft.has(by));
      if (weight >= linkThreshold && isHard) yield combination;
      else if (combination.length < valuesPerCombination) yield* extend(combination, at + 1);
    }
  };
  yield* extend([], 0);
}

function bestOfGroups(links: readonly SharedLink[]): readonly SharedLink[] {
  const counts = new Map<string, number>();
  return links.toSorted(strongestFirst).filter(({ by }) => {
    const count = (counts.get(groups[by]) ?? 0) + 1;
    counts.set(groups[by], count);
    return count <= valuesPerGroup;
  });
}

export function strongestFirst(
  one: Pick<SharedLink, 'weight' | 'by' | 'value'>,
  other: Pick<SharedLink, 'weight' | 'by' | 'value'>,
): number {
  if (one.weight !== other.weight) return other.weight - one.weight;
  return `${one.by} ${one.value}` < `${other.by} ${other.value}` ? -1 : 1;
}

function keyOf(combination: readonly SharedLink[], numbers: Map<SharedLink, number>): string {
  const own = combination.map((link) => {
    const known = numbers.get(link);
    if (known !== undefined) return known;
    numbers.set(link, numbers.size);
    return numbers.size - 1;
  });
  return own.sort((one, other) => one - other).join(' ');
}

/** Disjoint sets, with union by size and path halving. */
class UnionFind {
  readonly #parents: Int32Array;
  readonly #sizes: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, index) => index);
    this.#sizes = new Int32Array(size).fill(1);
  }

  find(index: number): number {
    let at = index;
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at] as number] as number;
      at = this.#parents[at] as number;
    }
    return at;
  }

  union(one: number, other: number): void {
    const [a, b] = [this.find(one), this.find(other)];
    if (a === b) return;
    const [large, small] = (this.#sizes[a] as number) >= (this.#sizes[b] as number) ? [a, b] : [b, a];
    this.#parents[small] = large;
    this.#sizes[large] = (this.#sizes[large] as number) + (this.#sizes[small] as number);
  }
}
