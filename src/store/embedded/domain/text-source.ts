/**
 * Domains by a text. For few candidates the text is looked for in what is stored of each; for more the index is asked, first
 * as a whole, and if it finds too many, for one chunk after another.
 */
import type { DomainId } from '../../domain-store.ts';
import { both, chunkIds, chunkOfLows, type IdChunk, lowsOf, sizeOf } from './id-chunk.ts';
import { ListedIds, type MatchSource } from './match-source.ts';
import type { FoundIds } from './whois-words.ts';

/** More than a search may give. */
const listedMax = 10_500;

/** After everything that is cheaper, which is everything else. */
function estimateOfTexts(domains: number): number {
  return domains * 2 + 1;
}

/** How many domains are looked at rather than asking the index at all, and once it is known to find too many. */
export interface LookedAt {
  readonly few: number;
  readonly many: number;
}

interface TextSearch {
  /** A few domains among which all that match are; undefined where that is not known. */
  findCandidates?(): readonly DomainId[] | undefined;
  /** Among ids from the first to the last. */
  find(span: readonly [DomainId, DomainId], limit?: number): FoundIds;
  matches(id: DomainId): boolean;
  readonly lookedAt: LookedAt;
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

  askForCandidates(): void {
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

  narrow(chunk: number, among: IdChunk): IdChunk {
    if (this.#candidates) this.#listed ??= this.#list();
    if (this.#listed && this.#listed !== 'too-many') return this.#listed.narrow(chunk, among);
    const { few, many } = this.#search.lookedAt;
    const size = sizeOf(among);
    if (size <= (this.#listed ? many : few)) return this.#lookAt(chunk, among);
    this.#listed ??= this.#list();
    if (this.#listed !== 'too-many') return this.#listed.narrow(chunk, among);
    const first = chunk * chunkIds;
    const { ids } = this.#search.find([first, first + chunkIds - 1]);
    return both(chunkOfLows(Uint16Array.from(ids)), among);
  }

  #lookAt(chunk: number, among: IdChunk): IdChunk {
    return chunkOfLows(lowsOf(among).filter((low) => this.#search.matches(chunk * chunkIds + low)));
  }

  #list(): ListedIds | 'too-many' {
    this.askForCandidates();
    if (this.#candidates) return new ListedIds(this.#candidates.filter((id) => this.#search.matches(id)));
    const { ids, areAll } = this.#search.find([0, this.#domains], listedMax);
    return areAll ? new ListedIds(ids) : 'too-many';
  }
}

/** What takes long to make, and is made only when there is more than a few records to look at. */
export class LateIds implements MatchSource {
  readonly estimate: number;
  readonly #make: () => MatchSource;
  readonly #matches: (id: DomainId) => boolean;
  readonly #lookedAtMax: number;
  #made: MatchSource | undefined;

  constructor(make: () => MatchSource, { matches, lookedAt }: Omit<TextSearch, 'find'>, domains: number) {
    this.#make = make;
    this.#matches = matches;
    this.#lookedAtMax = lookedAt.few;
    this.estimate = estimateOfTexts(domains);
  }

  /** Asked of whatever matches least: then all domains are to be looked at, and it is to be made. */
  chunks(): Iterable<number> | undefined {
    this.#made ??= this.#make();
    return this.#made.chunks?.();
  }

  narrow(chunk: number, among: IdChunk): IdChunk {
    const first = chunk * chunkIds;
    if (!this.#made && sizeOf(among) <= this.#lookedAtMax) {
      return lowsOf(among).filter((low) => this.#matches(first + low));
    }
    this.#made ??= this.#make();
    return this.#made.narrow(chunk, among);
  }
}
