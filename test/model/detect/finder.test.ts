import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Finder } from '../../../src/model/detect/finder.ts';
import type { SearchPlan, SearchTarget } from '../../../src/model/detect/name-search.ts';
import { Matcher } from '../../../src/model/lookalike/matcher.ts';

const terms = [
  { text: 'paypal', substringVariations: false },
  { text: 'netflix', substringVariations: false },
];

function target(accountId: string, monitorId: string, more: Partial<SearchTarget> = {}): SearchTarget {
  return { accountId, monitorId, term: 0, textExclusions: [], ...more };
}

function find(plan: Partial<SearchPlan>, ...names: string[]) {
  const whole = { terms, targets: [target('a', 'm')], ownDomains: new Map(), ...plan };
  return new Finder(whole, new Matcher(terms)).find(Buffer.from(names.map((name) => `${name}\n`).join('')));
}

const domainsOf = (found: ReturnType<typeof find>) => found.map(({ domain }) => domain);

test('several names below one domain are one found domain, with the name nearest to the term', () => {
  const found = find({}, 'paypql.evil.top', 'www.paypal.evil.top', 'paypal.evil.top');
  assert.deepEqual(domainsOf(found), ['evil.top']);
  assert.equal(found[0]?.matches[0]?.reason.name, 'paypal.evil.top');
});

test('every matching monitor has its own reason', () => {
  const monitors = [target('a', 'm'), target('a', 'n', { term: 1 }), target('a', 'o')];
  const [found, ...others] = find({ targets: monitors }, 'paypal-netflix.com');
  assert.deepEqual(others, []);
  const reasons = found?.matches.map(({ monitorId, reason }) => [monitorId, reason.text]);
  assert.deepEqual(reasons?.sort(), [
    ['m', 'paypal'],
    ['n', 'netflix'],
    ['o', 'paypal'],
  ]);
});

test('an account gets the matches of its own monitors', () => {
  const monitors = [target('a', 'm'), target('b', 'n', { term: 1 })];
  const found = find({ targets: monitors }, 'paypal-x.com', 'netflix-x.com');
  assert.deepEqual(
    found.map(({ accountId, domain }) => [accountId, domain]),
    [
      ['a', 'paypal-x.com'],
      ['b', 'netflix-x.com'],
    ],
  );
});

test('MON-29 a text exclusion applies to the domain, the host, and the name in Unicode', () => {
  const monitors = [target('a', 'm', { textExclusions: ['Blog', 'bücher'] })];
  const names = ['paypal-blog.com', 'paypal.blog.evil.top', 'xn--paypal-bcher-klb.com'];
  assert.deepEqual(domainsOf(find({ targets: monitors }, ...names, 'paypal-x.com')), ['paypal-x.com']);
});

test('own domains and names below them are excluded, for their owner alone', () => {
  const ownDomains = new Map([['a', ['paypal.com', 'mine.evil.top']]]);
  const monitors = [target('a', 'm'), target('b', 'n')];
  const found = find(
    { targets: monitors, ownDomains },
    'paypal.com',
    'x.paypal.com',
    'paypal.mine.evil.top',
    'notpaypal.com',
  );
  const pairs = found.map(({ accountId, domain }) => `${accountId} ${domain}`);
  assert.deepEqual(pairs.sort(), ['a notpaypal.com', 'b evil.top', 'b notpaypal.com', 'b paypal.com']);
});

test('names without a registrable domain are not found', () => {
  assert.deepEqual(find({}, 'paypal', 'paypal.in-addr.arpa', ''), []);
});
