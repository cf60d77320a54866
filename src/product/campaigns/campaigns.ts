/** Campaigns as people see and change them. */
import type { Account, Caller } from '../../model/account/account.ts';
import {
  type Campaign,
  type CampaignMember,
  campaignDomainsMax,
  campaignNameMax,
  campaignNoteMax,
  campaignsMax,
} from '../../model/campaign/campaign.ts';
import type { WatchlistId } from '../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../model/problem.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';
import type {
  CampaignChange,
  CampaignQuery,
  CampaignStore,
  MemberChangeOutcome,
} from '../../store/detect/campaign-store.ts';

export interface CampaignNeeds {
  readonly campaigns: CampaignStore;
}

export function listCampaigns(
  { id }: Pick<Account, 'id'>,
  { domain, search, ...query }: CampaignQuery,
  { campaigns }: CampaignNeeds,
): Promise<{ readonly total: number; readonly campaigns: readonly Campaign[] }> {
  return campaigns.listCampaigns(id, {
    ...query,
    ...(domain === undefined ? {} : { domain: getName('domain', domain) }),
    ...(search === undefined ? {} : { search: storedText(search).trim().toLowerCase() }),
  });
}

export async function getCampaign(
  { id: accountId }: Pick<Account, 'id'>,
  id: WatchlistId,
  { campaigns }: { readonly campaigns: Pick<CampaignStore, 'findCampaign'> },
): Promise<Campaign> {
  return (await campaigns.findCampaign(accountId, id)) ?? missingCampaign();
}

export async function makeCampaign(
  { account, user }: Caller,
  made: { readonly name: string; readonly domains: readonly string[] },
  { campaigns }: CampaignNeeds,
  nowMs: number,
): Promise<Campaign> {
  const name = getCampaignName(made.name);
  const domains = getNames('domains', made.domains);
  if (domains.length === 0) throw fieldProblem('invalid-parameters', 'domains', 'must have a domain');
  const by = { username: user.username, atMs: nowMs };
  return campaignOf(await campaigns.createCampaign(account.id, { name, domains }, by), 'domains');
}

export async function changeCampaign(
  { account }: Pick<Caller, 'account'>,
  id: WatchlistId,
  { name, note, ...change }: CampaignChange,
  { campaigns }: CampaignNeeds,
): Promise<Campaign> {
  const checked = {
    ...change,
    ...(name === undefined ? {} : { name: getCampaignName(name) }),
    ...(note === undefined ? {} : { note: getNote(note) }),
  };
  return (await campaigns.updateCampaign(account.id, id, checked)) ?? missingCampaign();
}

export async function forgetCampaign(
  { account }: Pick<Caller, 'account'>,
  id: WatchlistId,
  { campaigns }: CampaignNeeds,
): Promise<void> {
  if (!(await campaigns.forgetCampaign(account.id, id))) missingCampaign();
}

export async function listMembers(
  { id: accountId }: Pick<Account, 'id'>,
  id: WatchlistId,
  page: { readonly offset: number; readonly limit: number },
  { campaigns }: CampaignNeeds,
): Promise<{ readonly total: number; readonly members: readonly CampaignMember[] }> {
  return (await campaigns.listMembers(accountId, id, page)) ?? missingCampaign();
}

export async function changeMembers(
  { account, user }: Caller,
  given: { readonly id: WatchlistId; readonly add: readonly string[]; readonly remove: readonly string[] },
  { campaigns }: CampaignNeeds,
  nowMs: number,
): Promise<Campaign> {
  const change = { add: getNames('add', given.add), remove: getNames('remove', given.remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a domain, or remove must');
  const added = new Set(change.add);
  if (change.remove.some((name) => added.has(name)))
    throw fieldProblem('invalid-parameters', 'remove', 'has a domain that is to be added');
  const by = { username: user.username, atMs: nowMs };
  return campaignOf(await campaigns.changeMembers(account.id, given.id, change, by), 'add');
}

function campaignOf(outcome: MemberChangeOutcome, field: string): Campaign {
  if (outcome === 'unknown-campaign') return missingCampaign();
  if (outcome === 'too-many')
    throw new Problem('conflict', `there are ${campaignsMax} campaigns; forget some first`);
  if ('campaign' in outcome) return outcome.campaign;
  const some = outcome.unknownDomains.slice(0, 5).join(', ');
  throw fieldProblem(
    'invalid-parameters',
    field,
    `has names that are on no list of the account, or no members: ${some}`,
  );
}

function missingCampaign(): never {
  throw new Problem('not-found', 'There is no such campaign.');
}

function getCampaignName(text: string): string {
  const name = storedText(text).trim();
  if (name === '' || name.length > campaignNameMax)
    throw fieldProblem('invalid-parameters', 'name', `must have 1 to ${campaignNameMax} characters`);
  return name;
}

function getNote(text: string): string {
  if (text.length > campaignNoteMax)
    throw fieldProblem('invalid-parameters', 'note', `must have at most ${campaignNoteMax} characters`);
  return storedText(text);
}

function getNames(field: string, texts: readonly string[]): readonly string[] {
  if (texts.length > campaignDomainsMax)
    throw fieldProblem('invalid-parameters', field, `must have at most ${campaignDomainsMax} domains`);
  return [...new Set(texts.map((text) => getName(field, text)))];
}

/** In Unicode or punycode, in any letter case. */
function getName(field: string, text: string): string {
  const made = normaliseText('host', text);
  if (!('text' in made) || made.text === '')
    throw fieldProblem('invalid-parameters', field, 'must be domain names');
  return made.text;
}

/** PostgreSQL stores no NUL. */
function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
