/** Adds tags to domains and removes them. Changes of the tags of an account wait for each other, so that its counts and its limit hold. */
import { randomInt } from 'node:crypto';
import { type TagId, tagIdsMax, tooManyTags } from '../../../domain/tag-row.ts';
import { type TagAuthor, tagsPerAccountMax } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Transaction } from '../../postgres/database.ts';

export interface TaggingChange {
  readonly domains: readonly DomainId[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly by: TagAuthor;
}

/** Until the end of the transaction. */
export async function lockTags(sql: Transaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tags ${accountId}`}, 0))`;
}

/** Its rows are removed later. */
export async function endTag(sql: Transaction, id: TagId, into: TagId = 0): Promise<void> {
  await sql`update domain_tag set into_id = ${into} where id = ${id} or into_id = ${id}`;
}

export async function changeTagsOf(sql: Transaction, change: TaggingChange): Promise<void> {
  const { domains, add, remove, by } = change;
  await lockTags(sql, by.accountId);
  const tagging = new Tagging(sql, by);
  for (const label of remove) await tagging.remove(label, domains);
  for (const label of add) await tagging.add(label, domains);
}

class Tagging {
  readonly #sql: Transaction;
  readonly #by: TagAuthor;

  constructor(sql: Transaction, by: TagAuthor) {
    this.#sql = sql;
    this.#by = by;
  }

  /** A tag that is added again keeps its first time, also one that came by a merge. */
  async add(label: string, domains: readonly DomainId[]): Promise<void> {
    const { accountId, atMs } = this.#by;
    const tagId = (await this.#find(label)) ?? (await this.#define(label));
    const { count } = await this.#sql`insert into tagged_domain (account_id, domain_id, tag_id, tagged_ms)
      select ${accountId}, wanted.id, ${tagId}, coalesce((select min(tagged_ms) from tagged_domain
        where account_id = ${accountId} and domain_id = wanted.id
          and (tag_id = ${tagId} or tag_id in (select id from domain_tag where into_id = ${tagId}))), ${atMs})
      from unnest(${domains}::bigint[]) as wanted (id) on conflict do nothing`;
    await this.#sql`update domain_tag set domains = domains + ${count}, used_ms = greatest(used_ms, ${atMs})
      where id = ${tagId}`;
  }

  async remove(label: string, domains: readonly DomainId[]): Promise<void> {
    const sql = this.#sql;
    const id = await this.#find(label);
    if (id === undefined) return;
    await sql`with removed as (
        delete from tagged_domain where account_id = ${this.#by.accountId} and domain_id = any(${domains}::bigint[])
          and (tag_id = ${id} or tag_id in (select id from domain_tag where into_id = ${id})) returning tag_id),
      counted as (select tag_id, count(*)::int as removed from removed group by tag_id)
      update domain_tag set domains = domains - counted.removed from counted where domain_tag.id = counted.tag_id`;
    const unused = await sql`select 1 from domain_tag
      where id = ${id} and domains = 0 and colour = 'grey' and expires_ms is null
        and not exists (select 1 from domain_tag as merged where merged.into_id = ${id} and merged.domains > 0)`;
    if (unused.length > 0) await endTag(sql, id);
  }

  /** An expired tag gives its label free. */
  async #find(label: string): Promise<TagId | undefined> {
    const { accountId, userId, scope, atMs } = this.#by;
    const [found] = await this.#sql<{ id: TagId; expires_ms: number | null }[]>`
      select id, expires_ms from domain_tag where account_id = ${accountId} and folded = ${foldedText(label)}
        and user_id = ${scope === 'own' ? userId : ''} and into_id is null`;
    if (!found || found.expires_ms === null || found.expires_ms > atMs) return found?.id;
    await endTag(this.#sql, found.id);
    return undefined;
  }

  async #define(label: string): Promise<TagId> {
    const { accountId, userId, username, scope, atMs } = this.#by;
    const [row] = await this.#sql<{ tags: number }[]>`
      select count(*)::int as tags from domain_tag where account_id = ${accountId} and into_id is null`;
    if ((row?.tags ?? 0) >= tagsPerAccountMax) throw tooManyTags();
    const id = randomInt(1, tagIdsMax);
    await this.#sql`
      insert into domain_tag (id, account_id, user_id, folded, label, created_by, created_ms, used_ms, domains)
      values (${id}, ${accountId}, ${scope === 'own' ? userId : ''}, ${foldedText(label)}, ${label}, ${username},
        ${atMs}, ${atMs}, 0)`;
    return id;
  }
}
