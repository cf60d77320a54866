/** Rows of `sharing_object` as they are written. Must be called within a write transaction. */
import {
  type NewVersion,
  type ObjectTable,
  type StatedRow,
  versionsMax,
} from '../../detect/sharing/object-log.ts';
import type { Database } from '../database.ts';

export class StoredObjects implements ObjectTable {
  readonly #stated;
  readonly #insert;
  readonly #supersede;
  readonly #trim;

  constructor(database: Database) {
    this.#stated = database.prepare(
      `select added, id, type, part, created_ms, revoked, content
       from sharing_object indexed by sharing_object_subject
       where collection = ? and subject = ? and latest = 1 order by added`,
    );
    this.#insert = database.prepare(
      `insert into sharing_object
         (collection, added, id, type, subject, part, created_ms, first, revoked, content)
       values (:collection, :added, :id, :type, :subject, :part, :createdMs, :first, :revoked, :content)`,
    );
    this.#supersede = database.prepare(
      'update sharing_object set latest = 0 where collection = ? and added = ?',
    );
    this.#trim = database.prepare(
      `delete from sharing_object indexed by sharing_object_id
       where collection = :collection and id = :id and first = 0 and added <= (
         select added from sharing_object indexed by sharing_object_id
         where collection = :collection and id = :id order by added desc limit 1 offset ${versionsMax})`,
    );
  }

  stated(collection: number, subject: string): readonly StatedRow[] {
    return this.#stated.all(collection, subject) as StatedRow[];
  }

  add(collection: number, { present, revoked, ...row }: NewVersion): void {
    if (present) this.#supersede.run(collection, present.added);
    this.#insert.run({ collection, ...row, revoked: revoked ? 1 : 0, first: present ? 0 : 1 });
    if (present) this.#trim.run({ collection, id: present.id });
  }
}
