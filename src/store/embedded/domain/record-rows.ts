/** Domains by name and by id, and their records. */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { DamagedData } from '../../damage.ts';
import type { DomainId, UnparsedRecord } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { assertRowChecksum } from './row-checksum.ts';

type RecordRow = readonly [id: DomainId, record: string, checksum: number | null];

export class RecordRows {
  readonly #file: string;
  readonly #id;
  readonly #name;
  readonly #names;
  readonly #record;
  readonly #withWords;
  readonly #texts;
  readonly #lastId;

  constructor(database: Database) {
    this.#file = database.name;
    this.#id = database.prepare('select id from domain where name = ?').pluck();
    this.#name = database.prepare('select name from domain where id = ?').pluck();
    this.#names = database
      .prepare('select name from json_each(?) wanted cross join domain on domain.id = wanted.value')
      .pluck();
    this.#record = database.prepare('select id, record, checksum from record where id = ?').raw();
    // A record has as many bytes as characters where all of it is ASCII; LIKE folds the case of ASCII alone.
    this.#withWords = database
      .prepare(
        'select record.id from json_each(?) wanted cross join record on record.id = wanted.value ' +
          'where record.record like ? or length(record.record) <> octet_length(record.record)',
      )
      .pluck();
    this.#texts = database
      .prepare(
        'select record.id, record.record, record.checksum from json_each(?) wanted ' +
          'cross join record on record.id = wanted.value',
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
    const row = this.#record.get(id) as RecordRow | undefined;
    return row && (JSON.parse(this.#checked(row)) as DomainRecord);
  }

  /** By its name: parsing fails unless it is the record of that name. */
  findUnparsed(name: string): UnparsedRecord | undefined {
    const id = this.findId(name);
    const row = id === undefined ? undefined : (this.#record.get(id) as RecordRow | undefined);
    if (!row) return undefined;
    const json = this.#checked(row);
    return {
      json,
      parse: () => {
        const record = JSON.parse(json) as DomainRecord;
        if (record.domain === name) return record;
        throw new DamagedData({ file: this.#file, problem: `the name ${name} leads to another domain` });
      },
    };
  }

  /** The text of the latest WHOIS record. */
  findWhoisText(id: DomainId): string | undefined {
    return this.findRecord(id)?.parsed_whois?.record;
  }

  /** A prefilter: those of the domains whose record may contain these ASCII words in this order, with no false negatives. */
  listWithWords(ids: readonly DomainId[], words: readonly string[]): readonly DomainId[] {
    return this.#withWords.all(JSON.stringify(ids), `%${words.join('%')}%`) as DomainId[];
  }

  /** The JSON of records, in the order of `ids`; missing ones are left out. */
  listTexts(ids: readonly DomainId[]): readonly (readonly [id: DomainId, text: string])[] {
    const rows = (
      ids.length === 1 ? this.#record.all(ids[0]) : this.#texts.all(JSON.stringify(ids))
    ) as RecordRow[];
    return rows.map((row) => [row[0], this.#checked(row)]);
  }

  #checked([id, value, checksum]: RecordRow): string {
    assertRowChecksum(this.#file, { id, value, checksum }, `the record of domain ${id}`);
    return value;
  }

  /** Ids begin with 1; 0 where there is none yet. */
  lastId(): DomainId {
    return (this.#lastId.get() as DomainId | null) ?? 0;
  }
}
