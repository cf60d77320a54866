/**
 * Texts that are searched by any part of them: names of domains, and the distinct values of some attributes. An index tells
 * which have the trigrams of a part, without their places, and the texts have the last word. Parts of less than three
 * characters are looked for in the texts alone.
 */
import { type Attribute, containsAttributes } from '../../../model/record/condition.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { isTooShort, TrigramChoice, TrigramCounts } from './trigrams.ts';
import { foldedText, type ValueKey } from './value-keys.ts';
import type { FoundIds } from './whois-words.ts';

/** Names are found by id; all others by the key of their value. */
export const nameAttribute: Attribute = 'domain';

const searchedByPart: ReadonlySet<Attribute> = new Set(containsAttributes);

export class TextPartChanges {
  readonly #putName;
  readonly #known;
  readonly #putText;
  readonly #putPart;
  readonly #counts: TrigramCounts;

  constructor(database: Database) {
    this.#counts = new TrigramCounts(database);
    this.#putName = database.prepare('insert into name_part (rowid, name) values (?, ?)');
    this.#known = database.prepare('select 1 from text_value where key = ?').pluck();
    this.#putText = database.prepare('insert into text_value (key, attribute, folded) values (?, ?, ?)');
    this.#putPart = database.prepare('insert into value_part (rowid, folded) values (?, ?)');
  }

  addName(id: DomainId, name: string): void {
    this.#putName.run(id, name);
    this.#counts.note('name', name);
  }

  /** A text stays when the last domain has lost it, and then leads to none. */
  addValue(key: ValueKey, attribute: Attribute, value: string): void {
    if (!searchedByPart.has(attribute) || this.#known.get(key)) return;
    const folded = foldedText(value);
    this.#putPart.run(this.#putText.run(key, attribute, folded).lastInsertRowid, folded);
    this.#counts.note('value', folded);
  }

  forget(): void {
    this.#counts.forget();
  }

  /** At the end of a transaction. */
  make(): void {
    this.#counts.make();
  }
}

export class TextPartReader {
  readonly #indexedNames;
  readonly #otherNames;
  readonly #indexedKeys;
  readonly #otherKeys;
  readonly #choice: TrigramChoice;

  constructor(database: Database) {
    this.#choice = new TrigramChoice(database);
    // A cross join begins with the index.
    this.#indexedNames = database
      .prepare(
        'select id from name_part cross join domain on id = name_part.rowid ' +
          'where name_part match ? and name_part.rowid between ? and ? and instr(domain.name, ?) > 0 limit ?',
      )
      .pluck();
    this.#otherNames = database
      .prepare('select id from domain where id between ? and ? and instr(name, ?) > 0 order by id limit ?')
      .pluck();
    this.#indexedKeys = database
      .prepare(
        'select key from value_part cross join text_value on id = value_part.rowid ' +
          'where value_part match ? and attribute = ? and instr(text_value.folded, ?) > 0',
      )
      .pluck()
      .safeIntegers();
    this.#otherKeys = database
      .prepare('select key from text_value where attribute = ? and instr(folded, ?) > 0')
      .pluck()
      .safeIntegers();
  }

  /** Domains whose name has the part, in order. With a limit it may not be all of them. */
  findNames(part: string, [firstId, lastId]: readonly [DomainId, DomainId], limit = -1): FoundIds {
    const ids = this.#listNames(part, firstId, lastId, limit);
    return { ids, areAll: ids.length !== limit };
  }

  /** Values of an attribute that have the part. */
  listKeys(attribute: Attribute, part: string): readonly ValueKey[] {
    if (isTooShort(part)) return this.#otherKeys.all(attribute, part) as ValueKey[];
    const asked = this.#choice.expressionFor('value', part);
    return asked === undefined ? [] : (this.#indexedKeys.all(asked, attribute, part) as ValueKey[]);
  }

  #listNames(part: string, firstId: DomainId, lastId: DomainId, limit: number): DomainId[] {
    if (isTooShort(part)) return this.#otherNames.all(firstId, lastId, part, limit) as DomainId[];
    const asked = this.#choice.expressionFor('name', part);
    return asked === undefined
      ? []
      : (this.#indexedNames.all(asked, firstId, lastId, part, limit) as DomainId[]);
  }
}
