/**
 * Texts that are searched by any part of them: names of domains, and the distinct values of some attributes. An index tells
 * which have the trigrams of a part, without their places, and the texts have the last word. Parts of less than three
 * characters are looked for in the texts alone.
 */
import { type Attribute, containsAttributes } from '../../../model/record/condition.ts';
import type { DomainId, SharedValue } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { foldedText, type ValueKey } from './value-keys.ts';
import type { FoundIds } from './whois-words.ts';

/** Names are found by id; all others by the key of their value. */
export const nameAttribute: Attribute = 'domain';

/** As many trigrams as cover the part; quoted, so nothing in it is syntax. Undefined where it is too short. */
function trigramsOf(part: string): string | undefined {
  const characters = Array.from(part);
  if (characters.length < 3) return undefined;
  const starts = Array.from({ length: Math.ceil(characters.length / 3) }, (_, index) =>
    Math.min(index * 3, characters.length - 3),
  );
  const trigrams = starts.map((start) => characters.slice(start, start + 3).join(''));
  return [...new Set(trigrams)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

export class TextPartChanges {
  readonly #putName;
  readonly #known;
  readonly #putText;
  readonly #putPart;

  constructor(database: Database) {
    this.#putName = database.prepare('insert into name_part (rowid, name) values (?, ?)');
    this.#known = database.prepare('select 1 from text_value where key = ?').pluck();
    this.#putText = database.prepare('insert into text_value (key, attribute, folded) values (?, ?, ?)');
    this.#putPart = database.prepare('insert into value_part (rowid, folded) values (?, ?)');
  }

  addName(id: DomainId, name: string): void {
    this.#putName.run(id, name);
  }

  /** A text stays when the last domain has lost it, and then leads to none. */
  addValue(key: ValueKey, { attribute, value }: SharedValue): void {
    if (!containsAttributes.includes(attribute) || this.#known.get(key)) return;
    const folded = foldedText(value);
    this.#putPart.run(this.#putText.run(key, attribute, folded).lastInsertRowid, folded);
  }
}

export class TextPartReader {
  readonly #indexedNames;
  readonly #otherNames;
  readonly #indexedKeys;
  readonly #otherKeys;

  constructor(database: Database) {
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
    const trigrams = trigramsOf(part);
    const ids = (
      trigrams
        ? this.#indexedNames.all(trigrams, firstId, lastId, part, limit)
        : this.#otherNames.all(firstId, lastId, part, limit)
    ) as DomainId[];
    return { ids, areAll: ids.length !== limit };
  }

  /** Values of an attribute that have the part. */
  listKeys(attribute: Attribute, part: string): readonly ValueKey[] {
    const trigrams = trigramsOf(part);
    return (
      trigrams ? this.#indexedKeys.all(trigrams, attribute, part) : this.#otherKeys.all(attribute, part)
    ) as ValueKey[];
  }
}
