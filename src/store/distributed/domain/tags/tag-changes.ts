/** Changes of a tag itself. Each is one small transaction; rows of merged and deleted tags are swept afterwards, a few at a time. */
import { changedRow, type TagId, type TagOutcome, type TagRow } from '../../../domain/tag-row.ts';
import type { TagChange, TagReader } from '../../../domain/tag-store.ts';
import type { Transaction } from '../../postgres/database.ts';
import { findTag, tagsNamed } from './tag-rows.ts';
import { endTag, lockTags } from './tagging.ts';

/** Expired tags that one transaction ends. */
const endedAtOnce = 100;

/** With the account locked. */
export async function changeTag(
  sql: Transaction,
  id: string,
  change: TagChange,
  reader: TagReader,
): Promise<TagOutcome> {
  const row = await findTag(sql, id, reader);
  if (!row) return { outcome: 'missing' };
  const next = changedRow(row, change, reader);
  const named = await tagsNamed(sql, next.label, reader);
  const other = named.find((one) => one.user_id === next.user_id && one.id !== row.id);
  if (!other) {
    await endExpired(sql, next);
    await putTag(sql, next);
    return { outcome: 'changed', id };
  }
  if (change.merge !== true) return { outcome: 'exists', id: String(other.id) };
  await endTag(sql, row.id, other.id);
  // Of the tag that was there only what was asked for changes.
  const { label: _label, scope: _scope, ...rest } = change;
  const usedMs = Math.max(other.used_ms, row.used_ms);
  await putTag(sql, changedRow({ ...other, used_ms: usedMs }, rest, reader));
  return { outcome: 'merged', id: String(other.id) };
}

/** Whether there was such a tag. With the account locked. */
export async function deleteTag(sql: Transaction, id: string, reader: TagReader): Promise<boolean> {
  const row = await findTag(sql, id, reader);
  if (row) await endTag(sql, row.id);
  return row !== undefined;
}

/** Moves or removes up to `limit` rows that a tag left behind. Whether there may be more. */
export async function sweepTags(sql: Transaction, nowMs: number, limit: number): Promise<boolean> {
  await sql`with expired as (
      select id from domain_tag where into_id is null and expires_ms <= ${nowMs} order by id limit ${endedAtOnce}
      for update skip locked)
    update domain_tag set into_id = 0 where id in (select id from expired) or into_id in (select id from expired)`;
  const [found] = await sql<{ id: TagId; accountId: string }[]>`
    select id, account_id as "accountId" from domain_tag where into_id is not null limit 1`;
  if (!found) return false;
  await lockTags(sql, found.accountId);
  // What was found may have been merged further, or swept, before the lock.
  const [leftover] = await sql<{ into: TagId }[]>`
    select into_id as into from domain_tag where id = ${found.id} and into_id is not null`;
  if (leftover) await sweepTag(sql, found.id, leftover.into, limit);
  return true;
}

async function sweepTag(sql: Transaction, id: TagId, into: TagId, limit: number): Promise<void> {
  const rows = await sql<{ account_id: string; domain_id: number; tagged_ms: number }[]>`
    delete from tagged_domain where tag_id = ${id} and domain_id in
      (select domain_id from tagged_domain where tag_id = ${id} order by domain_id limit ${limit})
    returning account_id, domain_id, tagged_ms`;
  if (into !== 0 && rows.length > 0) {
    const [moved] = await sql<{ added: number }[]>`with moved as (
        insert into tagged_domain (account_id, domain_id, tag_id, tagged_ms)
        select account_id, domain_id, ${into}, tagged_ms
        from unnest(${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.domain_id)}::bigint[],
          ${rows.map((row) => row.tagged_ms)}::bigint[]) as given (account_id, domain_id, tagged_ms)
        on conflict (account_id, domain_id, tag_id)
          do update set tagged_ms = least(tagged_domain.tagged_ms, excluded.tagged_ms)
        returning xmax = 0 as is_new)
      select count(*) filter (where is_new)::int as added from moved`;
    await sql`update domain_tag set domains = domains + ${moved?.added ?? 0} where id = ${into}`;
  }
  if (rows.length < limit) await sql`delete from domain_tag where id = ${id}`;
  else await sql`update domain_tag set domains = domains - ${rows.length} where id = ${id}`;
}

async function endExpired(sql: Transaction, next: TagRow): Promise<void> {
  const [expired] = await sql<{ id: TagId }[]>`select id from domain_tag where account_id = ${next.account_id}
    and folded = ${next.folded} and user_id = ${next.user_id} and into_id is null`;
  if (expired && expired.id !== next.id) await endTag(sql, expired.id);
}

async function putTag(sql: Transaction, row: TagRow): Promise<void> {
  const { id, user_id, folded, label, colour, expires_ms, used_ms } = row;
  await sql`update domain_tag set user_id = ${user_id}, folded = ${folded}, label = ${label}, colour = ${colour},
    expires_ms = ${expires_ms}, used_ms = ${used_ms} where id = ${id}`;
}
