/** Changes of campaigns by people. The account is locked. */
import { newId } from '../../../model/account/api-key.ts';
import { type Campaign, campaignsMax } from '../../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { CampaignChange, MemberChangeOutcome } from '../../detect/campaign-store.ts';
import type { Transaction } from '../postgres/database.ts';
import { findCampaign, findCampaignRow } from './campaign-reads.ts';
import { noteAccount } from './domain-links.ts';

export async function createCampaign(
  sql: Transaction,
  accountId: string,
  { name, domains }: { readonly name: string; readonly domains: readonly string[] },
  { username, atMs }: Actor,
): Promise<MemberChangeOutcome> {
  const [counted] = await sql<{ count: number }[]>`
    select count(*) from campaign where account_id = ${accountId} and state <> 'forgotten'`;
  if ((counted?.count ?? 0) >= campaignsMax) return 'too-many';
  const unknownDomains = await findUnlisted(sql, accountId, domains);
  if (unknownDomains.length > 0) return { unknownDomains };
  const id = newId();
  const [row] = await sql<{ number: number }[]>`
    insert into campaign (id, account_id, name, origin, created_by, created_ms, last_joined_ms)
    values (${id}, ${accountId}, ${name}, 'made', ${username}, ${atMs}, ${atMs}) returning number`;
  await addByPerson(sql, { accountId, campaign: row?.number ?? 0 }, domains, atMs);
  return changed(sql, accountId, id);
}

export async function updateCampaign(
  sql: Transaction,
  accountId: string,
  id: WatchlistId,
  change: CampaignChange,
): Promise<Campaign | undefined> {
  const row = await findCampaignRow(sql, accountId, id);
  if (!row) return undefined;
  const { name = row.name, note = row.note, state = row.state, followed = Boolean(row.followed) } = change;
  await sql`
    update campaign set name = ${name}, note = ${note}, state = ${state}, followed = ${followed}
    where number = ${row.number}`;
  return findCampaign(sql, accountId, id);
}

export async function forgetCampaign(sql: Transaction, accountId: string, id: WatchlistId): Promise<boolean> {
  const row = await findCampaignRow(sql, accountId, id);
  if (!row) return false;
  await sql`update campaign set state = 'forgotten', followed = false where number = ${row.number}`;
  await sql`update campaign_member set state = 'forgotten' where campaign = ${row.number} and state = 'member'`;
  await sql`delete from campaign_link where campaign = ${row.number}`;
  await noteAccount(sql, accountId);
  return true;
}

export async function changeMembers(
  sql: Transaction,
  { accountId, id }: { readonly accountId: string; readonly id: WatchlistId },
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
  { atMs }: Actor,
): Promise<MemberChangeOutcome> {
  const row = await findCampaignRow(sql, accountId, id);
  if (!row) return 'unknown-campaign';
  const unknownDomains = await findUnlisted(sql, accountId, add);
  if (unknownDomains.length > 0) return { unknownDomains };
  const named = await sql<{ domain: string }[]>`
    select domain from campaign_member where campaign = ${row.number} and state = 'member'
      and domain = any(${[...add, ...remove]}::text[])`;
  const members = new Set(named.map(({ domain }) => domain));
  const strange = remove.filter((name) => !members.has(name));
  if (strange.length > 0) return { unknownDomains: strange };
  await sql`
    update campaign_member set state = 'removed' where campaign = ${row.number} and domain = any(${remove}::text[])`;
  // What is not sent yet leaves them out.
  await sql`
    update watchlist_event set withdrawn_by = number
    where account_id = ${accountId} and kind = 'campaign-joined' and domain = any(${remove}::text[])`;
  const added = add.filter((name) => !members.has(name));
  await addByPerson(sql, { accountId, campaign: row.number }, added, atMs);
  if (added.length > 0)
    await sql`update campaign set last_joined_ms = greatest(last_joined_ms, ${atMs}) where number = ${row.number}`;
  return changed(sql, accountId, id);
}

async function findUnlisted(
  sql: Transaction,
  accountId: string,
  domains: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from watchlist_domain where account_id = ${accountId} and name = any(${domains}::text[]) and matched`;
  const listed = new Set(rows.map(({ name }) => name));
  return domains.filter((name) => !listed.has(name));
}

/** They leave the campaigns that they are members of, and do not come back to them by themselves. */
async function addByPerson(
  sql: Transaction,
  { accountId, campaign }: { readonly accountId: string; readonly campaign: number },
  domains: readonly string[],
  atMs: number,
): Promise<void> {
  if (domains.length === 0) return;
  await sql`
    update campaign_member set state = 'removed'
    where account_id = ${accountId} and domain = any(${domains}::text[]) and state = 'member'`;
  await sql`
    insert into campaign_member (campaign, domain, account_id, origin, joined_ms, first_seen_ms)
    select ${campaign}::bigint, name, account_id, 'added', ${atMs}::bigint, discovered_ms from watchlist_domain
    where account_id = ${accountId} and name = any(${domains}::text[])
    on conflict (campaign, domain) do update set state = 'member', origin = 'added', joined_ms = ${atMs}::bigint, links = '[]'`;
}

async function changed(sql: Transaction, accountId: string, id: WatchlistId): Promise<MemberChangeOutcome> {
  await noteAccount(sql, accountId);
  const campaign = await findCampaign(sql, accountId, id);
  return campaign ? { campaign } : 'unknown-campaign';
}
