/** Rows of `domain_tag` that a reader may see. What is expired, merged or deleted is not among them. */
import { definitionOf, type TagId, type TagRow } from '../../../domain/tag-row.ts';
import type { TagDefinition, TagReader } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { Sql } from '../../postgres/database.ts';

/** A condition of every statement that reads tags for somebody. */
export function isVisible(sql: Sql, { accountId, userId, nowMs }: TagReader) {
  return sql`domain_tag.account_id = ${accountId} and domain_tag.user_id in ('', ${userId})
    and domain_tag.into_id is null and (domain_tag.expires_ms is null or domain_tag.expires_ms > ${nowMs})`;
}

export async function findTag(sql: Sql, id: string, reader: TagReader): Promise<TagRow | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const [row] = await sql<TagRow[]>`
    select * from domain_tag where id = ${Number(id)} and ${isVisible(sql, reader)}`;
  return row;
}

/** The tags with this label: that of the team before the reader's own. */
export async function tagsNamed(sql: Sql, label: string, reader: TagReader): Promise<readonly TagRow[]> {
  return sql<TagRow[]>`select * from domain_tag
    where folded = ${foldedText(label)} and ${isVisible(sql, reader)} order by user_id`;
}

/** By label; those used last. */
export async function listTagRows(sql: Sql, reader: TagReader, limit: number): Promise<readonly TagRow[]> {
  return sql<TagRow[]>`select * from (
      select * from domain_tag where ${isVisible(sql, reader)} order by used_ms desc, id limit ${limit}) as used
    order by folded collate "C", user_id collate "C"`;
}

/** With how many domains have each. Of a tag that others were merged into they are counted, since a domain may have had both. */
export async function definitionsOf(sql: Sql, rows: readonly TagRow[]): Promise<readonly TagDefinition[]> {
  const merged = await sql<{ id: TagId; domains: number }[]>`
    select wanted.id, (select count(distinct domain_id)::int from tagged_domain
      where tag_id = wanted.id or tag_id in (select id from domain_tag where into_id = wanted.id)) as domains
    from unnest(${rows.map(({ id }) => id)}::bigint[]) as wanted (id)
    where exists (select 1 from domain_tag where into_id = wanted.id)`;
  const counted = new Map(merged.map(({ id, domains }) => [id, domains]));
  return rows.map((row) => definitionOf(row, counted.get(row.id) ?? row.domains));
}
