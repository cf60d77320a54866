/**
 * A campaign as one STIX 2.1 bundle: the campaign, its domains with their indicators and shared addresses, and one grouping of all of them. Ids are
 * made from what they name, and every export is a new version, as in `src/product/export/stix-format.ts`.
 */
import type { Account } from '../../model/account/account.ts';
import type { Campaign, CampaignMember, LinkValue } from '../../model/campaign/campaign.ts';
import {
  type Authorship,
  basedOnContent,
  campaignContent,
  groupingContent,
  identityContent,
  identityCreatedMs,
  indicatesContent,
  indicatorContent,
  resolvesToContent,
} from '../../model/stix/stix-contents.ts';
import { accountIdentityId, addressType, stixId } from '../../model/stix/stix-ids.ts';
import { observable, type StixObject, versionedObject } from '../../model/stix/stix-object.ts';
import { type TlpColour, tlpMarking } from '../../model/stix/tlp-marking.ts';
import type { CampaignStore } from '../../store/detect/campaign-store.ts';

export interface BundleContext {
  readonly account: Pick<Account, 'id' | 'name'>;
  readonly marking: TlpColour;
  readonly nowMs: number;
}

/** As many domains as campaigns are found among; the grouping names every object, so its size is bounded by this. */
export const bundleMembersMax = 20_000;
/** Written in a few milliseconds. */
const pageSize = 100;
const linksNamed = 10;

/** The members of a campaign in pages, the latest first. */
export async function* scanMembers(
  accountId: string,
  { id }: Pick<Campaign, 'id'>,
  campaigns: Pick<CampaignStore, 'listMembers'>,
): AsyncGenerator<readonly CampaignMember[]> {
  for (let offset = 0; offset < bundleMembersMax; offset += pageSize) {
    const page = await campaigns.listMembers(accountId, id, { offset, limit: pageSize });
    yield page?.members ?? [];
    if ((page?.members.length ?? 0) < pageSize) return;
  }
}

/** Parts of a JSON text. Members that join or leave meanwhile are written once, or not at all. */
export async function* campaignBundle(
  campaign: Campaign,
  pages: AsyncIterable<readonly CampaignMember[]>,
  context: BundleContext,
): AsyncGenerator<Uint8Array> {
  const { account, marking, nowMs } = context;
  const by: Authorship = { identityId: accountIdentityId(account.id), marking };
  const bundleId = stixId('bundle', account.id, 'campaign', campaign.id, String(nowMs));
  const own = campaignObject(campaign, by, context);
  const written = new Set<string>([own.id]);
  const head = [tlpMarking(marking), identityOf(context), own].map((object) => JSON.stringify(object));
  yield Buffer.from(`{"type":"bundle","id":"${bundleId}","objects":[\n${head.join(',\n')}`);
  for await (const members of pages) {
    const lines: string[] = [];
    for (const object of members.flatMap((member) => memberObjects(member, own.id, by, context)))
      if (!written.has(object.id)) {
        written.add(object.id);
        lines.push(`,\n${JSON.stringify(object)}`);
      }
    yield Buffer.from(lines.join(''));
  }
  yield Buffer.from(`,\n${JSON.stringify(groupingObject(campaign, [...written], by, context))}\n]}\n`);
}

function identityOf({ account, marking, nowMs }: BundleContext): StixObject {
  const version = { createdMs: identityCreatedMs, modifiedMs: Math.max(identityCreatedMs, nowMs) };
  const content = identityContent(account.name, { marking });
  return versionedObject({ type: 'identity', id: accountIdentityId(account.id) }, version, content);
}

const versionOf = (createdMs: number, nowMs: number) => ({
  createdMs,
  modifiedMs: Math.max(createdMs, nowMs),
});

function campaignObject(campaign: Campaign, by: Authorship, { account, nowMs }: BundleContext): StixObject {
  const { id, name, note, createdMs, firstSeenMs = createdMs, lastJoinedMs, links } = campaign;
  const uses = links.flatMap(({ firstMs, lastMs }) => [firstMs, lastMs]);
  const times = uses.reduce(
    ({ first, last }, ms) => ({ first: Math.min(first, ms), last: Math.max(last, ms) }),
    { first: firstSeenMs, last: lastJoinedMs },
  );
  const facts = { name, description: note, firstMs: times.first, lastMs: times.last };
  return versionedObject(
    { type: 'campaign', id: stixId('campaign', account.id, id, String(createdMs)) },
    versionOf(createdMs, nowMs),
    campaignContent(facts, by),
  );
}

/** The domain with its addresses among the links, and an indicator unless a person ignored it. */
function memberObjects(
  { domain, state, joinedMs, firstSeenMs, riskScore, links }: CampaignMember,
  campaignId: string,
  by: Authorship,
  { account, nowMs }: BundleContext,
): readonly StixObject[] {
  const about = [account.id, campaignId, domain, String(joinedMs)];
  const version = versionOf(joinedMs, nowMs);
  const relationship = (kind: string, ...more: readonly string[]) => ({
    type: 'relationship',
    id: stixId('relationship', kind, ...about, ...more),
  });
  const addresses = links
    .filter((link) => link.by === 'ip')
    .map(({ value }) => observable(addressType(value), value));
  const observed = [
    observable('domain-name', domain),
    ...addresses,
    ...addresses.map(({ id }) =>
      versionedObject(relationship('resolves-to', id), version, resolvesToContent(domain, id, by)),
    ),
  ];
  if (state === 'ignored') return observed;
  const id = stixId('indicator', ...about);
  const description =
    links.length === 0 ? 'Added by a person.' : `Linked to the campaign by ${linksInWords(links)}.`;
  const facts = {
    domain,
    score: riskScore,
    description,
    isMalicious: false,
    labels: [],
    validFromMs: firstSeenMs,
  };
  return [
    ...observed,
    versionedObject({ type: 'indicator', id }, version, indicatorContent(facts, by)),
    versionedObject(relationship('based-on'), version, basedOnContent(id, domain, by)),
    versionedObject(relationship('indicates'), version, indicatesContent(id, campaignId, by)),
  ];
}

/** As they stand in a sentence. */
const linkNames: Readonly<Record<LinkValue['by'], string>> = {
  certificate: 'certificate',
  analytics: 'tracking code',
  registrant: 'registrant',
  soa_email: 'SOA e-mail',
  name_server: 'name server',
  ip: 'address',
  picture: 'picture',
  page: 'page',
  naming: 'naming pattern',
};

function linksInWords(links: readonly LinkValue[]): string {
  return links
    .slice(0, linksNamed)
    .map(({ by, value }) => `${linkNames[by]} ${value}`)
    .join(', ');
}

function groupingObject(
  campaign: Campaign,
  refs: readonly string[],
  by: Authorship,
  { account, nowMs }: BundleContext,
): StixObject {
  const { id, name, createdMs, members, links } = campaign;
  const count = members === 1 ? '1 domain' : `${members} domains`;
  const description = links.length === 0 ? `${count}.` : `${count} linked by ${linksInWords(links)}.`;
  return versionedObject(
    { type: 'grouping', id: stixId('grouping', account.id, id, String(createdMs)) },
    versionOf(createdMs, nowMs),
    groupingContent({ name, description, refs }, by),
  );
}
