/** Rows of `sharing_object` while one transaction adds versions: read for many subjects at a time, added in memory, and written together. */
import {
  type NewVersion,
  type ObjectTable,
  type StatedRow,
  versionsMax,
} from '../../detect/sharing/object-log.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

type SubjectRow = StatedRow & { readonly collection: number; readonly subject: string };

interface AddedRow extends Omit<NewVersion, 'present'> {
  readonly collection: number;
  readonly first: boolean;
  latest: boolean;
}

export class ObjectDraft implements ObjectTable {
  readonly #stated = new Map<string, readonly StatedRow[]>();
  readonly #added = new Map<string, AddedRow>();
  /** Of stored rows that are no longer the latest. */
  readonly #superseded: { readonly collection: number; readonly added: number }[] = [];
  /** Of objects that have more than one version. */
  readonly #followed = new Map<string, { readonly collection: number; readonly id: string }>();

  /** Reads what was said about these subjects. No other may be asked for. */
  async load(sql: Transaction, collections: readonly number[], subjects: Iterable<string>): Promise<void> {
    const asked = [...new Set(subjects)];
    // Subject by subject in the index, however long the collections are: `offset` keeps the planner from another way.
    const rows = await sql<SubjectRow[]>`
      select object.* from unnest(${collections}::bigint[]) as wanted (number), unnest(${asked}::text[]) as given (name),
        lateral (select collection, subject, added, id, type, part, created_ms, revoked, content from sharing_object
          where collection = wanted.number and subject = given.name and latest offset 0) as object
      order by added`;
    for (const collection of collections)
      for (const subject of asked) this.#stated.set(keyOf(collection, subject), []);
    for (const [key, found] of Map.groupBy(rows, (row) => keyOf(row.collection, row.subject)))
      this.#stated.set(key, found);
  }

  stated(collection: number, subject: string): readonly StatedRow[] {
    const rows = this.#stated.get(keyOf(collection, subject));
    if (!rows) throw new Error('a subject that was not loaded');
    return rows;
  }

  add(collection: number, { present, ...version }: NewVersion): void {
    const { subject, id, added, type, part, createdMs, revoked, content } = version;
    const others = this.stated(collection, subject).filter((row) => row !== present);
    this.#stated.set(keyOf(collection, subject), [
      ...others,
      { added, id, type, part, created_ms: createdMs, revoked, content },
    ]);
    if (present) {
      const own = this.#added.get(keyOf(collection, present.added));
      if (own) own.latest = false;
      else this.#superseded.push({ collection, added: present.added });
      this.#followed.set(keyOf(collection, id), { collection, id });
    }
    this.#added.set(keyOf(collection, added), {
      ...version,
      collection,
      first: present === undefined,
      latest: true,
    });
  }

  async write(sql: Transaction): Promise<void> {
    if (this.#added.size === 0) return;
    await sql`
      update sharing_object set latest = false
      from json_to_recordset(${jsonRows(this.#superseded)}::text::json) as old (collection bigint, added bigint)
      where sharing_object.collection = old.collection and sharing_object.added = old.added`;
    await sql`
      insert into sharing_object (collection, added, id, type, subject, part, created_ms, first, latest, revoked, content)
      select collection, added, id, type, subject, part, "createdMs", first, latest, revoked, content
      from json_to_recordset(${jsonRows([...this.#added.values()])}::text::json)
        as new (collection bigint, added bigint, id text, type text, subject text, part text, "createdMs" bigint,
          first boolean, latest boolean, revoked boolean, content text)`;
    await this.#trim(sql);
  }

  async #trim(sql: Transaction): Promise<void> {
    if (this.#followed.size === 0) return;
    await sql`
      delete from sharing_object as object
      using json_to_recordset(${jsonRows([...this.#followed.values()])}::text::json) as given (collection bigint, id text),
        lateral (select added from sharing_object as kept where kept.collection = given.collection and kept.id = given.id
          order by added desc offset ${versionsMax} limit 1) as last
      where object.collection = given.collection and object.id = given.id and not object.first and object.added <= last.added`;
  }
}

const keyOf = (collection: number, what: string | number) => `${collection} ${what}`;
