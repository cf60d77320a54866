/**
 * The operators of a query plan. Each evaluates a condition chunk by chunk: of candidate ids it gives those that match. A conjunction
 * narrows the candidates with its most selective operand first, and a text is searched for in the records of few candidates or in an
 * index, whichever is less work.
 */

import {
  cardinality,
  chunkIds,
  chunkOf,
  chunkOfLows,
  difference,
  emptyChunk,
  type IdChunk,
  intersection,
  union,
} from '../../../domain/id-chunk.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Postings } from '../postings.ts';

export interface MatchSource {
  /** The estimated number of matching domains. */
  readonly estimate: number;
  /** Those of the candidates of a chunk that match. */
  narrow(chunk: number, candidates: IdChunk): IdChunk;
  /** The chunks that have matches, in order; undefined where any may have some. */
  chunks?(): Iterable<number> | undefined;
  /** Whether it is cheap to detect that more domains match than the limit. */
  exceeds?(limit: number): boolean;
}

/** A sorted list of ids. */
export class ListedIds implements MatchSource {
  readonly estimate: number;
  readonly #ids: Int32Array;

  constructor(ids: Iterable<DomainId>) {
    this.#ids = Int32Array.from(new Set(ids)).sort();
    this.estimate = this.#ids.length;
  }

  chunks(): Iterable<number> {
    return new Set(Array.from(this.#ids, chunkOf));
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    const found = this.chunkOf(chunk);
    return found.length === 0 ? emptyChunk : intersection(found, candidates);
  }

  chunkOf(chunk: number): IdChunk {
    const from = this.#lowerBound(chunk * chunkIds);
    const to = this.#lowerBound((chunk + 1) * chunkIds);
    return from === to ? emptyChunk : chunkOfLows(Uint16Array.from(this.#ids.subarray(from, to)));
  }

  #lowerBound(id: DomainId): number {
    let [from, to] = [0, this.#ids.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#ids[middle] as number) < id) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Domains that have any of these values. */
export class ValueIds implements MatchSource {
  readonly estimate: number;
  readonly #postings: Postings;
  readonly #listed: ListedIds;
  readonly #chunked: readonly ValueKey[];
  readonly #isOne: boolean;

  constructor(postings: Postings, keys: readonly ValueKey[]) {
    const listed: DomainId[] = [];
    const chunked: ValueKey[] = [];
    let estimate = 0;
    for (const key of keys) {
      const posting = postings.find(key);
      if (posting?.ids) for (const id of posting.ids) listed.push(id);
      else if (posting) chunked.push(key);
      estimate += posting?.domains ?? 0;
    }
    this.#postings = postings;
    this.#listed = new ListedIds(listed);
    this.#chunked = chunked;
    this.#isOne = keys.length === 1;
    this.estimate = estimate;
  }

  chunks(): Iterable<number> | undefined {
    return this.#chunked.length === 0 ? this.#listed.chunks() : undefined;
  }

  exceeds(limit: number): boolean {
    return this.#isOne && this.estimate > limit;
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    let found = this.#listed.chunkOf(chunk);
    for (const key of this.#chunked) found = union(found, this.#postings.chunkOf(key, chunk));
    return found.length === 0 ? emptyChunk : intersection(found, candidates);
  }
}

export class AllOf implements MatchSource {
  readonly estimate: number;
  readonly #of: readonly MatchSource[];

  constructor(of: readonly MatchSource[], domains: number) {
    this.#of = of.toSorted((left, right) => left.estimate - right.estimate);
    this.estimate = this.#of[0]?.estimate ?? domains;
  }

  chunks(): Iterable<number> | undefined {
    return this.#of[0]?.chunks?.();
  }

  exceeds(limit: number): boolean {
    const [first, ...others] = this.#of;
    return others.length === 0 && (first?.exceeds?.(limit) ?? false);
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    let left = candidates;
    for (const source of this.#of) {
      left = source.narrow(chunk, left);
      if (left.length === 0) break;
    }
    return left;
  }
}

export class AnyOf implements MatchSource {
  readonly estimate: number;
  readonly #of: readonly MatchSource[];

  constructor(of: readonly MatchSource[]) {
    this.#of = of;
    this.estimate = of.reduce((sum, { estimate }) => sum + estimate, 0);
  }

  /** Known where all operands know theirs. */
  chunks(): Iterable<number> | undefined {
    const known = new Set<number>();
    for (const source of this.#of) {
      const chunks = source.chunks?.();
      if (!chunks) return undefined;
      for (const chunk of chunks) known.add(chunk);
    }
    return Array.from(known).sort((left, right) => left - right);
  }

  exceeds(limit: number): boolean {
    return this.#of.some((source) => source.exceeds?.(limit) ?? false);
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    const [first, ...others] = this.#of;
    let found = first?.narrow(chunk, candidates) ?? emptyChunk;
    let last = found;
    let open = candidates;
    for (const source of others) {
      open = difference(open, last);
      if (cardinality(open) === 0) break;
      last = source.narrow(chunk, open);
      found = union(found, last);
    }
    return found;
  }
}

export class NoneOf implements MatchSource {
  readonly estimate: number;
  readonly #of: MatchSource;

  constructor(of: MatchSource, domains: number) {
    this.#of = of;
    // A negated text search costs as much as the text search.
    this.estimate = of.estimate > domains ? of.estimate : domains - of.estimate;
  }

  narrow(chunk: number, candidates: IdChunk): IdChunk {
    return difference(candidates, this.#of.narrow(chunk, candidates));
  }
}
