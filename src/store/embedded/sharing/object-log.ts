/**
 * Appends versions to `sharing_object`. What is to be said about a subject is compared with what was said last: what is the same is left alone, what
 * changed gets a new version, and what is no longer said a revoked one. A revoked object has no later version: said again, it is another object.
 * Must be called within a write transaction.
 */
import { stixId } from '../../../model/stix/stix-ids.ts';
import type { StixContent } from '../../../model/stix/stix-object.ts';
import type { Database } from '../database.ts';

/** A collection within one transaction. */
export interface OpenLog {
  readonly number: number;
  readonly account: string;
  readonly name: string;
  readonly nowMs: number;
  /** Of the last version. */
  added: number;
}

/** One object of what is said about a subject. */
export interface Statement {
  readonly part: string;
  readonly type: string;
  readonly content: StixContent;
  /** Of objects whose id and time of creation are given. */
  readonly known?: { readonly id: string; readonly createdMs: number };
}

export interface StatedRow {
  readonly added: number;
  readonly id: string;
  readonly type: string;
  readonly part: string;
  readonly created_ms: number;
  readonly revoked: number;
  readonly content: string;
}

/** Kept of each object, besides its first version. */
const versionsMax = 10;

export class ObjectLog {
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

  /** The latest versions of all objects about the subject, revoked ones among them. */
  stated(log: OpenLog, subject: string): readonly StatedRow[] {
    return this.#stated.all(log.number, subject) as StatedRow[];
  }

  /** The object as it is said from now on; one that is the same stays as it is. */
  state(log: OpenLog, subject: string, rows: readonly StatedRow[], statement: Statement): string {
    const { part, type, known } = statement;
    const content = JSON.stringify(statement.content);
    const earlier = rows.filter((row) => row.part === part);
    const present = earlier.find(({ revoked }) => revoked === 0);
    if (present?.content === content) return present.id;
    const added = next(log, earlier);
    const createdMs = present?.created_ms ?? known?.createdMs ?? Math.floor(added / 1000);
    const id =
      present?.id ?? known?.id ?? stixId(type, log.account, log.name, part, subject, String(createdMs));
    this.#add(log, { added, id, type, subject, part, createdMs, content, present, revoked: 0 });
    return id;
  }

  /** What is no longer said. */
  revoke(log: OpenLog, subject: string, row: StatedRow): void {
    const { id, type, part, created_ms: createdMs, content } = row;
    const added = next(log, [row]);
    this.#add(log, { added, id, type, subject, part, createdMs, content, present: row, revoked: 1 });
  }

  #add(
    { number: collection }: OpenLog,
    { present, ...row }: Readonly<Record<string, unknown>> & { readonly present: StatedRow | undefined },
  ): void {
    if (present) this.#supersede.run(collection, present.added);
    this.#insert.run({ collection, ...row, first: present ? 0 : 1 });
    if (present) this.#trim.run({ collection, id: present.id });
  }
}

/** Later than everything in the collection, and in a later millisecond than what was said about the same: that is its version. */
function next(log: OpenLog, earlier: readonly StatedRow[]): number {
  const latest = Math.max(-1, ...earlier.map(({ added }) => Math.floor(added / 1000)));
  log.added = Math.max(log.added + 1, log.nowMs * 1000, (latest + 1) * 1000);
  return log.added;
}
