/** Writes what was found of a campaign, with the events of its new members. The account is locked. */
import { newId } from '../../../model/account/api-key.ts';
import { campaignNoteMax, type LinkValue } from '../../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { FoundCampaign, FoundMember } from '../../detect/campaign-store.ts';
import { type CampaignRow, joinedDetail } from '../../detect/rows/campaign-rows.ts';
import { appendEvents, type EventSubject } from '../detect/event-log.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';
import { findCampaignRow } from './campaign-reads.ts';

type Subject = EventSubject & { readonly discovered_ms: number };

interface Joining {
  readonly subject: Subject;
  readonly links: readonly LinkValue[];
}

export async function applyFound(
  sql: Transaction,
  accountId: string,
  found: FoundCampaign,
  nowMs: number,
): Promise<{ readonly id: WatchlistId; readonly joined: number } | undefined> {
  const grown = found.id === undefined ? undefined : await findCampaignRow(sql, accountId, found.id);
  if (found.id !== undefined && !grown) return undefined;
  const joining = await findJoinable(sql, accountId, found.members);
  if (!grown && joining.length < found.membersMin) return undefined;
  await sql`
    delete from campaign where account_id = ${accountId} and state = 'forgotten' and id = any(${found.replaced}::text[])`;
  const campaign = grown ?? (await insertFound(sql, accountId, found.name, nowMs));
  let joined = joining.length;
  for (const id of found.merged) joined += await merge(sql, { accountId, campaign, id }, nowMs);
  await insertMembers(sql, campaign, joining, nowMs);
  await notify(sql, campaign, joining, nowMs);
  if (joined > 0)
    await sql`update campaign set last_joined_ms = greatest(last_joined_ms, ${nowMs}) where number = ${campaign.number}`;
  await putLinks(sql, campaign, found);
  return { id: campaign.id, joined };
}

async function findJoinable(
  sql: Transaction,
  accountId: string,
  members: readonly FoundMember[],
): Promise<readonly Joining[]> {
  if (members.length === 0) return [];
  const linksOf = new Map(members.map(({ domain, links }) => [domain, links]));
  const subjects = await sql<Subject[]>`
    select number, id, account_id, name, state, discovered_ms from watchlist_domain
    where account_id = ${accountId} and name = any(${[...linksOf.keys()]}::text[]) and matched and listed
      and state <> 'ignored' and not exists (
        select 1 from campaign_member as member where member.account_id = ${accountId}
          and member.domain = watchlist_domain.name and member.state in ('member', 'removed'))
    order by number`;
  return subjects.map((subject) => ({ subject, links: linksOf.get(subject.name) ?? [] }));
}

async function insertFound(
  sql: Transaction,
  accountId: string,
  name: string,
  nowMs: number,
): Promise<CampaignRow> {
  const [row] = await sql<CampaignRow[]>`
    insert into campaign (id, account_id, name, origin, created_ms, last_joined_ms)
    values (${newId()}, ${accountId}, ${name}, 'found', ${nowMs}, ${nowMs}) returning *`;
  return row as CampaignRow;
}

async function insertMembers(
  sql: Transaction,
  { number }: CampaignRow,
  joining: readonly Joining[],
  nowMs: number,
): Promise<void> {
  if (joining.length === 0) return;
  const rows = joining.map(({ subject, links }) => ({
    domain: subject.name,
    account_id: subject.account_id,
    first_seen_ms: subject.discovered_ms,
    links: JSON.stringify(links),
  }));
  await sql`
    insert into campaign_member (campaign, domain, account_id, origin, joined_ms, first_seen_ms, links)
    select ${number}::bigint, domain, account_id, 'found', ${nowMs}::bigint, first_seen_ms, links
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (domain text, account_id text, first_seen_ms bigint, links text)
    on conflict (campaign, domain) do update set state = 'member', origin = 'found', joined_ms = excluded.joined_ms,
      links = excluded.links`;
}

/** The members of the other become members of this one. Who followed the other follows this one. */
async function merge(
  sql: Transaction,
  {
    accountId,
    campaign,
    id,
  }: { readonly accountId: string; readonly campaign: CampaignRow; readonly id: WatchlistId },
  nowMs: number,
): Promise<number> {
  const other = await findCampaignRow(sql, accountId, id);
  if (!other || other.number === campaign.number) return 0;
  const moved = await sql<{ domain: string; links: string }[]>`
    select domain, links from campaign_member where campaign = ${other.number} and state = 'member'`;
  await sql`
    update campaign_member as member set campaign = ${campaign.number} where campaign = ${other.number} and not exists (
      select 1 from campaign_member as own where own.campaign = ${campaign.number} and own.domain = member.domain)`;
  await sql`
    insert into campaign_link (campaign, kind, value, domains, known, first_ms, last_ms, weight)
    select ${campaign.number}::bigint, kind, value, domains, known, first_ms, last_ms, weight
    from campaign_link where campaign = ${other.number}
    on conflict (campaign, kind, value) do update set first_ms = least(campaign_link.first_ms, excluded.first_ms),
      last_ms = greatest(campaign_link.last_ms, excluded.last_ms)`;
  const note = [campaign.note, other.note].filter((text) => text !== '').join('\n');
  await sql`
    update campaign set followed = followed or ${Boolean(other.followed)}, note = ${note.slice(0, campaignNoteMax)}
    where number = ${campaign.number}`;
  await sql`delete from campaign where number = ${other.number}`;
  const linksOf = new Map(moved.map(({ domain, links }) => [domain, JSON.parse(links) as LinkValue[]]));
  const subjects = await sql<Subject[]>`
    select number, id, account_id, name, state, discovered_ms from watchlist_domain
    where account_id = ${accountId} and name = any(${[...linksOf.keys()]}::text[]) and matched order by number`;
  const joining = subjects.map((subject) => ({ subject, links: linksOf.get(subject.name) ?? [] }));
  await notify(sql, campaign, joining, nowMs);
  return moved.length;
}

async function notify(
  sql: Transaction,
  campaign: CampaignRow,
  joining: readonly Joining[],
  atMs: number,
): Promise<void> {
  if (!campaign.followed || campaign.state !== 'active') return;
  await appendEvents(
    sql,
    joining.map(({ subject, links }) => ({
      kind: 'campaign-joined',
      subject,
      atMs,
      detail: joinedDetail(campaign, links),
    })),
  );
}

async function putLinks(sql: Transaction, { number }: CampaignRow, { links }: FoundCampaign): Promise<void> {
  if (links.length === 0) return;
  const rows = links.map(({ by, value, domains, known, firstMs, lastMs, weight }) => ({
    kind: by,
    value,
    domains,
    known,
    first_ms: firstMs,
    last_ms: lastMs,
    weight,
  }));
  await sql`
    insert into campaign_link (campaign, kind, value, domains, known, first_ms, last_ms, weight)
    select ${number}::bigint, kind, value, domains, known, first_ms, last_ms, weight
    from json_to_recordset(${jsonRows(rows)}::text::json) as new (kind text, value text, domains int, known int,
      first_ms bigint, last_ms bigint, weight double precision)
    on conflict (campaign, kind, value) do update set domains = greatest(campaign_link.domains, excluded.domains),
      known = excluded.known, weight = excluded.weight, first_ms = least(campaign_link.first_ms, excluded.first_ms),
      last_ms = greatest(campaign_link.last_ms, excluded.last_ms)`;
}
