/** Plans a search: builds a tree of match sources from a condition. */
import type { Condition } from '../../../../model/record/condition.ts';
import {
  activeAttribute,
  historicalAttributes,
  indexedValuesOf,
  tldAttribute,
} from '../../../domain/indexed-values.ts';
import { foldedText, type ValueKeys } from '../../../domain/value-keys.ts';
import { asciiWordsOf, wordsOf } from '../../../domain/words.ts';
import type { Database } from '../../database.ts';
import { PastWhois } from '../change-history.ts';
import { Columns } from '../columns.ts';
import { Postings } from '../postings.ts';
import { RecordRows } from '../record-rows.ts';
import { valueKeysOf } from '../stored-salt.ts';
import { TaggedDomains } from '../tags/tagged-domains.ts';
import { nameAttribute, SubstringIndexReader } from '../text/substring-index.ts';
import { WhoisIndexReader } from '../text/whois-index.ts';
import { ComparedIds } from './compare-source.ts';
import { AllOf, AnyOf, ListedIds, type MatchSource, NoneOf, ValueIds } from './match-source.ts';
import type { RowCache } from './row-cache.ts';
import { LazyIds, type ScanThresholds, TextIds } from './text-source.ts';

type Kind<Name extends Condition['kind']> = Extract<Condition, { kind: Name }>;

export interface TextScanThresholds {
  readonly names: ScanThresholds;
  readonly records: ScanThresholds;
  /** For domains with a rare word of a phrase, in a store of `domains` domains. */
  rareWords(domains: number): ScanThresholds;
}

/**
 * Reading a name is cheap; a record must be read and parsed. With a rare word, verifying many records is still faster than a phrase
 * query, which goes through the posting lists of the frequent words too.
 */
const defaultThresholds: TextScanThresholds = {
  names: { few: 500, many: 5000 },
  records: { few: 50, many: 500 },
  rareWords: (domains) => ({ few: 24, many: Math.max(24, Math.min(Math.floor(domains / 2000), 5000)) }),
};

export class QueryPlanner {
  readonly #thresholds: TextScanThresholds;
  readonly #columns: Columns;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #postings: Postings;
  readonly #substrings: SubstringIndexReader;
  readonly #whois: WhoisIndexReader;
  readonly #past: PastWhois;
  readonly #tagged: TaggedDomains;

  constructor(database: Database, cache: RowCache, thresholds = defaultThresholds) {
    this.#thresholds = thresholds;
    this.#columns = new Columns(database, cache);
    this.#rows = new RecordRows(database);
    this.#keys = valueKeysOf(database);
    this.#postings = new Postings(database, cache);
    this.#substrings = new SubstringIndexReader(database);
    this.#whois = new WhoisIndexReader(database);
    this.#past = new PastWhois(database);
    this.#tagged = new TaggedDomains(database);
  }

  /**
   * Valid within one read transaction, in which there are `domains` domains. `rareWords`: whether candidates of text searches are read
   * eagerly, for a good estimate, or only when the search needs them.
   */
  plan(condition: Condition, domains: number, rareWords: 'early' | 'late' = 'late'): MatchSource {
    switch (condition.kind) {
      case 'and':
        return new AllOf(
          condition.of.map((one) => this.plan(one, domains, rareWords)),
          domains,
        );
      case 'or':
        return new AnyOf(condition.of.map((one) => this.plan(one, domains, rareWords)));
      case 'not':
        return new NoneOf(this.plan(condition.of, domains, rareWords), domains);
      case 'has':
        return this.#having(condition.attributes, condition.value);
      case 'tld':
        return this.#having([tldAttribute], condition.tld);
      case 'historical':
        return this.#having([historicalAttributes[condition.of]], condition.value);
      case 'active':
        return this.#active(condition, domains);
      case 'domain':
        return new ListedIds(
          condition.names.map((name) => this.#rows.findId(name)).filter((id) => id !== undefined),
        );
      case 'tagged':
        return new ListedIds(this.#tagged.find(condition));
      case 'compare':
        return new ComparedIds(
          this.#columns.reader(condition.column),
          condition.comparison,
          condition.value,
          domains,
        );
      case 'contains':
        return this.#containing(condition, domains);
      case 'whois':
        return this.#whoisText(condition, domains, rareWords);
    }
  }

  #having(attributes: readonly string[], value: string): MatchSource {
    return new ValueIds(
      this.#postings,
      attributes.map((attribute) => this.#keys.keyOf(attribute, value)),
    );
  }

  #active({ value }: Kind<'active'>, domains: number): MatchSource {
    const active = this.#having([activeAttribute], 'true');
    return value ? active : new NoneOf(active, domains);
  }

  #containing({ attributes, text }: Kind<'contains'>, domains: number): MatchSource {
    const substring = foldedText(text);
    if (substring === '') return new ListedIds([]);
    return new AnyOf(
      attributes.map((attribute) =>
        attribute === nameAttribute
          ? this.#inNames(substring, domains)
          : this.#inValues(attribute, substring, domains),
      ),
    );
  }

  #inNames(substring: string, domains: number): MatchSource {
    return new TextIds(
      {
        find: (range, limit) => this.#substrings.findNames(substring, range, limit),
        matches: (id) => this.#rows.nameOf(id).includes(substring),
        thresholds: this.#thresholds.names,
      },
      domains,
    );
  }

  #inValues(attribute: string, substring: string, domains: number): MatchSource {
    const hasSubstring = (id: number) => {
      const record = this.#rows.findRecord(id);
      return indexedValuesOf(record as NonNullable<typeof record>).some(
        (value) => value.attribute === attribute && foldedText(value.value).includes(substring),
      );
    };
    return new LazyIds(
      () => new ValueIds(this.#postings, this.#substrings.listKeys(attribute, substring)),
      { matches: hasSubstring, thresholds: this.#thresholds.records },
      domains,
    );
  }

  #whoisText({ over, text }: Kind<'whois'>, domains: number, rareWords: 'early' | 'late'): MatchSource {
    const phrase = wordsOf(text);
    if (phrase === '') return new ListedIds([]);
    const padded = ` ${phrase} `;
    const hasPhrase = (whois: string | undefined) => ` ${wordsOf(whois ?? '')} `.includes(padded);
    const { few, many } = this.#thresholds.rareWords(domains);
    const findCandidates = () => {
      const limits = { few, many: rareWords === 'early' ? few : many };
      const ids = this.#whois.findRare(over, phrase, domains, limits);
      const words = ids && ids.length > few && over === 'latest' ? asciiWordsOf(phrase) : undefined;
      return ids && words ? this.#rows.listWithWords(ids, words) : ids;
    };
    const source = new TextIds(
      {
        findCandidates,
        find: (range, limit) => this.#whois.find(over, phrase, range, limit),
        matches: (id) =>
          hasPhrase(this.#rows.findWhoisText(id)) ||
          (over === 'history' && this.#past.of(id).some(({ record }) => hasPhrase(record))),
        thresholds: this.#thresholds.records,
      },
      domains,
    );
    if (rareWords === 'early') source.loadCandidates();
    return source;
  }
}
