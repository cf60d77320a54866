/** Plans a search: reads what the parts of the condition begin with, all at once, and builds a tree of match sources from it. */
import type { Condition } from '../../../../model/record/condition.ts';
import { activeAttribute, historicalAttributes, tldAttribute } from '../../../domain/indexed-values.ts';
import { foldedText, type ValueKey, type ValueKeys } from '../../../domain/value-keys.ts';
import { wordsOf } from '../../../domain/words.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { findPostings, findPostingsAndState, type Posting } from '../posting/posting-rows.ts';
import { findIds } from '../record-rows.ts';
import type { RecordsState } from '../record-state.ts';
import { nameAttribute } from '../text-rows.ts';
import { ComparedIds } from './compare-source.ts';
import { AllOf, AnyOf, ListedIds, type MatchSource, NoneOf, ValueIds } from './match-source.ts';
import { keysContaining, nameSearch, recordsContaining, whoisSearch } from './text-queries.ts';
import { LazyIds, TextIds } from './text-source.ts';

type Kind<Name extends Condition['kind']> = Extract<Condition, { kind: Name }>;

/** Which domains have tags; ids of this database. */
export type FindTagged = (sql: Transaction, condition: Kind<'tagged'>) => Promise<readonly DomainId[]>;

export interface Plan extends RecordsState {
  readonly source: MatchSource;
}

/** Posting lists of which one statement reads so many. */
const batchKeys = 10_000;

export class QueryPlanner {
  readonly #keys: ValueKeys;
  readonly #findTagged: FindTagged;

  constructor(keys: ValueKeys, findTagged: FindTagged) {
    this.#keys = keys;
    this.#findTagged = findTagged;
  }

  /** Valid within the transaction, or as long as the version of the records is the same. */
  async plan(sql: Transaction, condition: Condition): Promise<Plan> {
    const leaves = leavesOf(condition);
    const keys = [...new Set(leaves.flatMap((leaf) => this.keysOf(leaf)))];
    const names = leaves.flatMap((leaf) => (leaf.kind === 'domain' ? leaf.names : []));
    const tagged = leaves.filter((leaf): leaf is Kind<'tagged'> => leaf.kind === 'tagged');
    const [{ state, postings }, ids, ...withTags] = await Promise.all([
      findPostingsAndState(sql, keys),
      findIds(sql, names),
      ...tagged.map((leaf) => this.#findTagged(sql, leaf)),
    ]);
    const tree = new PlannedTree({
      sql,
      lastId: state.lastId,
      ids,
      keysOf: (leaf) => this.keysOf(leaf),
      postings: new Map(keys.map((key, at) => [key, postings[at]])),
      tagged: new Map(tagged.map((leaf, at) => [leaf, withTags[at] as readonly DomainId[]])),
    });
    return { source: tree.sourceOf(condition), ...state };
  }

  /** Of the values that a part of a condition is about. */
  keysOf(leaf: Condition): readonly ValueKey[] {
    switch (leaf.kind) {
      case 'has':
        return leaf.attributes.map((attribute) => this.#keys.keyOf(attribute, leaf.value));
      case 'tld':
        return [this.#keys.keyOf(tldAttribute, leaf.tld)];
      case 'historical':
        return [this.#keys.keyOf(historicalAttributes[leaf.of], leaf.value)];
      case 'active':
        return [this.#keys.keyOf(activeAttribute, 'true')];
      default:
        return [];
    }
  }
}

function leavesOf(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.of.flatMap(leavesOf);
    case 'not':
      return leavesOf(condition.of);
    default:
      return [condition];
  }
}

interface Loaded {
  readonly sql: Transaction;
  readonly lastId: DomainId;
  readonly ids: ReadonlyMap<string, DomainId>;
  readonly postings: ReadonlyMap<ValueKey, Posting | undefined>;
  readonly tagged: ReadonlyMap<Condition, readonly DomainId[]>;
  readonly keysOf: (leaf: Condition) => readonly ValueKey[];
}

class PlannedTree {
  readonly #loaded: Loaded;

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
  }

  sourceOf(condition: Condition): MatchSource {
    const { sql, lastId, ids, tagged } = this.#loaded;
    switch (condition.kind) {
      case 'and':
        return new AllOf(
          condition.of.map((one) => this.sourceOf(one)),
          lastId,
        );
      case 'or':
        return new AnyOf(condition.of.map((one) => this.sourceOf(one)));
      case 'not':
        return new NoneOf(this.sourceOf(condition.of), lastId);
      case 'has':
      case 'tld':
      case 'historical':
        return this.#having(condition);
      case 'active':
        return condition.value ? this.#having(condition) : new NoneOf(this.#having(condition), lastId);
      case 'domain':
        return new ListedIds(condition.names.map((name) => ids.get(name)).filter((id) => id !== undefined));
      case 'tagged':
        return new ListedIds(tagged.get(condition) as readonly DomainId[]);
      case 'compare':
        return new ComparedIds(sql, condition, lastId);
      case 'contains':
        return this.#containing(condition);
      case 'whois':
        return this.#whoisText(condition);
    }
  }

  #having(leaf: Condition): MatchSource {
    const { sql, postings, keysOf } = this.#loaded;
    return new ValueIds(
      sql,
      keysOf(leaf).map((key) => ({ key, posting: postings.get(key) })),
    );
  }

  #containing({ attributes, text }: Kind<'contains'>): MatchSource {
    const { sql, lastId } = this.#loaded;
    const substring = foldedText(text);
    if (substring === '') return new ListedIds([]);
    return new AnyOf(
      attributes.map((attribute) =>
        attribute === nameAttribute
          ? new TextIds(nameSearch(sql, substring), lastId)
          : new LazyIds(
              () => valuesContaining(sql, attribute, substring),
              (ids) => recordsContaining(sql, ids, attribute, substring),
              lastId,
            ),
      ),
    );
  }

  #whoisText({ over, text }: Kind<'whois'>): MatchSource {
    const { sql, lastId } = this.#loaded;
    const phrase = wordsOf(text);
    return phrase === '' ? new ListedIds([]) : new TextIds(whoisSearch(sql, phrase, over), lastId);
  }
}

async function valuesContaining(
  sql: Transaction,
  attribute: string,
  substring: string,
): Promise<MatchSource> {
  const keys = await keysContaining(sql, attribute, substring);
  const values: { key: ValueKey; posting: Posting | undefined }[] = [];
  for (let at = 0; at < keys.length; at += batchKeys) {
    const some = keys.slice(at, at + batchKeys);
    const postings = await findPostings(sql, some);
    for (const [index, key] of some.entries()) values.push({ key, posting: postings[index] });
  }
  return new ValueIds(sql, values);
}
