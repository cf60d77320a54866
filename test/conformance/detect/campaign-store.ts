/** What every store of campaigns must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainLink, LinkValue } from '../../../src/model/campaign/campaign.ts';
import type { FoundCampaign, FoundLink } from '../../../src/store/detect/campaign-store.ts';
import { facts, type WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { describeDetectStore, type NewFixture, type OpenDetectStores } from './describe-detect-store.ts';

const by = { username: 'ann', atMs: 7000 };
const shared: LinkValue = { by: 'ip', value: '192.0.2.1' };
const link: FoundLink = { ...shared, domains: 3, known: 4, firstMs: 10, lastMs: 20, weight: 0.7 };

export function campaignStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of campaigns`, open, (newFixture) => {
    domainLinks(newFixture);
    foundCampaigns(newFixture);
    eventsOfMembers(newFixture);
    changesByPeople(newFixture);
    lists(newFixture);
  });
}

/** A new account whose monitor found these domains. */
async function withDomains(newFixture: NewFixture, ...labels: readonly string[]) {
  const fixture = newFixture();
  const monitor = await fixture.monitor();
  const names = labels.map((label) => `${label}-${fixture.accountId}.example`);
  for (const [at, name] of names.entries())
    await fixture.discover(name, [monitor], { discoveredMs: 2000 + at });
  return { fixture, monitor, names };
}

function found(names: readonly string[], more: Partial<FoundCampaign> = {}): FoundCampaign {
  const members = names.map((domain) => ({ domain, links: [shared] }));
  return {
    id: undefined,
    name: 'ip',
    members,
    membersMin: 3,
    links: [link],
    merged: [],
    replaced: [],
    ...more,
  };
}

const apply = (fixture: WatchlistFixture, campaign: FoundCampaign, nowMs = 5000) =>
  fixture.campaigns.applyFound(fixture.accountId, campaign, nowMs);

async function memberNames(
  { campaigns, accountId }: WatchlistFixture,
  id: string,
): Promise<readonly string[]> {
  const listed = await campaigns.listMembers(accountId, id, { offset: 0, limit: 100 });
  return (listed?.members ?? []).map(({ domain }) => domain).toSorted();
}

async function alerts({ events, accountId }: WatchlistFixture): Promise<readonly string[]> {
  const page = { afterId: 0, limit: 100, kinds: ['campaign-joined'] } as const;
  return (await events.listEvents(accountId, page)).map(({ domain }) => domain).toSorted();
}

/** A followed campaign of the first three domains. */
async function followed(newFixture: NewFixture, ...labels: readonly string[]) {
  const made = await withDomains(newFixture, 'a', 'b', 'c', ...labels);
  const applied = await apply(made.fixture, found(made.names.slice(0, 3)));
  const id = applied?.id as string;
  await made.fixture.campaigns.updateCampaign(made.fixture.accountId, id, { followed: true });
  return { ...made, id };
}

function domainLinks(newFixture: NewFixture): void {
  const unreadOf = async ({ campaigns }: WatchlistFixture, name: string) =>
    (await campaigns.listUnreadDomains(1000, 0)).find(({ domain }) => domain === name);
  const saved: DomainLink = { ...shared, attribute: 'ip.address', firstMs: 1, lastMs: 2 };

  test('a discovered domain is unread until its links are saved, and again after its record changed', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a');
    const [name = ''] = names;
    const unread = await unreadOf(fixture, name);
    assert.deepEqual(unread?.links, []);
    await fixture.campaigns.saveDomainLinks(
      [{ domain: name, version: unread?.version ?? 0, links: [saved], isChanged: true }],
      100,
    );
    assert.equal(await unreadOf(fixture, name), undefined);
    await fixture.applyChanges([{ domain: name, facts, changed: undefined }]);
    assert.deepEqual((await unreadOf(fixture, name))?.links, [saved]);
  });

  test('a domain whose record changed while it was read is read again', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a');
    const [name = ''] = names;
    const version = (await unreadOf(fixture, name))?.version ?? 0;
    await fixture.applyChanges([{ domain: name, facts, changed: undefined }]);
    await fixture.campaigns.saveDomainLinks(
      [{ domain: name, version, links: [saved], isChanged: true }],
      100,
    );
    assert.ok(await unreadOf(fixture, name));
  });

  test('changed links make campaigns to be found anew in the account, until it is noted that they were', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a');
    const { campaigns, accountId } = fixture;
    const [name = ''] = names;
    const changed = async () =>
      (await campaigns.listChangedAccounts(1000)).find((one) => one.accountId === accountId);
    const version = (await unreadOf(fixture, name))?.version ?? 0;
    await campaigns.saveDomainLinks([{ domain: name, version, links: [], isChanged: false }], 100);
    assert.equal(await changed(), undefined);
    await campaigns.saveDomainLinks([{ domain: name, version, links: [saved], isChanged: true }], 100);
    const before = await changed();
    await campaigns.saveDomainLinks([{ domain: name, version, links: [], isChanged: true }], 100);
    await campaigns.noteFound(accountId, before?.version ?? 0);
    assert.ok(await changed());
    await campaigns.noteFound(accountId, (await changed())?.version ?? 0);
    assert.equal(await changed(), undefined);
  });

  test('pages of linked domains have new and watched ones once, the latest discovered first', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a', 'b', 'c', 'd');
    await fixture.triage(names[1] as string, 'watched');
    await fixture.triage(names[2] as string, 'ignored');
    const listed: string[] = [];
    let after: string | undefined;
    do {
      const page = await fixture.campaigns.listLinkedDomains(fixture.accountId, { after, limit: 1 });
      listed.push(...page.domains.map(({ domain }) => domain));
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(listed, [names[3], names[1], names[0]]);
  });
}

