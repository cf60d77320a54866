/**
 * Compares the index entries of records with those that this version derives, and applies the difference. What is missing is read from
 * the indexes themselves. The keys stored with a record are in the order of the version that wrote them, and rows of the first versions
 * have none: as a set they show which entries are stale, and nothing more.
 */
import type { Attribute } from '../../../model/record/condition.ts';
import { type ColumnReader, columns } from '../../domain/columns.ts';
import { differenceOf, type IndexDifference } from '../../domain/index-difference.ts';
import type { IndexEntries } from '../../domain/reindex.ts';
import type { ValueKey } from '../../domain/value-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import { type Database, write } from '../database.ts';
import { PastWhois } from './change-history.ts';
import { ColumnChanges, Columns } from './columns.ts';
import { ExpectedKeys } from './expected-keys.ts';
import { PostingChanges } from './posting-changes.ts';
import { Postings } from './postings.ts';
import { RecordKeys } from './record-keys.ts';
import { RecordRows } from './record-rows.ts';
import { valueKeysOf } from './stored-salt.ts';
import { SubstringIndexChanges } from './text/substring-index.ts';
import { WhoisIndexChanges } from './text/whois-index.ts';

export class RecordReindexer {
  readonly #database: Database;
  readonly #rows: RecordRows;
  readonly #expected: ExpectedKeys;
  readonly #past: PastWhois;
  readonly #recordKeys: RecordKeys;
  readonly #postings: Postings;
  readonly #numbers: Columns;
  readonly #postingChanges: PostingChanges;
  readonly #columnChanges: ColumnChanges;
  readonly #parts: SubstringIndexChanges;
  readonly #whois: WhoisIndexChanges;

  constructor(database: Database) {
    this.#database = database;
    this.#rows = new RecordRows(database);
    this.#expected = new ExpectedKeys(database);
    this.#past = new PastWhois(database);
    this.#recordKeys = new RecordKeys(database, valueKeysOf(database));
    this.#postings = new Postings(database);
    this.#numbers = new Columns(database);
    this.#postingChanges = new PostingChanges(database);
    this.#columnChanges = new ColumnChanges(database);
    this.#parts = new SubstringIndexChanges(database);
    this.#whois = new WhoisIndexChanges(database);
  }

  /** Reindexes a range of ids and returns those that changed. Takes the write lock only if there are any. */
  async reindex(firstId: DomainId, lastId: DomainId): Promise<readonly DomainId[]> {
    const differing = this.#database.transaction(() => this.#listDiffering(firstId, lastId))();
    if (differing.length === 0) return [];
    return this.#write(() => {
      // Other writes may have come in between.
      const readers = this.#columnReaders();
      return differing.filter((id) => {
        const difference = this.#compare(id, readers);
        if (difference) this.#apply(id, difference);
        return difference !== undefined;
      });
    });
  }

  /** Removes those entries that still are stale, and returns the ids of their domains. */
  removeStale({ keys, ids }: IndexEntries): Promise<readonly DomainId[]> {
    return this.#write(() =>
      Array.from(ids).filter((id, index) => {
        const key = keys[index] as ValueKey;
        const record = this.#rows.findRecord(id);
        if (record && this.#expected.of(id, record).has(key)) return false;
        this.#postingChanges.remove(key, id);
        return true;
      }),
    );
  }

  recount(keys: BigInt64Array): Promise<void> {
    return this.#write(() => {
      for (const key of keys) this.#postingChanges.recount(key);
    });
  }

  #write<Result>(work: () => Result): Promise<Result> {
    return write(this.#database, () => {
      // Drops what a failed transaction left in the buffers.
      this.#postingChanges.reset();
      this.#columnChanges.reset();
      this.#parts.reset();
      const result = work();
      this.#postingChanges.flush();
      this.#columnChanges.flush();
      this.#parts.flush();
      return result;
    });
  }

  #listDiffering(firstId: DomainId, lastId: DomainId): readonly DomainId[] {
    const readers = this.#columnReaders();
    return Array.from({ length: lastId - firstId + 1 }, (_, index) => firstId + index).filter(
      (id) => this.#compare(id, readers) !== undefined,
    );
  }

  /** A reader is valid within one transaction. */
  #columnReaders(): readonly ColumnReader[] {
    return columns.map((column) => this.#numbers.reader(column));
  }

  /** Undefined where the index is right, and for a domain without a record. */
  #compare(id: DomainId, readers: readonly ColumnReader[]): IndexDifference | undefined {
    const record = this.#rows.findRecord(id);
    if (!record) return undefined;
    const past = this.#past.of(id);
    const expected = this.#expected.of(id, record, past);
    const stored = this.#recordKeys.find(id);
    const texts: (readonly [ValueKey, Attribute, string])[] = [];
    const computed = this.#recordKeys.compute(record, (key, attribute, value) => {
      if (this.#parts.lacksValue(key, attribute)) texts.push([key, attribute, value]);
    });
    return differenceOf({
      record,
      expected,
      stored,
      computed,
      has: (key) => this.#postings.has(key, id),
      texts,
      name: this.#parts.lacksName(id) ? record.domain : undefined,
      numbers: readers.map((reader) => reader.numberOf(id)),
      whois: this.#whois.compare(
        id,
        record.parsed_whois?.record,
        past.map((whois) => whois.record),
      ),
    });
  }

  #apply(id: DomainId, { missing, stale, keys, texts, name, numbers, whois }: IndexDifference): void {
    for (const key of missing) this.#postingChanges.add(key, id);
    for (const key of stale) this.#postingChanges.remove(key, id);
    if (keys) this.#recordKeys.put(id, keys);
    for (const [key, attribute, value] of texts) this.#parts.addValue(key, attribute, value);
    if (name !== undefined) this.#parts.addName(id, name);
    if (numbers) this.#columnChanges.set(id, numbers.before, numbers.after);
    if (whois) this.#whois.apply(id, whois);
  }
}
