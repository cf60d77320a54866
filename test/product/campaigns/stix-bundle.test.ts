/** A campaign as a STIX 2.1 bundle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Campaign, CampaignMember } from '../../../src/model/campaign/campaign.ts';
import { type BundleContext, campaignBundle } from '../../../src/product/campaigns/stix-bundle.ts';
import { stixFaults } from '../export/stix-rules.ts';

type Value = Readonly<Record<string, unknown>>;

const createdMs = Date.parse('2026-03-01T00:00:00Z');
const nowMs = Date.parse('2026-03-04T10:11:12.345Z');
const context: BundleContext = { account: { id: 'a1', name: 'Acme "Team" <b>' }, marking: 'amber', nowMs };

const campaign: Campaign = {
  id: 'c1',
  name: 'parcels "x"\n\u202E',
  note: '',
  state: 'active',
  isFollowed: false,
  origin: 'found',
  createdMs,
  createdBy: undefined,
  firstSeenMs: createdMs - 1000,
  lastJoinedMs: createdMs,
  members: 3,
  pastMembers: 0,
  maxRiskScore: 90,
  monitors: [],
  links: [
    {
      by: 'ip',
      value: '192.0.2.1',
      domains: 3,
      known: 3,
      firstMs: createdMs - 5000,
      lastMs: createdMs + 5000,
    },
  ],
};

const member = (domain: string, more: Partial<CampaignMember> = {}): CampaignMember => ({
  domain,
  domainId: 'w1',
  state: 'new',
  origin: 'found',
  joinedMs: createdMs,
  firstSeenMs: createdMs - 1000,
  links: [
    { by: 'ip', value: '192.0.2.1' },
    { by: 'registrant', value: "o'neil@x.example" },
  ],
  riskScore: 90,
  ...more,
});

async function bundleOf(
  members: readonly CampaignMember[],
  written: BundleContext = context,
): Promise<readonly Value[]> {
  async function* pages() {
    for (let at = 0; at < members.length; at += 100) yield members.slice(at, at + 100);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of campaignBundle(campaign, pages(), written)) chunks.push(chunk);
  const bundle = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Value;
  assert.deepEqual(stixFaults(bundle), []);
  return bundle['objects'] as readonly Value[];
}

const ofType = (objects: readonly Value[], type: string) =>
  objects.filter((object) => object['type'] === type);

test('a bundle has one campaign and one grouping of all its objects, which keep the rules of STIX 2.1', async () => {
  const objects = await bundleOf([member('a.example'), member('b.example'), member('xn--c-xka.example')]);
  const [own, ...others] = ofType(objects, 'campaign');
  assert.deepEqual(others, []);
  assert.equal(own?.['name'], campaign.name);
  const [grouping, ...more] = ofType(objects, 'grouping');
  assert.deepEqual(more, []);
  assert.equal(grouping?.['context'], 'suspicious-activity');
  const grouped = objects
    .filter(({ type }) => !['grouping', 'identity', 'marking-definition'].includes(String(type)))
    .map(({ id }) => id);
  assert.deepEqual(new Set(grouping?.['object_refs'] as string[]), new Set(grouped));
  assert.equal(ofType(objects, 'indicator').length, 3);
  assert.equal(ofType(objects, 'ipv4-addr').length, 1, 'an address that several have is there once');
});

test('a campaign was seen from its first value or domain to the last', async () => {
  const [own] = ofType(await bundleOf([member('a.example')]), 'campaign');
  assert.equal(own?.['first_seen'], new Date(createdMs - 5000).toISOString());
  assert.equal(own?.['last_seen'], new Date(createdMs + 5000).toISOString());
});

test('a domain that was ignored is in the bundle without an indicator', async () => {
  const objects = await bundleOf([member('a.example', { state: 'ignored' })]);
  assert.equal(ofType(objects, 'indicator').length, 0);
  assert.equal(ofType(objects, 'domain-name').length, 1);
});

test('a later export has the same objects with a later version', async () => {
  const before = await bundleOf([member('a.example')]);
  const after = await bundleOf([member('a.example')], { ...context, nowMs: nowMs + 1000 });
  assert.deepEqual(
    before.map(({ id }) => id),
    after.map(({ id }) => id),
  );
  const modified = (objects: readonly Value[]) => ofType(objects, 'campaign')[0]?.['modified'] as string;
  assert.ok(modified(after) > modified(before));
});

test('a bundle of many pages has every member once', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `d${index}.example`);
  const objects = await bundleOf(names.map((name) => member(name)));
  assert.deepEqual(
    ofType(objects, 'domain-name').map(({ value }) => value),
    names,
  );
});