function foundCampaigns(newFixture: NewFixture): void {
  test('a found campaign has its members with what links them, and its links', async () => {
    const { fixture, names, monitor } = await withDomains(newFixture, 'a', 'b', 'c');
    const applied = await apply(fixture, found(names));
    assert.equal(applied?.joined, 3);
    const campaign = await fixture.campaigns.findCampaign(fixture.accountId, applied?.id ?? '');
    const { weight: _, ...stored } = link;
    assert.deepEqual(campaign, {
      id: applied?.id,
      name: 'ip',
      note: '',
      state: 'active',
      isFollowed: false,
      origin: 'found',
      createdMs: 5000,
      createdBy: undefined,
      firstSeenMs: 2000,
      lastJoinedMs: 5000,
      members: 3,
      pastMembers: 0,
      maxRiskScore: undefined,
      monitors: [{ id: monitor.id, term: 'paypal' }],
      links: [stored],
    });
    const listed = await fixture.campaigns.listMembers(fixture.accountId, applied?.id ?? '', {
      offset: 0,
      limit: 1,
    });
    assert.equal(listed?.total, 3);
    assert.deepEqual(listed?.members[0], {
      domain: names[0],
      domainId: (await fixture.find(names[0] as string)).id,
      state: 'new',
      origin: 'found',
      joinedMs: 5000,
      firstSeenMs: 2000,
      links: [shared],
      riskScore: undefined,
    });
  });

  test('with fewer domains that may join no campaign is made', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a', 'b', 'c');
    await fixture.triage(names[2] as string, 'ignored');
    assert.equal(await apply(fixture, found(names)), undefined);
    assert.equal(await apply(fixture, found([...names.slice(0, 2), 'unknown.example'])), undefined);
  });

  test('what was found twice joins once', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd');
    const more = found([names[3] as string], { id });
    assert.equal((await apply(fixture, more))?.joined, 1);
    assert.equal((await apply(fixture, more))?.joined, 0);
    assert.deepEqual(await alerts(fixture), [names[3]]);
  });

  test('merged campaigns are one, with the members and links of both, and are followed if one was', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd', 'e', 'f');
    const other: FoundLink = { ...link, by: 'registrant', value: 'someone' };
    const second = await apply(fixture, found(names.slice(3), { links: [other] }));
    await apply(fixture, found([], { id: second?.id, merged: [id] }));
    const merged = await fixture.campaigns.findCampaign(fixture.accountId, second?.id ?? '');
    assert.equal(await fixture.campaigns.findCampaign(fixture.accountId, id), undefined);
    assert.deepEqual(await memberNames(fixture, second?.id ?? ''), names.toSorted());
    assert.deepEqual([merged?.isFollowed, merged?.links.length], [true, 2]);
  });

  test('a link keeps when it was first seen, and one that is no longer used stays', async () => {
    const { fixture, id } = await followed(newFixture);
    const later = { ...link, firstMs: 15, lastMs: 90, domains: 2 };
    await apply(fixture, found([], { id, links: [later] }));
    await apply(fixture, found([], { id, links: [] }));
    const [stored] = (await fixture.campaigns.findCampaign(fixture.accountId, id))?.links ?? [];
    assert.deepEqual([stored?.firstMs, stored?.lastMs, stored?.domains], [10, 90, 3]);
  });
}

