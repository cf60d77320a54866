/** Which domains belong together: pure functions over what they share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CampaignLinkKind } from '../../../src/model/campaign/campaign.ts';
import { clusterDomains } from '../../../src/product/campaigns/cluster-domains.ts';
import { linkKey, weighDomains } from '../../../src/product/campaigns/shared-values.ts';
import type { LinkedDomain } from '../../../src/store/detect/campaign-store.ts';

type Values = Partial<Record<CampaignLinkKind, readonly string[]>>;

const attributes: Partial<Record<CampaignLinkKind, string>> = {
  certificate: 'ssl_info.hash',
  analytics: 'analytics_code',
  registrant: 'registrant_contact.email',
  name_server: 'name_server.host',
  soa_email: 'soa_email',
  ip: 'ip.address',
  page: 'website_title',
};

function domain(name: string, values: Values): LinkedDomain {
  const kinds = Object.keys(values) as CampaignLinkKind[];
  const links = kinds.flatMap((by) =>
    (values[by] ?? []).map((value) => ({
      by,
      value,
      attribute: attributes[by] ?? '',
      firstMs: 1,
      lastMs: 2,
    })),
  );
  return { domain: name, discoveredMs: 0, links };
}

/** `known`: how many of all known domains have a value, where that is more than those given. */
async function clusters(
  domains: readonly LinkedDomain[],
  known: Readonly<Record<string, number>> = {},
  options = { sharedMax: 500, own: new Set<string>() },
): Promise<readonly (readonly string[])[]> {
  const store = {
    countNames: async () => 1_000_000,
    countsOf: async (values: readonly { readonly value: string }[]) =>
      values.map(({ value }) => known[value] ?? 0),
  };
  const weighed = await weighDomains(domains, options, { domains: store });
  return (await clusterDomains(weighed)).toSorted((one, other) =>
    (one[0] ?? '') < (other[0] ?? '') ? -1 : 1,
  );
}

const pair = (values: Values) => [domain('a.example', values), domain('b.example', values)];
const together = [['a.example', 'b.example']];

test('domains that share nothing make no cluster', async () => {
  const domains = [domain('a.example', { ip: ['192.0.2.1'] }), domain('b.example', { ip: ['192.0.2.2'] })];
  assert.deepEqual(await clusters(domains), []);
});

for (const [what, values] of [
  ['a certificate', { certificate: ['ab'] }],
  ['a tracker code', { analytics: ['ua-1'] }],
  ['the address of the registrant', { registrant: ['me@mail.example'] }],
] as const) {
  test(`${what} that many share is enough, up to the bound`, async () => {
    const [value = ''] = Object.values(values).flat();
    assert.deepEqual(await clusters(pair(values), { [value]: 500 }), together);
    assert.deepEqual(await clusters(pair(values), { [value]: 501 }), []);
  });
}

test('an address that two domains have is enough, and one of a hoster is not', async () => {
  assert.deepEqual(await clusters(pair({ ip: ['192.0.2.1'] })), together);
  assert.deepEqual(await clusters(pair({ ip: ['192.0.2.1'] }), { '192.0.2.1': 60 }), []);
});

test('name servers and an address of a small hoster are enough together, and those of a large one are not', async () => {
  const hosted = pair({ name_server: ['ns1.h.example'], ip: ['192.0.2.1'] });
  assert.deepEqual(await clusters(hosted, { 'ns1.h.example': 20, '192.0.2.1': 10 }), together);
  assert.deepEqual(await clusters(hosted, { 'ns1.h.example': 400, '192.0.2.1': 200 }), []);
});

test('the name servers of one provider count once, with the address in its SOA records', async () => {
  const values = { name_server: ['ns1.h.example', 'ns2.h.example'], soa_email: ['admin@h.example'] };
  const known = { 'ns1.h.example': 30, 'ns2.h.example': 30, 'admin@h.example': 30 };
  assert.deepEqual(await clusters(pair(values), known), []);
});

test('the same page, picture and pattern of names are never enough without another link', async () => {
  const copied = { page: ['acme bank login'], picture: ['00ff00ff00ff00ff'], naming: ['login-acme-0'] };
  assert.deepEqual(await clusters(pair(copied)), []);
  assert.deepEqual(await clusters(pair({ ...copied, ip: ['192.0.2.1'] }), { '192.0.2.1': 60 }), together);
});

test('pictures that look alike count as the same', async () => {
  const alike = (name: string, picture: string) =>
    domain(name, { picture: [picture], ip: ['192.0.2.1'], naming: ['login-acme-0'] });
  const known = { '192.0.2.1': 60 };
  const domains = [alike('a.example', '00ff00ff00ff00ff'), alike('b.example', '00ff00ff00ff00fe')];
  assert.deepEqual(await clusters(domains, known), together);
});

test('what the own domains of the account have says nothing', async () => {
  const own = new Set([linkKey({ by: 'analytics', value: 'ua-1' })]);
  assert.deepEqual(await clusters(pair({ analytics: ['ua-1'] }), {}, { sharedMax: 500, own }), []);
});

test('who belongs together with one belongs together with all of its cluster', async () => {
  const domains = [
    domain('a.example', { certificate: ['ab'] }),
    domain('b.example', { certificate: ['ab'], analytics: ['ua-1'] }),
    domain('c.example', { analytics: ['ua-1'] }),
  ];
  assert.deepEqual(await clusters(domains), [['a.example', 'b.example', 'c.example']]);
});

const anyValues = fc.record({
  registrant: fc.subarray(['r1', 'r2', 'r3'], { maxLength: 1 }),
  name_server: fc.subarray(['n1', 'n2', 'n3', 'n4'], { maxLength: 3 }),
  ip: fc.subarray(['i1', 'i2', 'i3', 'i4'], { maxLength: 2 }),
  picture: fc.subarray(['00ff00ff00ff00ff', '00ff00ff00ff00f0', 'ffffffff00000000'], { maxLength: 1 }),
});

test('the order of domains does not matter, and each is in one cluster at most', async () => {
  const lists = fc.array(anyValues, { minLength: 2, maxLength: 12 }).chain((all) => {
    const domains = all.map((values, at) => domain(`d${at}.example`, values));
    return fc.tuple(fc.constant(domains), fc.shuffledSubarray(domains, { minLength: domains.length }));
  });
  await fc.assert(
    fc.asyncProperty(lists, async ([domains, shuffled]) => {
      const found = await clusters(domains, { n1: 100, i1: 80 });
      assert.deepEqual(await clusters(shuffled, { n1: 100, i1: 80 }), found);
      const names = found.flat();
      assert.equal(new Set(names).size, names.length);
    }),
    { numRuns: 50 },
  );
});

test('domains of a cluster are connected by shared values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyValues, { minLength: 2, maxLength: 10 }), async (all) => {
      const domains = all.map((values, at) => domain(`d${at}.example`, values));
      const keysOf = new Map(domains.map((one) => [one.domain, new Set(one.links.map(linkKey))]));
      for (const cluster of await clusters(domains))
        for (const name of cluster)
          assert.ok(
            cluster.some(
              (other) =>
                other !== name &&
                [...(keysOf.get(name) ?? [])].some(
                  (key) => key.startsWith('picture') || keysOf.get(other)?.has(key),
                ),
            ),
          );
    }),
    { numRuns: 50 },
  );
});
