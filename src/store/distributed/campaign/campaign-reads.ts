/** Reads campaigns and their members. */
import type { Campaign, CampaignMember, MemberHistory } from '../../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { CampaignQuery, Membership } from '../../detect/campaign-store.ts';
import {
  type CampaignRow,
  campaignOf,
  type HistoryRow,
  historyOf,
  type LinkRow,
  linksInList,
  linksOfOne,
  type MemberCountRow,
  type MemberRow,
  memberOf,
  monitorsOfOne,
} from '../../detect/rows/campaign-rows.ts';
import type { Statements } from '../detect/account-lock.ts';

export async function findCampaignRow(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<CampaignRow | undefined> {
  const [row] = await sql<CampaignRow[]>`
    select * from campaign where account_id = ${accountId} and id = ${id} and state <> 'forgotten'`;
  return row;
}

export async function findCampaign(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
): Promise<Campaign | undefined> {
  const row = await findCampaignRow(sql, accountId, id);
  return row && (await readCampaigns(sql, [row], linksOfOne))[0];
}

export async function listCampaigns(
  sql: Statements,
  accountId: string,
  { followed, state, domain, search, offset, limit }: CampaignQuery,
): Promise<{ readonly total: number; readonly campaigns: readonly Campaign[] }> {
  const conditions = () => sql`account_id = ${accountId} and state <> 'forgotten'
    and (${followed ?? null}::boolean is null or followed = ${followed ?? null}::boolean)
    and (${state ?? null}::text is null or state = ${state ?? null}::text)
    and (${domain ?? null}::text is null or exists (select 1 from campaign_member as member
      where member.campaign = campaign.number and member.domain = ${domain ?? null}::text and member.state = 'member'))
    and (${search ?? null}::text is null or strpos(lower(name), ${search ?? null}::text) > 0
      or exists (select 1 from campaign_member as member where member.campaign = campaign.number
        and member.state = 'member' and strpos(member.domain, ${search ?? null}::text) > 0)
      or exists (select 1 from campaign_link as link
        where link.campaign = campaign.number and strpos(lower(link.value), ${search ?? null}::text) > 0))`;
  const [counted] = await sql<{ count: number }[]>`select count(*) from campaign where ${conditions()}`;
  const rows = await sql<CampaignRow[]>`
    select * from campaign where ${conditions()} order by last_joined_ms desc, number desc limit ${limit} offset ${offset}`;
  return { total: counted?.count ?? 0, campaigns: await readCampaigns(sql, rows, linksInList) };
}

async function readCampaigns(
  sql: Statements,
  rows: readonly CampaignRow[],
  linksMax: number,
): Promise<readonly Campaign[]> {
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const counts = await sql<(MemberCountRow & { campaign: number })[]>`
    select campaign, count(*) as members, count(*) filter (where listed.number is null) as past,
      min(first_seen_ms) as first_seen_ms, max(risk_score) as max_risk
    from campaign_member as member left join watchlist_domain as listed
      on listed.account_id = member.account_id and listed.name = member.domain and matched and listed.listed
    where campaign = any(${numbers}::bigint[]) and member.state = 'member' group by campaign`;
  const monitors = await sql<{ campaign: number; id: string; term: string }[]>`
    select campaign, id, term from (
      select *, row_number() over (partition by campaign order by term collate "C", id collate "C") as position from (
        select distinct campaign, monitor.id, monitor.term from campaign_member as member
          join watchlist_domain as listed on listed.account_id = member.account_id and listed.name = member.domain and matched
          join monitor_match on monitor_match.domain = listed.number and named
          join monitor on monitor.number = monitor_match.monitor and not monitor.deleted
        where campaign = any(${numbers}::bigint[]) and member.state = 'member') as each) as ranked
    where position <= ${monitorsOfOne} order by position`;
  const links = await sql<(LinkRow & { campaign: number })[]>`
    select link.* from unnest(${numbers}::bigint[]) as wanted (campaign), lateral (
      select * from campaign_link where campaign_link.campaign = wanted.campaign
      order by weight desc, domains desc, kind, value limit ${linksMax}) as link
    order by weight desc, domains desc, kind, value`;
  const [countOf, monitorsOf, linksOf] = [
    new Map(counts.map((count) => [count.campaign, count])),
    Map.groupBy(monitors, ({ campaign }) => campaign),
    Map.groupBy(links, ({ campaign }) => campaign),
  ];
  return rows.map((row) =>
    campaignOf(
      row,
      countOf.get(row.number) ?? { members: 0, past: 0, first_seen_ms: null, max_risk: null },
      (monitorsOf.get(row.number) ?? []).map(({ id, term }) => ({ id, term })),
      linksOf.get(row.number) ?? [],
    ),
  );
}

export async function listMembers(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly members: readonly CampaignMember[] } | undefined> {
  const row = await findCampaignRow(sql, accountId, id);
  if (!row) return undefined;
  const [counted] = await sql<{ count: number }[]>`
    select count(*) from campaign_member where campaign = ${row.number} and state = 'member'`;
  const rows = await sql<MemberRow[]>`
    select member.domain, member.origin, joined_ms, first_seen_ms, links, listed.id as domain_id,
      listed.state as domain_state, risk_score
    from campaign_member as member left join watchlist_domain as listed
      on listed.account_id = member.account_id and listed.name = member.domain and matched and listed.listed
    where campaign = ${row.number} and member.state = 'member'
    order by joined_ms desc, member.domain limit ${limit} offset ${offset}`;
  return { total: counted?.count ?? 0, members: rows.map(memberOf) };
}

export async function listHistory(
  sql: Statements,
  accountId: string,
  id: WatchlistId,
  limit: number,
): Promise<readonly MemberHistory[] | undefined> {
  const row = await findCampaignRow(sql, accountId, id);
  if (!row) return undefined;
  const rows = await sql<HistoryRow[]>`
    select member.domain, joined_ms, member.first_seen_ms, listed.state as domain_state, assigned_ms, escalated_ms,
      (select min(first_seconds) from sighting where sighting.domain = member.domain) as sighted_seconds
    from campaign_member as member left join watchlist_domain as listed
      on listed.account_id = member.account_id and listed.name = member.domain and matched and listed.listed
    where campaign = ${row.number} and member.state = 'member'
    order by joined_ms, member.domain limit ${limit}`;
  return rows.map(historyOf);
}

export async function listMemberships(
  sql: Statements,
  accountId: string,
  { after = '0 ', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly memberships: readonly Membership[]; readonly next: string | undefined }> {
  const [number = '', domain = ''] = after.split(' ');
  const rows = await sql<(Membership & { number: number })[]>`
    select campaign.number, campaign.id as "campaignId", campaign.origin as "campaignOrigin", member.domain,
      case when campaign.state = 'forgotten' then 'forgotten' else member.state end as kind
    from campaign join campaign_member as member on member.campaign = campaign.number
    where campaign.account_id = ${accountId} and (campaign.number, member.domain) > (${Number(number)}::bigint, ${domain})
    order by campaign.number, member.domain limit ${limit}`;
  const last = rows.at(-1);
  return {
    memberships: rows.map(({ campaignId, campaignOrigin, domain: name, kind }) => ({
      campaignId,
      campaignOrigin,
      domain: name,
      kind,
    })),
    next: last && rows.length === limit ? `${last.number} ${last.domain}` : undefined,
  };
}