function eventsOfMembers(newFixture: NewFixture): void {
  test('a new member of a followed campaign raises an event that says what links it', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd');
    await apply(fixture, found([names[3] as string], { id }), 6000);
    const page = { afterId: 0, limit: 10, kinds: ['campaign-joined'] } as const;
    const [event] = await fixture.events.listEvents(fixture.accountId, page);
    assert.deepEqual(
      [event?.domain, event?.atMs, event?.detail],
      [names[3], 6000, { campaign: 'ip', campaignId: id, links: ['ip 192.0.2.1'] }],
    );
  });

  test('the event of a member that a person removed is withdrawn', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd', 'e');
    await apply(fixture, found(names.slice(3), { id }));
    const change = { add: [], remove: [names[3] as string] };
    await fixture.campaigns.changeMembers(fixture.accountId, id, change, by);
    const page = { afterId: 0, limit: 10, kinds: ['campaign-joined'] } as const;
    const events = await fixture.events.listEvents(fixture.accountId, page);
    const left = events.filter(({ isWithdrawn }) => !isWithdrawn).map(({ domain }) => domain);
    assert.deepEqual([events.length, left], [2, [names[4]]]);
  });

  test('neither a campaign that nobody follows nor a closed one raises events', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd', 'e');
    await fixture.campaigns.updateCampaign(fixture.accountId, id, { state: 'closed' });
    await apply(fixture, found([names[3] as string], { id }));
    await fixture.campaigns.updateCampaign(fixture.accountId, id, { state: 'active', followed: false });
    await apply(fixture, found([names[4] as string], { id }));
    assert.deepEqual(await alerts(fixture), []);
  });

  test('members of a campaign that is merged into a followed one raise events', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd', 'e', 'f');
    const other = await apply(fixture, found(names.slice(3)));
    await apply(fixture, found([], { id, merged: [other?.id ?? ''] }));
    assert.deepEqual(await alerts(fixture), names.slice(3).toSorted());
  });
}

function changesByPeople(newFixture: NewFixture): void {
  test('a person makes a campaign of listed domains, and names that are on no list are refused', async () => {
    const { fixture, names } = await withDomains(newFixture, 'a', 'b');
    const { campaigns, accountId } = fixture;
    const refused = await campaigns.createCampaign(accountId, { name: 'mine', domains: ['x.example'] }, by);
    assert.deepEqual(refused, { unknownDomains: ['x.example'] });
    const made = await campaigns.createCampaign(accountId, { name: 'mine', domains: names }, by);
    assert.ok(typeof made === 'object' && 'campaign' in made);
    const { name, origin, createdBy, members } = made.campaign;
    assert.deepEqual([name, origin, createdBy, members], ['mine', 'made', 'ann', 2]);
  });

  test('memberships say whether a person made the campaign', async () => {
    const { fixture, names } = await followed(newFixture, 'd');
    const { campaigns, accountId } = fixture;
    await campaigns.createCampaign(accountId, { name: 'mine', domains: [names[3] as string] }, by);
    const { memberships } = await campaigns.listMemberships(accountId, { limit: 100 });
    const origins = new Map(memberships.map(({ domain, campaignOrigin }) => [domain, campaignOrigin]));
    assert.deepEqual(
      names.map((name) => origins.get(name)),
      ['found', 'found', 'found', 'made'],
    );
  });

  test('a removed member never comes back by itself, and comes back when a person adds it', async () => {
    const { fixture, names, id } = await followed(newFixture);
    const [name = ''] = names;
    const { campaigns, accountId } = fixture;
    await campaigns.changeMembers(accountId, id, { add: [], remove: [name] }, by);
    assert.equal((await apply(fixture, found([name], { id })))?.joined, 0);
    assert.deepEqual(await memberNames(fixture, id), names.slice(1).toSorted());
    const { memberships } = await campaigns.listMemberships(accountId, { limit: 100 });
    assert.deepEqual(memberships.find(({ domain }) => domain === name)?.kind, 'removed');
    await campaigns.changeMembers(accountId, id, { add: [name], remove: [] }, by);
    assert.deepEqual(await memberNames(fixture, id), names.toSorted());
  });

  test('a domain that is added to another campaign leaves the first', async () => {
    const { fixture, names, id } = await followed(newFixture);
    const domains = [names[0] as string];
    await fixture.campaigns.createCampaign(fixture.accountId, { name: 'mine', domains }, by);
    assert.deepEqual(await memberNames(fixture, id), names.slice(1).toSorted());
    const { total } = await fixture.campaigns.listCampaigns(fixture.accountId, {
      domain: names[0] as string,
      offset: 0,
      limit: 10,
    });
    assert.equal(total, 1);
  });

  test('what is no member cannot be removed, and then nothing is changed', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd');
    const change = { add: [names[3] as string], remove: ['x.example'] };
    const outcome = await fixture.campaigns.changeMembers(fixture.accountId, id, change, by);
    assert.deepEqual(outcome, { unknownDomains: ['x.example'] });
    assert.deepEqual(await memberNames(fixture, id), names.slice(0, 3).toSorted());
  });

  test('a forgotten campaign is gone, and its members are remembered as forgotten', async () => {
    const { fixture, names, id } = await followed(newFixture);
    const { campaigns, accountId } = fixture;
    assert.equal(await campaigns.forgetCampaign(accountId, id), true);
    assert.equal(await campaigns.forgetCampaign(accountId, id), false);
    assert.equal(await campaigns.findCampaign(accountId, id), undefined);
    const { memberships } = await campaigns.listMemberships(accountId, { limit: 100 });
    assert.deepEqual(new Set(memberships.map(({ kind }) => kind)), new Set(['forgotten']));
    const again = await apply(fixture, found(names, { replaced: [id] }));
    assert.deepEqual(await memberNames(fixture, again?.id ?? ''), names.toSorted());
  });

  test('a campaign of another account is unknown', async () => {
    const { fixture, id } = await followed(newFixture);
    const { campaigns } = fixture;
    const other = newFixture().accountId;
    assert.equal(await campaigns.findCampaign(other, id), undefined);
    assert.equal(await campaigns.updateCampaign(other, id, { name: 'x' }), undefined);
    assert.equal(await campaigns.forgetCampaign(other, id), false);
    assert.equal(await campaigns.listMembers(other, id, { offset: 0, limit: 1 }), undefined);
    assert.equal(await campaigns.listMemberHistory(other, id, 1), undefined);
    assert.equal(await campaigns.changeMembers(other, id, { add: [], remove: [] }, by), 'unknown-campaign');
  });
}

