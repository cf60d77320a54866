/** From records to campaigns, members and alerts, with real stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { type ReadLinksNeeds, readLinks } from '../../../src/pipeline/campaigns/read-links.ts';
import { startCampaigns } from '../../../src/pipeline/campaigns/start-campaigns.ts';
import { findCampaigns } from '../../../src/product/campaigns/find-campaigns.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import type { Stores } from '../../../src/stores.ts';
import { facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { sharedInFile } from '../../harness/test-scope.ts';

const shared = sharedInFile(async (scope) => {
  const stores = openEmbeddedStores({ data: temporaryDirectory(scope), clock: { now: () => 0 } });
  scope.after(() => stores.close());
  return stores;
});

const options = { membersMin: 3, sharedMax: 500 };
const dayMs = 86_400_000;

/** A new account; its domains have names of their own. */
async function newAccount() {
  const stores = await shared([]);
  const fixture = new WatchlistFixture(stores);
  const monitor = await fixture.monitor();
  let nowMs = 100 * dayMs;
  const clock = { now: () => nowMs };
  const nameOf = (label: string) => `${label}-${fixture.accountId}.example`;
  const needs: Stores & Pick<ReadLinksNeeds, 'clock'> = { ...stores, clock };
  const store = async (label: string, record: object) => {
    const made = normaliseRecord({ domain: nameOf(label), ...record });
    assert.ok(!('faults' in made));
    await stores.domains.upsert([{ record: made.record, source: 'test', seenMs: nowMs }]);
  };
  return {
    fixture,
    stores,
    nameOf,
    /** Puts a domain with this record on the list. */
    discover: async (label: string, record: object) => {
      await store(label, record);
      await fixture.discover(nameOf(label), [monitor], { discoveredMs: nowMs });
    },
    change: async (label: string, record: object) => {
      await store(label, record);
      await fixture.applyChanges([{ domain: nameOf(label), facts, changed: undefined }]);
    },
    find: async (more: Partial<Stores> = {}) => {
      await readLinks(needs);
      return findCampaigns(fixture.accountId, { ...options, nowMs }, { ...needs, ...more });
    },
    later: (days: number) => {
      nowMs += days * dayMs;
    },
    campaigns: async () => {
      const { campaigns } = await stores.campaigns.listCampaigns(fixture.accountId, {
        offset: 0,
        limit: 100,
      });
      return campaigns;
    },
    members: async (id: string) => {
      const listed = await stores.campaigns.listMembers(fixture.accountId, id, { offset: 0, limit: 100 });
      return (listed?.members ?? []).map(({ domain }) => domain.split('-')[0] ?? '').toSorted();
    },
    alerts: async () => {
      const page = { afterId: 0, limit: 100, kinds: ['campaign-joined'] } as const;
      const events = await stores.events.listEvents(fixture.accountId, page);
      return events.map(({ domain, detail }) => [domain.split('-')[0], detail['links']]);
    },
  };
}

const owned = (email: string) => ({ registrant_contact: { email: [email] } });

/** An account with one followed campaign of three domains. */
async function withCampaign(email: string) {
  const account = await newAccount();
  for (const label of ['a', 'b', 'c']) await account.discover(label, owned(email));
  await account.find();
  const [campaign] = await account.campaigns();
  assert.ok(campaign);
  const { id } = campaign;
  await account.stores.campaigns.updateCampaign(account.fixture.accountId, id, {
    followed: true,
    name: 'Mine',
  });
  return { ...account, id };
}

test('three domains of one registrant are found as a campaign, named after what links them', async () => {
  const account = await newAccount();
  for (const label of ['a', 'b', 'c']) await account.discover(label, owned('one@mail.example'));
  await account.discover('d', owned('other@mail.example'));
  assert.deepEqual(await account.find(), { domains: 4, found: 1, joined: 3, merged: 0 });
  const [campaign] = await account.campaigns();
  assert.equal(campaign?.name, 'registrant one@mail.example');
  assert.deepEqual(await account.members(campaign?.id ?? ''), ['a', 'b', 'c']);
});

