/**
 * Substring search in domain names and in the distinct values of some attributes. A trigram index
 * (https://sqlite.org/fts5.html#the_trigram_tokenizer), stored without positions, gives candidates, which are then verified against
 * the texts; substrings of less than three characters are found by scanning the texts.
 */
import { type Attribute, containsAttributes } from '../../../../model/record/condition.ts';
import { foldedText, type ValueKey } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { isTooShort, RarestTrigrams, TrigramCounts } from './trigrams.ts';
import type { FoundIds } from './whois-index.ts';

/** Names are indexed by domain id, all others by the key of their value. */
export const nameAttribute: Attribute = 'domain';

const knownKeysMax = 100_000;

const substringAttributes: ReadonlySet<Attribute> = new Set(containsAttributes);

export function isSearchedBySubstring(attribute: Attribute): boolean {
  return substringAttributes.has(attribute);
}

export class SubstringIndexChanges {
  readonly #knownName;
  readonly #putName;
  readonly #known;
  readonly #putText;
  readonly #putPart;
  readonly #counts: TrigramCounts;
  /** Some of the keys that the index has: most values of a record were met before. */
  readonly #knownKeys = new Set<ValueKey>();

  constructor(database: Database) {
    this.#counts = new TrigramCounts(database);
    this.#knownName = database.prepare('select 1 from name_part where rowid = ?').pluck();
    this.#putName = database.prepare('insert into name_part (rowid, name) values (?, ?)');
    this.#known = database.prepare('select 1 from text_value where key = ?').pluck();
    this.#putText = database.prepare(
      'insert into text_value (key, attribute, folded) values (?, ?, ?) on conflict (key) do nothing',
    );
    this.#putPart = database.prepare('insert into value_part (rowid, folded) values (?, ?)');
  }

  lacksName(id: DomainId): boolean {
    return this.#knownName.get(id) === undefined;
  }

  /** False also for attributes that are not searched by substring. */
  lacksValue(key: ValueKey, attribute: Attribute): boolean {
    return isSearchedBySubstring(attribute) && this.#known.get(key) === undefined;
  }

  addName(id: DomainId, name: string): void {
    this.#putName.run(id, name);
    this.#counts.add('name', name);
  }

  /** A text stays when its last domain has lost it; its posting list is then empty. */
  addValue(key: ValueKey, attribute: Attribute, value: string): void {
    if (!isSearchedBySubstring(attribute) || this.#knownKeys.has(key)) return;
    this.#addText(key, attribute, foldedText(value));
  }

  /** The same for a value that was folded elsewhere. */
  addFolded(key: ValueKey, attribute: Attribute, folded: string): void {
    if (!this.#knownKeys.has(key)) this.#addText(key, attribute, folded);
  }

  /** Before a transaction. Unless the one before was committed, nothing that it added counts as known. */
  reset(wasCommitted = false): void {
    this.#counts.reset();
    if (!wasCommitted) this.#knownKeys.clear();
  }

  /** At the end of the transaction. */
  flush(): void {
    this.#counts.flush();
  }

  #addText(key: ValueKey, attribute: Attribute, folded: string): void {
    if (this.#knownKeys.size >= knownKeysMax) this.#knownKeys.clear();
    this.#knownKeys.add(key);
    const { changes, lastInsertRowid } = this.#putText.run(key, attribute, folded);
    if (changes === 0) return;
    this.#putPart.run(lastInsertRowid, folded);
    this.#counts.add('value', folded);
  }
}

export class SubstringIndexReader {
  readonly #indexedNames;
  readonly #scannedNames;
  readonly #indexedKeys;
  readonly #scannedKeys;
  readonly #rarest: RarestTrigrams;

  constructor(database: Database) {
    this.#rarest = new RarestTrigrams(database);
    // A cross join makes SQLite start with the trigram index.
    this.#indexedNames = database
      .prepare(
        'select id from name_part cross join domain on id = name_part.rowid ' +
          'where name_part match ? and name_part.rowid between ? and ? and instr(domain.name, ?) > 0 limit ?',
      )
      .pluck();
    this.#scannedNames = database
      .prepare('select id from domain where id between ? and ? and instr(name, ?) > 0 order by id limit ?')
      .pluck();
    this.#indexedKeys = database
      .prepare(
        'select key from value_part cross join text_value on id = value_part.rowid ' +
          'where value_part match ? and attribute = ? and instr(text_value.folded, ?) > 0',
      )
      .pluck()
      .safeIntegers();
    this.#scannedKeys = database
      .prepare('select key from text_value where attribute = ? and instr(folded, ?) > 0')
      .pluck()
      .safeIntegers();
  }

  /** Domains whose name contains the substring, in order; with a limit possibly not all of them. */
  findNames(substring: string, [firstId, lastId]: readonly [DomainId, DomainId], limit = -1): FoundIds {
    const ids = this.#listNames(substring, firstId, lastId, limit);
    return { ids, isComplete: ids.length !== limit };
  }

  /** Values of an attribute that contain the substring. */
  listKeys(attribute: Attribute, substring: string): readonly ValueKey[] {
    if (isTooShort(substring)) return this.#scannedKeys.all(attribute, substring) as ValueKey[];
    const expression = this.#rarest.expressionFor('value', substring);
    return expression === undefined
      ? []
      : (this.#indexedKeys.all(expression, attribute, substring) as ValueKey[]);
  }

  #listNames(substring: string, firstId: DomainId, lastId: DomainId, limit: number): DomainId[] {
    if (isTooShort(substring)) return this.#scannedNames.all(firstId, lastId, substring, limit) as DomainId[];
    const expression = this.#rarest.expressionFor('name', substring);
    return expression === undefined
      ? []
      : (this.#indexedNames.all(expression, firstId, lastId, substring, limit) as DomainId[]);
  }
}
