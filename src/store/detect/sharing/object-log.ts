/**
 * Appends versions of objects. What is to be said about a subject is compared with what was said last: what is the same is left alone, what
 * changed gets a new version, and what is no longer said a revoked one. A revoked object has no later version: said again, it is another object.
 */
import { stixId } from '../../../model/stix/stix-ids.ts';
import type { StixContent } from '../../../model/stix/stix-object.ts';
import type { StoredFlag } from '../rows/stored-json.ts';

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
  readonly revoked: StoredFlag;
  readonly content: string;
}

/** Kept of each object, besides its first version. */
export const versionsMax = 10;

/** A version that is to be added. */
export interface NewVersion {
  readonly added: number;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly part: string;
  readonly createdMs: number;
  readonly revoked: boolean;
  readonly content: string;
  /** The version of the same object that it follows; undefined: it is the first. */
  readonly present: StatedRow | undefined;
}

/** The objects of collections, within a write transaction. */
export interface ObjectTable {
  /** The latest versions of all objects about the subject, revoked ones among them, in the order of their times. */
  stated(collection: number, subject: string): readonly StatedRow[];
  /** The version that it follows is no longer the latest; of the older ones all but the first and the latest ten go. */
  add(collection: number, version: NewVersion): void;
}

export class ObjectLog {
  readonly #table: ObjectTable;

  constructor(table: ObjectTable) {
    this.#table = table;
  }

  /** The latest versions of all objects about the subject, revoked ones among them. */
  stated(log: OpenLog, subject: string): readonly StatedRow[] {
    return this.#table.stated(log.number, subject);
  }

  /** The object as it is said from now on; one that is the same stays as it is. */
  state(log: OpenLog, subject: string, rows: readonly StatedRow[], statement: Statement): string {
    const { part, type, known } = statement;
    const content = JSON.stringify(statement.content);
    const earlier = rows.filter((row) => row.part === part);
    const present = earlier.find(({ revoked }) => !revoked);
    if (present?.content === content) return present.id;
    const added = next(log, earlier);
    const createdMs = present?.created_ms ?? known?.createdMs ?? Math.floor(added / 1000);
    const id =
      present?.id ?? known?.id ?? stixId(type, log.account, log.name, part, subject, String(createdMs));
    const version = { added, id, type, subject, part, createdMs, content, present, revoked: false };
    this.#table.add(log.number, version);
    return id;
  }

  /** What is no longer said. */
  revoke(log: OpenLog, subject: string, row: StatedRow): void {
    const { id, type, part, created_ms: createdMs, content } = row;
    const added = next(log, [row]);
    const version = { added, id, type, subject, part, createdMs, content, present: row, revoked: true };
    this.#table.add(log.number, version);
  }
}

/** Later than everything in the collection, and in a later millisecond than what was said about the same: that is its version. */
function next(log: OpenLog, earlier: readonly StatedRow[]): number {
  const latest = Math.max(-1, ...earlier.map(({ added }) => Math.floor(added / 1000)));
  log.added = Math.max(log.added + 1, log.nowMs * 1000, (latest + 1) * 1000);
  return log.added;
}