function lists(newFixture: NewFixture): void {
  test('a member whose monitor was deleted stays as a past one', async () => {
    const { fixture, monitor, id } = await followed(newFixture);
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const campaign = await fixture.campaigns.findCampaign(fixture.accountId, id);
    assert.deepEqual([campaign?.members, campaign?.pastMembers, campaign?.monitors], [3, 3, []]);
    const listed = await fixture.campaigns.listMembers(fixture.accountId, id, { offset: 0, limit: 1 });
    assert.deepEqual([listed?.members[0]?.state, listed?.members[0]?.domainId], ['past', undefined]);
  });

  test('campaigns are filtered by state, by whether they are followed, by a member and by text', async () => {
    const { fixture, names, id } = await followed(newFixture, 'd', 'e', 'f');
    const { campaigns, accountId } = fixture;
    const other = await apply(fixture, found(names.slice(3), { name: 'Zoo', links: [] }), 9000);
    await campaigns.updateCampaign(accountId, other?.id ?? '', { state: 'closed' });
    const ids = async (query: object) =>
      (await campaigns.listCampaigns(accountId, { offset: 0, limit: 10, ...query })).campaigns.map(
        (one) => one.id,
      );
    assert.deepEqual(await ids({}), [other?.id, id]);
    assert.deepEqual(await ids({ offset: 1 }), [id]);
    assert.deepEqual(await ids({ followed: true }), [id]);
    assert.deepEqual(await ids({ state: 'closed' }), [other?.id]);
    assert.deepEqual(await ids({ domain: names[0] }), [id]);
    assert.deepEqual(await ids({ search: 'zoo' }), [other?.id]);
    assert.deepEqual(await ids({ search: '192.0.2' }), [id]);
    assert.deepEqual(await ids({ search: 'd-' }), [other?.id]);
  });

  test('the history of a member says when it was discovered, joined, decided about and sighted', async () => {
    const { fixture, names, id } = await followed(newFixture);
    await fixture.escalate(names[0] as string, 'blocked');
    const history = await fixture.campaigns.listMemberHistory(fixture.accountId, id, 2);
    assert.equal(history?.length, 2);
    assert.deepEqual(history?.[0], {
      domain: names[0],
      joinedMs: 5000,
      firstSeenMs: 2000,
      decided: { state: 'watched', atMs: 4000 },
      escalatedMs: 4000,
      sightedMs: undefined,
    });
  });
}
