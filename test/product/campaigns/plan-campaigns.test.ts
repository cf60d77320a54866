/** What clusters mean for the campaigns that there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownMemberships } from '../../../src/product/campaigns/known-memberships.ts';
import { planCampaigns } from '../../../src/product/campaigns/plan-campaigns.ts';
import type { Membership } from '../../../src/store/detect/campaign-store.ts';

type Kind = Membership['kind'];

/** `A: 'a b c'` */
function memberships(
  campaigns: Readonly<Record<string, string>>,
  kind: Kind = 'member',
  campaignOrigin: Membership['campaignOrigin'] = 'found',
): Membership[] {
  return Object.entries(campaigns).flatMap(([campaignId, names]) =>
    names.split(' ').map((domain) => ({ campaignId, campaignOrigin, domain, kind })),
  );
}

const madeByPeople = (campaigns: Readonly<Record<string, string>>) =>
  memberships(campaigns, 'member', 'made');

function planned(clusters: readonly string[], known: readonly Membership[] = []): readonly string[] {
  const plans = planCampaigns(
    clusters.map((names) => names.split(' ')),
    new KnownMemberships(known),
    3,
  );
  return plans.map(({ id = 'new', joining, merged, replaced }) =>
    [`${id}:`, joining.join(' '), ...merged.map((one) => `+${one}`), ...replaced.map((one) => `-${one}`)]
      .filter((text) => text !== '')
      .join(' '),
  );
}

test('three domains that belong together are a new campaign, and two are not', () => {
  assert.deepEqual(planned(['a b c', 'd e']), ['new: a b c']);
});

test('a cluster with members of a campaign makes it grow', () => {
  assert.deepEqual(planned(['a b c d'], memberships({ A: 'a b c' })), ['A: d']);
});

test('one domain is enough to join a campaign', () => {
  assert.deepEqual(planned(['c d'], memberships({ A: 'a b c' })), ['A: d']);
});

test('campaigns that have grown together are merged into the oldest', () => {
  assert.deepEqual(planned(['a b d e f'], memberships({ A: 'a b', B: 'd e' })), ['A: f +B']);
});

test('a campaign that a person made outlives an older one that was found', () => {
  const known = [...memberships({ A: 'a b c' }), ...madeByPeople({ B: 'd' })];
  assert.deepEqual(planned(['a b c d e'], known), ['B: e +A']);
});

test('campaigns that people made are never merged, and what is found becomes part of the older', () => {
  const known = [...memberships({ A: 'a b' }), ...madeByPeople({ B: 'd', C: 'e' })];
  assert.deepEqual(planned(['a b d e'], known), ['B: +A']);
});

test('three campaigns that are connected by two clusters become one', () => {
  const known = memberships({ A: 'a b', B: 'c d x y', C: 'e f' });
  assert.deepEqual(planned(['a b c d', 'x y e f'], known), ['A: +B +C']);
});

test('a few domains of a campaign do not merge it with another, and who belongs to them joins the larger part', () => {
  const known = memberships({ A: 'a b c', B: 'd e f' });
  assert.deepEqual(planned(['a b', 'c d e f g'], known), ['A:', 'B: g']);
});

test('campaigns that a person has separated stay apart', () => {
  const known = [
    ...memberships({ A: 'a b' }),
    ...memberships({ A: 'd' }, 'removed'),
    ...memberships({ B: 'd e' }),
  ];
  assert.deepEqual(planned(['a b d e'], known), ['A:']);
});

test('a domain that a person removed belongs nowhere, unless a person added it elsewhere', () => {
  const removed = memberships({ A: 'c' }, 'removed');
  assert.equal(new KnownMemberships(removed).isRemoved('c'), true);
  assert.equal(new KnownMemberships([...removed, ...memberships({ B: 'c' })]).isRemoved('c'), false);
});

test('a forgotten campaign is found again when twice as many domains belong together', () => {
  const forgotten = memberships({ A: 'a b c' }, 'forgotten');
  assert.deepEqual(planned(['a b c d e'], forgotten), []);
  assert.deepEqual(planned(['a b c d e f'], forgotten), ['new: a b c d e f -A']);
});

test('members of a forgotten campaign may join another', () => {
  const known = [...memberships({ A: 'a b c' }, 'forgotten'), ...memberships({ B: 'x y z' })];
  assert.deepEqual(planned(['a x'], known), ['B: a']);
});
