/** Rows of `tag_definition` that a reader may see, and their conversion. What is expired, merged or deleted is not among them. */
import { definitionOf, type TagId, type TagRow } from '../../../domain/tag-row.ts';
import type { TagDefinition, TagReader } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { Database } from '../../database.ts';

/** In every statement that reads tags for somebody: `:account_id`, `:user_id` and `:now_ms` are those of the reader. */
export const visibleTag = `tag_definition.account_id = :account_id and tag_definition.user_id in ('', :user_id)
  and tag_definition.into_id is null and (tag_definition.expires_ms is null or tag_definition.expires_ms > :now_ms)`;

export const readerParameters = ({ accountId, userId, nowMs }: TagReader) => ({
  account_id: accountId,
  user_id: userId,
  now_ms: nowMs,
});

export class TagRows {
  readonly #byId;
  readonly #named;
  readonly #listed;
  readonly #mergedInto;
  readonly #countOfAll;

  constructor(database: Database) {
    this.#byId = database.prepare(`select * from tag_definition where id = :id and ${visibleTag}`);
    this.#named = database.prepare(
      `select * from tag_definition where folded = :folded and ${visibleTag} order by user_id`,
    );
    this.#listed = database.prepare(
      `select * from (select * from tag_definition where ${visibleTag} order by used_ms desc, id limit :limit)
       order by folded, user_id`,
    );
    this.#mergedInto = database.prepare('select id from tag_definition where into_id = ?').pluck();
    this.#countOfAll = database
      .prepare(
        `select count(distinct domain_id) from tagged
         where tag_id = :id or tag_id in (select id from tag_definition where into_id = :id)`,
      )
      .pluck();
  }

  find(id: string, reader: TagReader): TagRow | undefined {
    if (!/^\d{1,15}$/.test(id)) return undefined;
    return this.#byId.get({ id: Number(id), ...readerParameters(reader) }) as TagRow | undefined;
  }

  /** The tag of the team before the reader's own. */
  named(label: string, reader: TagReader): readonly TagRow[] {
    return this.#named.all({ folded: foldedText(label), ...readerParameters(reader) }) as TagRow[];
  }

  list(reader: TagReader, limit: number): readonly TagRow[] {
    return this.#listed.all({ limit, ...readerParameters(reader) }) as TagRow[];
  }

  /** The ids under which domains have the tag: its own, and those of tags that were merged into it and not swept yet. */
  idsOf(id: TagId): readonly TagId[] {
    return [id, ...(this.#mergedInto.all(id) as TagId[])];
  }

  definitionOf(row: TagRow): TagDefinition {
    const isMerged = this.#mergedInto.get(row.id) !== undefined;
    return definitionOf(row, isMerged ? (this.#countOfAll.get({ id: row.id }) as number) : row.domains);
  }
}
