/** Reads of tags: which domains have some, and which tags a domain has. */
import type { Condition } from '../../../../model/record/condition.ts';
import { scopeOf, type TagId, type TagOfDomain, type TagRow, tagOf } from '../../../domain/tag-row.ts';
import type { Tag, TagOverlap, TagReader } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Sql } from '../../postgres/database.ts';
import { arrayText } from '../array-texts.ts';
import { isVisible, tagsNamed } from './tag-rows.ts';

type TaggedCondition = Extract<Condition, { kind: 'tagged' }>;

/** A row may still have the id of a tag that was merged into the one that is shown. */
function shownTags(sql: Sql) {
  return sql`tagged_domain join domain_tag as kept on kept.id = tagged_domain.tag_id
    join domain_tag on domain_tag.id = coalesce(kept.into_id, kept.id)`;
}

/** Those with all of the labels, or with any. */
export async function findTagged(sql: Sql, condition: TaggedCondition): Promise<readonly DomainId[]> {
  const { with: all, labels, ...reader } = condition;
  const folded = [...new Set(labels.map(foldedText))];
  const rows = await sql<{ id: DomainId }[]>`
    select tagged_domain.domain_id as id from ${shownTags(sql)}
    where tagged_domain.account_id = ${reader.accountId} and domain_tag.folded = any(${folded}::text[])
      and ${isVisible(sql, reader)}
    group by tagged_domain.domain_id
    having count(distinct domain_tag.folded) >= ${all === 'all' ? folded.length : 1}`;
  return rows.map(({ id }) => id);
}

/** By domain. */
export async function tagsOfDomains(
  sql: Sql,
  ids: readonly DomainId[],
  reader: TagReader,
): Promise<ReadonlyMap<DomainId, readonly Tag[]>> {
  const rows = await sql<(TagOfDomain & { domain_id: DomainId })[]>`
    select tagged_domain.domain_id, domain_tag.label, domain_tag.user_id, domain_tag.colour, domain_tag.expires_ms,
      min(tagged_ms) as tagged_ms
    from ${shownTags(sql)}
    where tagged_domain.domain_id = any(${arrayText(ids)}::bigint[]) and tagged_domain.account_id = ${reader.accountId}
      and ${isVisible(sql, reader)}
    group by tagged_domain.domain_id, domain_tag.id
    order by domain_tag.folded collate "C", domain_tag.user_id collate "C"`;
  const tags = new Map<DomainId, Tag[]>();
  for (const { domain_id: id, ...row } of rows) {
    const known = tags.get(id);
    if (known) known.push(tagOf(row));
    else tags.set(id, [tagOf(row)]);
  }
  return tags;
}

/** The ids of the domains that have each tag, in order. */
export async function domainsOfTag(sql: Sql, id: TagId): Promise<readonly DomainId[]> {
  const rows = await sql<{ id: DomainId }[]>`
    select distinct domain_id as id from tagged_domain
    where tag_id = ${id} or tag_id in (select id from domain_tag where into_id = ${id}) order by 1`;
  return rows.map((row) => row.id);
}

/** A page of the domains with a label, in the order of ids. */
export async function listDomains(
  sql: Sql,
  label: string,
  reader: TagReader,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly DomainId[]> {
  const { after, limit } = page;
  const tags = await tagsNamed(sql, label, reader);
  const rows = await sql<{ id: DomainId }[]>`
    select distinct domain_id as id from tagged_domain
    where tag_id in (select id from domain_tag where coalesce(into_id, id) = any(${tags.map(({ id }) => id)}::bigint[]))
      and domain_id > ${Number(after)} order by 1 limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function overlapOf(
  sql: Sql,
  label: string,
  reader: TagReader,
  { domainsMax, tagsMax }: { readonly domainsMax: number; readonly tagsMax: number },
): Promise<TagOverlap> {
  const same = await tagsNamed(sql, label, reader);
  const ids = [...new Set((await Promise.all(same.map(({ id }) => domainsOfTag(sql, id)))).flat())];
  const rows = await sql<(Pick<TagRow, 'label' | 'user_id' | 'colour'> & { domains: number })[]>`
    select domain_tag.label, domain_tag.user_id, domain_tag.colour,
      count(distinct tagged_domain.domain_id)::int as domains
    from ${shownTags(sql)}
    where tagged_domain.account_id = ${reader.accountId}
      and tagged_domain.domain_id = any(${ids.slice(0, domainsMax)}::bigint[])
      and domain_tag.id <> all(${same.map(({ id }) => id)}::bigint[]) and ${isVisible(sql, reader)}
    group by domain_tag.id order by domains desc, domain_tag.label collate "C" limit ${tagsMax}`;
  return {
    domains: ids.length,
    complete: ids.length <= domainsMax,
    others: rows.map(({ user_id, ...row }) => ({ ...row, scope: scopeOf(user_id) })),
  };
}
