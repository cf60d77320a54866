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
import type { Database } from '../database.ts';

/** Of rows of `campaign_member`: the domain while a list shows it. */
const listed =
  'left join domain on domain.account = member.account and domain.name = member.domain and matched = 1 and listed = 1';

const conditions = `account = :accountId and state <> 'forgotten'
  and (:followed is null or followed = :followed) and (:state is null or state = :state)
  and (:domain is null or exists (select 1 from campaign_member as member
    where member.campaign = campaign.number and member.domain = :domain and member.state = 'member'))
  and (:search is null or instr(lower(name), :search) > 0
    or exists (select 1 from campaign_member as member
      where member.campaign = campaign.number and member.state = 'member' and instr(member.domain, :search) > 0)
    or exists (select 1 from campaign_link as link
      where link.campaign = campaign.number and instr(lower(link.value), :search) > 0))`;

export class CampaignReads {
  readonly #find;
  readonly #list;
  readonly #count;
  readonly #memberCount;
  readonly #monitors;
  readonly #links;
  readonly #members;
  readonly #history;
  readonly #memberships;

  constructor(database: Database) {
    this.#find = database.prepare(
      "select * from campaign where account = ? and id = ? and state <> 'forgotten'",
    );
    this.#list = database.prepare(
      `select * from campaign where ${conditions} order by last_joined_ms desc, number desc limit :limit offset :offset`,
    );
    this.#count = database.prepare(`select count(*) from campaign where ${conditions}`).pluck();
    this.#memberCount = database.prepare(
      `select count(*) as members, sum(domain.number is null) as past, min(first_seen_ms) as first_seen_ms,
         max(risk_score) as max_risk
       from campaign_member as member ${listed} where campaign = ? and member.state = 'member'`,
    );
    this.#monitors = database.prepare(
      `select distinct monitor.id, monitor.term from campaign_member as member
         join domain on domain.account = member.account and domain.name = member.domain and matched = 1
         join monitor_match on monitor_match.domain = domain.number and named = 1
         join monitor on monitor.number = monitor_match.monitor and monitor.deleted = 0
       where campaign = ? and member.state = 'member' order by monitor.term, monitor.id limit ${monitorsOfOne}`,
    );
    this.#links = database.prepare(
      'select * from campaign_link where campaign = ? order by weight desc, domains desc, kind, value limit ?',
    );
    this.#members = database.prepare(
      `select member.domain, member.origin, joined_ms, first_seen_ms, links, domain.id as domain_id,
         domain.state as domain_state, risk_score
       from campaign_member as member ${listed} where campaign = ? and member.state = 'member'
       order by joined_ms desc, member.domain limit ? offset ?`,
    );
    this.#history = database.prepare(
      `select member.domain, joined_ms, member.first_seen_ms, domain.state as domain_state, assigned_ms, escalated_ms,
         (select min(first_seconds) from sighting where sighting.domain = member.domain) as sighted_seconds
       from campaign_member as member ${listed} where campaign = ? and member.state = 'member'
       order by joined_ms, member.domain limit ?`,
    );
    this.#memberships = database.prepare(
      `select campaign.number, campaign.id as campaignId, campaign.origin as campaignOrigin, member.domain,
         iif(campaign.state = 'forgotten', 'forgotten', member.state) as kind
       from campaign join campaign_member as member on member.campaign = campaign.number
       where campaign.account = :accountId and (campaign.number, member.domain) > (:number, :domain)
       order by campaign.number, member.domain limit :limit`,
    );
  }

  findRow(accountId: string, id: WatchlistId): CampaignRow | undefined {
    return this.#find.get(accountId, id) as CampaignRow | undefined;
  }

  find(accountId: string, id: WatchlistId): Campaign | undefined {
    const row = this.findRow(accountId, id);
    return row && this.#read(row, linksOfOne);
  }

  list(
    accountId: string,
    { followed, state, domain, search, offset, limit }: CampaignQuery,
  ): { readonly total: number; readonly campaigns: readonly Campaign[] } {
    const wanted = {
      accountId,
      followed: followed === undefined ? null : Number(followed),
      state: state ?? null,
      domain: domain ?? null,
      search: search ?? null,
    };
    const rows = this.#list.all({ ...wanted, offset, limit }) as CampaignRow[];
    return {
      total: this.#count.get(wanted) as number,
      campaigns: rows.map((row) => this.#read(row, linksInList)),
    };
  }

  listMembers(
    accountId: string,
    id: WatchlistId,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): { readonly total: number; readonly members: readonly CampaignMember[] } | undefined {
    const row = this.findRow(accountId, id);
    if (!row) return undefined;
    const { members: total } = this.#memberCount.get(row.number) as MemberCountRow;
    return { total, members: (this.#members.all(row.number, limit, offset) as MemberRow[]).map(memberOf) };
  }

  listHistory(accountId: string, id: WatchlistId, limit: number): readonly MemberHistory[] | undefined {
    const row = this.findRow(accountId, id);
    return row && (this.#history.all(row.number, limit) as HistoryRow[]).map(historyOf);
  }

  listMemberships(
    accountId: string,
    { after = '0 ', limit }: { readonly after?: string | undefined; readonly limit: number },
  ): { readonly memberships: readonly Membership[]; readonly next: string | undefined } {
    const [number = '', domain = ''] = after.split(' ');
    const rows = this.#memberships.all({
      accountId,
      number: Number(number),
      domain,
      limit,
    }) as (Membership & { readonly number: number })[];
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

  #read(row: CampaignRow, linksMax: number): Campaign {
    return campaignOf(
      row,
      this.#memberCount.get(row.number) as MemberCountRow,
      this.#monitors.all(row.number) as { id: string; term: string }[],
      this.#links.all(row.number, linksMax) as LinkRow[],
    );
  }
}