test('a new member of a followed campaign raises one alert with what links it', async () => {
  const { discover, find, alerts, campaigns, id } = await withCampaign('two@mail.example');
  await discover('d', owned('two@mail.example'));
  await find();
  await find();
  assert.deepEqual(await alerts(), [['d', ['registrant two@mail.example']]]);
  const [campaign, ...others] = await campaigns();
  assert.deepEqual([campaign?.id, campaign?.name, campaign?.members, others], [id, 'Mine', 4, []]);
});

test('a search that was killed after a member joined is made again, and raises no second alert', async () => {
  const { discover, find, alerts, stores } = await withCampaign('three@mail.example');
  await discover('d', owned('three@mail.example'));
  const killed = {
    ...stores.campaigns,
    applyFound: async (...args: Parameters<typeof stores.campaigns.applyFound>) => {
      await stores.campaigns.applyFound(...args);
      throw new Error('killed');
    },
  };
  await assert.rejects(find({ campaigns: killed }), /killed/);
  await find();
  assert.deepEqual((await alerts()).length, 1);
});

test('a domain that uses what a member used before joins: who moves is found by where they were', async () => {
  const { change, discover, find, members, later, id } = await withCampaign('four@mail.example');
  await change('a', { ...owned('four@mail.example'), analytics_code: 'UA-4444-1' });
  await find();
  later(1);
  await change('a', owned('four@mail.example'));
  await find();
  later(30);
  await discover('d', { analytics_code: 'UA-4444-1' });
  await find();
  assert.deepEqual(await members(id), ['a', 'b', 'c', 'd']);
});

test('what a domain had under another registrant links nothing', async () => {
  const { change, discover, find, members, later, id } = await withCampaign('five@mail.example');
  await change('a', { ...owned('five@mail.example'), analytics_code: 'UA-5555-1' });
  await find();
  later(1);
  await change('a', owned('buyer@mail.example'));
  await discover('d', { analytics_code: 'UA-5555-1' });
  await find();
  assert.deepEqual(await members(id), ['a', 'b', 'c']);
});

test('a domain that a person removed stays away, and the campaign still grows', async () => {
  const { fixture, discover, find, members, nameOf, id, stores } = await withCampaign('six@mail.example');
  const change = { add: [], remove: [nameOf('a')] };
  await stores.campaigns.changeMembers(fixture.accountId, id, change, { username: 'ann', atMs: 1 });
  await discover('d', owned('six@mail.example'));
  await find();
  assert.deepEqual(await members(id), ['b', 'c', 'd']);
});

test('tracker codes of the own domains of the account link nothing', async () => {
  const { fixture, stores, ...account } = await newAccount();
  const brand = normaliseRecord({ domain: account.nameOf('brand'), analytics_code: 'UA-7777-1' });
  assert.ok(!('faults' in brand));
  await stores.domains.upsert([{ record: brand.record, source: 'test', seenMs: 1 }]);
  await fixture.monitors.changeOwnDomains(fixture.accountId, { add: [account.nameOf('brand')], remove: [] });
  for (const label of ['a', 'b', 'c']) await account.discover(label, { analytics_code: 'UA-7777-1' });
  await account.find();
  assert.deepEqual(await account.campaigns(), []);
});

test('the stage finds campaigns in every account in which something has changed', async () => {
  const { fixture, stores, campaigns, discover } = await newAccount();
  for (const label of ['a', 'b', 'c']) await discover(label, owned('eight@mail.example'));
  const failures: unknown[] = [];
  const stage = startCampaigns({
    ...stores,
    clock: { now: () => Date.now() },
    settings: { campaigns: { everySeconds: 1, ...options } },
    onMerged: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  const isChanged = async () =>
    (await stores.campaigns.listChangedAccounts(1000)).some((one) => one.accountId === fixture.accountId);
  try {
    while (((await campaigns()).length === 0 || (await isChanged())) && failures.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(failures, []);
  } finally {
    await stage.close();
  }
  assert.equal((await campaigns())[0]?.members, 3);
});
