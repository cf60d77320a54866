/** Domains by name and by id, and their records. */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Database } from '../database.ts';

export class RecordRows {
  readonly #id;
  readonly #name;
  readonly #names;
  readonly #record;
  readonly #whois;
  readonly #withWords;
  readonly #texts;
  readonly #lastId;

  constructor(database: Database) {
    this.#id = database.prepare('select id from domain where name = ?').pluck();
    this.#name = database.prepare('select name from domain where id = ?').pluck();
    this.#names = database
      .prepare('select name from json_each(?) wanted cross join domain on domain.id = wanted.value')
      .pluck();
    this.#record = database.prepare('select record from record where id = ?').pluck();
    this.#whois = database
      .prepare("select record ->> '$.parsed_whois.record' from record where id = ?")
      .pluck();
    // A record has as many bytes as characters where all of it is ASCII; LIKE folds the case of ASCII alone.
    this.#withWords = database
      .prepare(
        'select record.id from json_each(?) wanted cross join record on record.id = wanted.value ' +
          'where record.record like ? or length(record.record) <> octet_length(record.record)',
      )
      .pluck();
    this.#texts = database
      .prepare(
        'select record.id, record.record from json_each(?) wanted cross join record on record.id = wanted.value',
      )
      .raw();
    this.#lastId = database.prepare('select max(id) from domain').pluck();
  }

  findId(name: string): DomainId | undefined {
    return this.#id.get(name) as DomainId | undefined;
  }

  nameOf(id: DomainId): string {
    return this.#name.get(id) as string;
  }

  /** Of existing domains, in the order of `ids`; fastest for ascending ids. */
  namesOf(ids: readonly DomainId[]): readonly string[] {
    return this.#names.all(JSON.stringify(ids)) as string[];
  }

  findRecord(id: DomainId): DomainRecord | undefined {
    const text = this.#record.get(id) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as DomainRecord);
  }

  /** The text of the latest WHOIS record, without parsing the rest. */
  findWhoisText(id: DomainId): string | undefined {
    return (this.#whois.get(id) as string | null | undefined) ?? undefined;
  }

  /** A prefilter: those of the domains whose record may contain these ASCII words in this order, with no false negatives. */
  listWithWords(ids: readonly DomainId[], words: readonly string[]): readonly DomainId[] {
    return this.#withWords.all(JSON.stringify(ids), `%${words.join('%')}%`) as DomainId[];
  }

  /** The JSON of records, in the order of `ids`; missing ones are left out. */
  listTexts(ids: readonly DomainId[]): readonly (readonly [id: DomainId, text: string])[] {
    const [first = 0] = ids;
    if (ids.length !== 1) return this.#texts.all(JSON.stringify(ids)) as [DomainId, string][];
    const text = this.#record.get(first) as string | undefined;
    return text === undefined ? [] : [[first, text]];
  }

  /** Ids begin with 1; 0 where there is none yet. */
  lastId(): DomainId {
    return (this.#lastId.get() as DomainId | null) ?? 0;
  }
}
