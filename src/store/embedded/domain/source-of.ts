/** From a condition to what answers it. */
import type { Condition } from '../../../model/record/condition.ts';
import type { Database } from '../database.ts';
import { PastWhois } from './changes.ts';
import { Columns } from './columns.ts';
import { ComparedIds } from './compare-source.ts';
import type { HotRows } from './hot-rows.ts';
import { activeAttribute, historicalAttributes, indexedValuesOf, tldAttribute } from './indexed-values.ts';
import { AllOf, AnyOf, ListedIds, type MatchSource, NoneOf, ValueIds } from './match-source.ts';
import { Postings } from './postings.ts';
import { RecordRows } from './record-rows.ts';
import { TaggedDomains } from './tags.ts';
import { nameAttribute, TextPartReader } from './text-parts.ts';
import { LateIds, type LookedAt, TextIds } from './text-source.ts';
import { foldedText, ValueKeys } from './value-keys.ts';
import { plainWordsOf, WhoisReader, wordsOf } from './whois-words.ts';

type Kind<Name extends Condition['kind']> = Extract<Condition, { kind: Name }>;

export interface LookedAtOfTexts {
  readonly names: LookedAt;
  readonly records: LookedAt;
  /** Domains with a rare word of a phrase, of so many domains. */
  rareWords(domains: number): LookedAt;
}

/**
 * A name is found at once; a record must be read and taken apart. Where records have a rare word, many are sooner read than a phrase
 * is found in the index, which goes through all domains of its frequent words.
 */
const usuallyLookedAt: LookedAtOfTexts = {
  names: { few: 500, many: 5000 },
  records: { few: 50, many: 500 },
  rareWords: (domains) => ({ few: 24, many: Math.max(24, Math.min(Math.floor(domains / 2000), 5000)) }),
};

export class Sources {
  readonly #lookedAt: LookedAtOfTexts;
  readonly #columns: Columns;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #postings: Postings;
  readonly #parts: TextPartReader;
  readonly #whois: WhoisReader;
  readonly #past: PastWhois;
  readonly #tagged: TaggedDomains;

  constructor(database: Database, hot: HotRows, lookedAt = usuallyLookedAt) {
    this.#lookedAt = lookedAt;
    this.#columns = new Columns(database, hot);
    this.#rows = new RecordRows(database);
    this.#keys = new ValueKeys(database);
    this.#postings = new Postings(database, hot);
    this.#parts = new TextPartReader(database);
    this.#whois = new WhoisReader(database);
    this.#past = new PastWhois(database);
    this.#tagged = new TaggedDomains(database);
  }

  /**
   * Good for one moment, in which there are so many domains. Whether texts have a rare word is looked up early, or late, when
   * everything else has been asked.
   */
  of(condition: Condition, domains: number, rareWords: 'early' | 'late' = 'late'): MatchSource {
    switch (condition.kind) {
      case 'and':
        return new AllOf(
          condition.of.map((one) => this.of(one, domains, rareWords)),
          domains,
        );
      case 'or':
        return new AnyOf(condition.of.map((one) => this.of(one, domains, rareWords)));
      case 'not':
        return new NoneOf(this.of(condition.of, domains, rareWords), domains);
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
    const part = foldedText(text);
    if (part === '') return new ListedIds([]);
    return new AnyOf(
      attributes.map((attribute) =>
        attribute === nameAttribute
          ? this.#namePart(part, domains)
          : this.#valuePart(attribute, part, domains),
      ),
    );
  }

  #namePart(part: string, domains: number): MatchSource {
    return new TextIds(
      {
        find: (span, limit) => this.#parts.findNames(part, span, limit),
        matches: (id) => this.#rows.nameOf(id).includes(part),
        lookedAt: this.#lookedAt.names,
      },
      domains,
    );
  }

  #valuePart(attribute: string, part: string, domains: number): MatchSource {
    const hasPart = (id: number) => {
      const record = this.#rows.findRecord(id);
      return indexedValuesOf(record as NonNullable<typeof record>).some(
        (value) => value.attribute === attribute && foldedText(value.value).includes(part),
      );
    };
    return new LateIds(
      () => new ValueIds(this.#postings, this.#parts.listKeys(attribute, part)),
      { matches: hasPart, lookedAt: this.#lookedAt.records },
      domains,
    );
  }

  #whoisText({ over, text }: Kind<'whois'>, domains: number, rareWords: 'early' | 'late'): MatchSource {
    const phrase = wordsOf(text);
    if (phrase === '') return new ListedIds([]);
    const padded = ` ${phrase} `;
    const hasPhrase = (whois: string | undefined) => ` ${wordsOf(whois ?? '')} `.includes(padded);
    const { few, many } = this.#lookedAt.rareWords(domains);
    const findCandidates = () => {
      const lookedAt = { few, many: rareWords === 'early' ? few : many };
      const ids = this.#whois.findRare(over, phrase, domains, lookedAt);
      const words = ids && ids.length > few && over === 'latest' ? plainWordsOf(phrase) : undefined;
      return ids && words ? this.#rows.listWithWords(ids, words) : ids;
    };
    const source = new TextIds(
      {
        findCandidates,
        find: (span, limit) => this.#whois.find(over, phrase, span, limit),
        matches: (id) =>
          hasPhrase(this.#rows.findWhoisText(id)) ||
          (over === 'history' && this.#past.of(id).some(({ record }) => hasPhrase(record))),
        lookedAt: this.#lookedAt.records,
      },
      domains,
    );
    if (rareWords === 'early') source.askForCandidates();
    return source;
  }
}
