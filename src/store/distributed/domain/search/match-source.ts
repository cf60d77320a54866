/**
 * The operators of a query plan. Each narrows a set of candidates of some chunks at once: what it needs of the database it reads by one statement. A
 * conjunction narrows with its most selective operand first, and the next one reads only what is near the candidates that are left.
 */
import { cardinality } from '../../../domain/id-chunk.ts';
import type { ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { chunksNear, type Posting } from '../posting/posting-rows.ts';
import { differenceOf, type IdSet, intersectionOf, noIds, setOfIds, unionOf } from './id-set.ts';

export interface MatchSource {
  /** The estimated number of matching domains. */
  readonly estimate: number;
  /** Those of the candidates that match. */
  narrow(candidates: IdSet): Promise<IdSet>;
  /** The chunks that have matches, in order; undefined where any may have some. */
  chunks?(): Promise<Iterable<number> | undefined>;
  /** Whether it is cheap to detect that more domains match than the limit. */
  exceeds?(limit: number): Promise<boolean>;
}

export function sizeOf(set: IdSet): number {
  let size = 0;
  for (const ids of set.values()) size += cardinality(ids);
  return size;
}

export class ListedIds implements MatchSource {
  readonly estimate: number;
  readonly #ids: IdSet;

  constructor(ids: Iterable<DomainId>) {
    this.#ids = setOfIds(ids);
    this.estimate = sizeOf(this.#ids);
  }

  async chunks(): Promise<Iterable<number>> {
    return this.#ids.keys();
  }

  async exceeds(limit: number): Promise<boolean> {
    return this.estimate > limit;
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    return intersectionOf(this.#ids, candidates);
  }
}

/** A value of the index with its posting list. */
export interface FoundValue {
  readonly key: ValueKey;
  readonly posting: Posting | undefined;
}

/** Domains that have any of these values. */
export class ValueIds implements MatchSource {
  readonly estimate: number;
  readonly #sql: Transaction;
  readonly #listed: IdSet;
  readonly #paged: readonly ValueKey[];
  readonly #isOne: boolean;

  constructor(sql: Transaction, values: readonly FoundValue[]) {
    this.#sql = sql;
    this.#listed = setOfIds(values.flatMap(({ posting }) => posting?.ids ?? []));
    this.#paged = values.flatMap(({ key, posting }) => (posting && !posting.ids ? [key] : []));
    this.#isOne = values.length === 1;
    this.estimate = values.reduce((sum, { posting }) => sum + (posting?.domains ?? 0), 0);
  }

  async chunks(): Promise<Iterable<number> | undefined> {
    return this.#paged.length === 0 ? this.#listed.keys() : undefined;
  }

  async exceeds(limit: number): Promise<boolean> {
    return this.#isOne && this.estimate > limit;
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    const listed = intersectionOf(candidates, this.#listed);
    if (this.#paged.length === 0) return listed;
    const paged = await chunksNear(this.#sql, this.#paged, candidates);
    return intersectionOf(candidates, paged.reduce(unionOf, listed));
  }
}

export class AllOf implements MatchSource {
  readonly estimate: number;
  readonly #of: readonly MatchSource[];

  constructor(of: readonly MatchSource[], domains: number) {
    this.#of = of.toSorted((left, right) => left.estimate - right.estimate);
    this.estimate = this.#of[0]?.estimate ?? domains;
  }

  async chunks(): Promise<Iterable<number> | undefined> {
    return this.#of[0]?.chunks?.();
  }

  async exceeds(limit: number): Promise<boolean> {
    const [first, ...others] = this.#of;
    return others.length === 0 && ((await first?.exceeds?.(limit)) ?? false);
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    let left = candidates;
    for (const source of this.#of) {
      left = await source.narrow(left);
      if (left.size === 0) break;
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
  async chunks(): Promise<Iterable<number> | undefined> {
    const known = new Set<number>();
    for (const source of this.#of) {
      const chunks = await source.chunks?.();
      if (!chunks) return undefined;
      for (const chunk of chunks) known.add(chunk);
    }
    return Array.from(known).sort((left, right) => left - right);
  }

  async exceeds(limit: number): Promise<boolean> {
    for (const source of this.#of) if (await source.exceeds?.(limit)) return true;
    return false;
  }

  async narrow(candidates: IdSet): Promise<IdSet> {
    let found = noIds;
    let open = candidates;
    for (const source of this.#of) {
      if (open.size === 0) break;
      const last = await source.narrow(open);
      found = unionOf(found, last);
      open = differenceOf(open, last);
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

  async narrow(candidates: IdSet): Promise<IdSet> {
    return differenceOf(candidates, await this.#of.narrow(candidates));
  }
}
