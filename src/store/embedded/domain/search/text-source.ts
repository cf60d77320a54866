/**
 * Domains that match a text. Few candidates are verified one by one against what is stored of them; for more the index is queried,
 * first as a whole, and where that gives too many matches, chunk by chunk.
 */

import {
  cardinality,
  chunkIds,
  chunkOfLows,
  type IdChunk,
  intersection,
  lowsOf,
} from '../../../domain/id-chunk.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { FoundIds } from '../text/whois-index.ts';
import { ListedIds, type MatchSource } from './match-source.ts';

/** More than a search may return. */
const listedMax = 10_500;

/** Larger than any other estimate, because everything else is cheaper. */
function estimateOfTexts(domains: number): number {
  return domains * 2 + 1;
}

/** Up to how many candidates are verified one by one: before the index was queried, and once it is known to give too many matches. */
export interface ScanThresholds {
  readonly few: number;
  readonly many: number;
}

interface TextSearch {
  /** A small superset of the matches; undefined where there is none. */
  findCandidates?(): readonly DomainId[] | undefined;
  /** The matches from the first id to the last. */
  find(range: readonly [DomainId, DomainId], limit?: number): FoundIds;
  matches(id: DomainId): boolean;
  readonly thresholds: ScanThresholds;
}

export class TextIds implements MatchSource {
  readonly #search: TextSearch;
  readonly #domains: number;
  #candidates: readonly DomainId[] | undefined;
  #listed: ListedIds | 'too-many' | undefined;

  constructor(search: TextSearch, domains: number) {
    this.#search = search;
    this.#domains = domains;
  }

  get estimate(): number {
    return this.#candidates?.length ?? estimateOfTexts(this.#domains);
  }

  loadCandidates(): void {
    this.#candidates ??= this.#search.findCandidates?.();
  }

  exceeds(limit: number): boolean {
    this.#listed ??= this.#list();
    return this.#listed === 'too-many' ? listedMax > limit : this.#listed.estimate > limit;
  }

  chunks(): Iterable<number> | undefined {
    if (this.#candidates) this.#listed ??= this.#list();
    return this.#listed === 'too-many' ? undefined : this.#listed?.chunks();
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    if (this.#candidates) this.#listed ??= this.#list();
    if (this.#listed && this.#listed !== 'too-many') return this.#listed.narrow(chunk, candidates);
    const { few, many } = this.#search.thresholds;
    const size = cardinality(candidates);
    if (size <= (this.#listed ? many : few)) return this.#verify(chunk, candidates);
    this.#listed ??= this.#list();
    if (this.#listed !== 'too-many') return this.#listed.narrow(chunk, candidates);
    const first = chunk * chunkIds;
    const { ids } = this.#search.find([first, first + chunkIds - 1]);
    return intersection(chunkOfLows(Uint16Array.from(ids)), candidates);
  }

  #verify(chunk: number, candidates: IdChunk): IdChunk {
    return chunkOfLows(lowsOf(candidates).filter((low) => this.#search.matches(chunk * chunkIds + low)));
  }

  #list(): ListedIds | 'too-many' {
    this.loadCandidates();
    if (this.#candidates) return new ListedIds(this.#candidates.filter((id) => this.#search.matches(id)));
    const { ids, isComplete } = this.#search.find([0, this.#domains], listedMax);
    return isComplete ? new ListedIds(ids) : 'too-many';
  }
}

/** Wraps a source that is expensive to make and is made only where there are more than a few candidates to verify. */
export class LazyIds implements MatchSource {
  readonly estimate: number;
  readonly #make: () => MatchSource;
  readonly #matches: (id: DomainId) => boolean;
  readonly #verifiedMax: number;
  #made: MatchSource | undefined;

  constructor(make: () => MatchSource, { matches, thresholds }: Omit<TextSearch, 'find'>, domains: number) {
    this.#make = make;
    this.#matches = matches;
    this.#verifiedMax = thresholds.few;
    this.estimate = estimateOfTexts(domains);
  }

  /** Called for the most selective operand: all domains are candidates then, so the source is needed. */
  chunks(): Iterable<number> | undefined {
    this.#made ??= this.#make();
    return this.#made.chunks?.();
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    const first = chunk * chunkIds;
    if (!this.#made && cardinality(candidates) <= this.#verifiedMax) {
      return lowsOf(candidates).filter((low) => this.#matches(first + low));
    }
    this.#made ??= this.#make();
    return this.#made.narrow(chunk, candidates);
  }
}
