/** Changes of a tag itself. Each is one small transaction; rows of merged and deleted tags are swept afterwards, a few at a time. */

import { changedRow, type TagId, type TagOutcome, type TagRow } from '../../../domain/tag-row.ts';
import type { TagChange, TagReader } from '../../../domain/tag-store.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { TagRows } from './tag-rows.ts';

export class TagChanges {
  readonly #rows: TagRows;
  readonly #statements;

  constructor(database: Database) {
    this.#rows = new TagRows(database);
    this.#statements = {
      update: database.prepare(
        `update tag_definition set user_id = :user_id, folded = :folded, label = :label, colour = :colour,
           expires_ms = :expires_ms, used_ms = :used_ms
         where id = :id`,
      ),
      // The rows of tags that were merged into this one go the same way.
      end: database.prepare('update tag_definition set into_id = :into where id = :id or into_id = :id'),
      expired: database
        .prepare('select id from tag_definition where into_id is null and expires_ms <= ? limit ?')
        .pluck(),
      named: database
        .prepare(
          'select id from tag_definition where account_id = ? and folded = ? and user_id = ? and into_id is null',
        )
        .pluck(),
      leftover: database.prepare('select id, into_id from tag_definition where into_id is not null limit 1'),
      rowsOf: database.prepare(
        'select account_id, domain_id, tagged_ms from tagged where tag_id = ? order by domain_id limit ?',
      ),
      insert: database.prepare(
        'insert or ignore into tagged values (:account_id, :domain_id, :into, :tagged_ms)',
      ),
      first: database.prepare(
        `update tagged set tagged_ms = min(tagged_ms, :tagged_ms)
         where account_id = :account_id and domain_id = :domain_id and tag_id = :into`,
      ),
      remove: database.prepare(
        'delete from tagged where account_id = :account_id and domain_id = :domain_id and tag_id = :id',
      ),
      count: database.prepare('update tag_definition set domains = domains + :by where id = :id'),
      forget: database.prepare('delete from tag_definition where id = ?'),
    };
  }

  /** Counting the domains of a tag may take long, so it is left to a thread that does not write. */
  change(id: string, change: TagChange, reader: TagReader): TagOutcome {
    const row = this.#rows.find(id, reader);
    if (!row) return { outcome: 'missing' };
    const next = changedRow(row, change, reader);
    const other = this.#rows
      .named(next.label, reader)
      .find((one) => one.user_id === next.user_id && one.id !== row.id);
    if (!other) {
      const expired = this.#statements.named.get(next.account_id, next.folded, next.user_id);
      if (expired !== undefined && expired !== row.id) this.#statements.end.run({ id: expired, into: 0 });
      this.#update(next);
      return { outcome: 'changed', id };
    }
    if (change.merge !== true) return { outcome: 'exists', id: String(other.id) };
    this.#statements.end.run({ id: row.id, into: other.id });
    // Of the tag that was there only what was asked for changes.
    const { label: _label, scope: _scope, ...rest } = change;
    const usedMs = Math.max(other.used_ms, row.used_ms);
    this.#update(changedRow({ ...other, used_ms: usedMs }, rest, reader));
    return { outcome: 'merged', id: String(other.id) };
  }

  /** Whether there was such a tag. */
  delete(id: string, reader: TagReader): boolean {
    const row = this.#rows.find(id, reader);
    if (row) this.#statements.end.run({ id: row.id, into: 0 });
    return row !== undefined;
  }

  /** Moves or removes up to `limit` rows that a tag left behind. Whether there may be more. */
  sweep(nowMs: number, limit: number): boolean {
    for (const id of this.#statements.expired.all(nowMs, endedAtOnce))
      this.#statements.end.run({ id, into: 0 });
    const leftover = this.#statements.leftover.get() as { id: TagId; into_id: TagId } | undefined;
    if (!leftover) return false;
    const { id, into_id: into } = leftover;
    const rows = this.#statements.rowsOf.all(id, limit) as TaggedRow[];
    let moved = 0;
    for (const row of rows) {
      this.#statements.remove.run({ account_id: row.account_id, domain_id: row.domain_id, id });
      if (into === 0) continue;
      const isNew = this.#statements.insert.run({ ...row, into }).changes === 1;
      if (isNew) moved += 1;
      else this.#statements.first.run({ ...row, into });
    }
    this.#statements.count.run({ by: -rows.length, id });
    if (moved > 0) this.#statements.count.run({ by: moved, id: into });
    if (rows.length < limit) this.#statements.forget.run(id);
    return true;
  }

  #update({ id, user_id, folded, label, colour, expires_ms, used_ms }: TagRow): void {
    this.#statements.update.run({ id, user_id, folded, label, colour, expires_ms, used_ms });
  }
}

const endedAtOnce = 100;

interface TaggedRow {
  readonly account_id: string;
  readonly domain_id: DomainId;
  readonly tagged_ms: number;
}
