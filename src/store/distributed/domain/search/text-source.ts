/**
 * Domains that match a text. The database compares the texts of few candidates one by one; for more it queries the index, first for all matches, and where
 * those are too many, for those of some chunks at a time.
 */
import { chunkIds } from '../../../domain/id-chunk.ts';
import type { DomainId } from '../../../domain-store.ts';
import { type IdSet, idsIn, intersectionOf, setOfIds } from './id-set.ts';
import { ListedIds, type MatchSource, sizeOf } from './match-source.ts';

/** More than a search may return. */
export const listedMax = 10_500;
/** Texts that are compared one by one. */
const comparedMax = 500;

/** Larger than any other estimate, because everything else is cheaper. */
export function estimateOfTexts(domains: number): number {
  return domains * 2 + 1;
}

export interface TextSearch {
  /** Those of these domains that match. */
  among(ids: readonly DomainId[]): Promise<readonly DomainId[]>;
  /** All matches, or `listedMax` of them, in no order. */
  list(): Promise<readonly DomainId[]>;
  /** The matches from the first id to the last, in no order. */
  between(first: DomainId, last: DomainId): Promise<readonly DomainId[]>;
}

export class TextIds implements MatchSource {
  readonly estimate: number;
  readonly #search: TextSearch;
  #listed: Promise<ListedIds | 'too-many'> | undefined;

  constructor(search: TextSearch, domains: number) {
    this.#search = search;
    this.estimate = estimateOfTexts(domains);
  }

  async exceeds(limit: number): Promise<boolean> {
    const listed = await this.#list();
    return listed === 'too-many' ? listedMax > limit : listed.estimate > limit;
  }

  async chunks(): Promise<Iterable<number> | undefined> {
    const listed = await this.#list();
    return listed === 'too-many' ? undefined : listed.chunks();
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    if (!this.#listed && sizeOf(candidates) <= comparedMax)
      return setOfIds(await this.#search.among(Array.from(idsIn(candidates))));
    const listed = await this.#list();
    if (listed !== 'too-many') return listed.narrow(candidates);
    const chunks = Array.from(candidates.keys());
    const first = Math.min(...chunks) * chunkIds;
    const last = (Math.max(...chunks) + 1) * chunkIds - 1;
    const found = await this.#search.between(first, last);
    return intersectionOf(setOfIds(found), candidates);
  }

  #list(): Promise<ListedIds | 'too-many'> {
    this.#listed ??= this.#search
      .list()
      .then((ids) => (ids.length < listedMax ? new ListedIds(ids) : 'too-many'));
    return this.#listed;
  }
}

/** Wraps a source that is expensive to make and is made only where there are more than a few candidates to compare. */
export class LazyIds implements MatchSource {
  readonly estimate: number;
  readonly #make: () => Promise<MatchSource>;
  readonly #among: TextSearch['among'];
  readonly #comparedMax: number;
  #made: Promise<MatchSource> | undefined;

  constructor(make: () => Promise<MatchSource>, among: TextSearch['among'], domains: number) {
    this.#make = make;
    this.#among = among;
    this.#comparedMax = 50;
    this.estimate = estimateOfTexts(domains);
  }

  /** Called for the most selective operand: all domains are candidates then, so the source is needed. */
  async chunks(): Promise<Iterable<number> | undefined> {
    return (await this.#source()).chunks?.();
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    if (!this.#made && sizeOf(candidates) <= this.#comparedMax)
      return setOfIds(await this.#among(Array.from(idsIn(candidates))));
    return (await this.#source()).narrow(candidates);
  }

  #source(): Promise<MatchSource> {
    this.#made ??= this.#make();
    return this.#made;
  }
}
