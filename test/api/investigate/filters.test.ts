import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, type InvestigateFixture, investigateFixture } from './investigate-fixture.ts';

interface Group {
  readonly registrar: string;
  /** Records that share a registrar, which all searches of the group use as base parameter. */
  readonly store: (records: Readonly<Record<string, Fields>>, at?: string) => Promise<void>;
  /** First labels of the results of a filter, in order. */
  readonly matches: (filters: string) => Promise<string>;
}

/** Groups share only the server. */
let groups = 0;
function groupIn(world: InvestigateFixture): Group {
  groups += 1;
  const registrar = `Group ${groups}`;
  const suffix = `.g${groups}.example`;
  return {
    registrar,
    store: (records, at) => {
      const entries = Object.entries(records).map(([name, fields]) => {
        const parsed_whois = { registrar, ...fields.parsed_whois };
        return [`${name}${suffix}`, { ...fields, parsed_whois }] as const;
      });
      return world.store(Object.fromEntries(entries), at);
    },
    matches: async (filters) => {
      const names = await world.names(`registrar=group+${registrar.slice(6)}&sort_by=domain&${filters}`);
      return names.map((name) => name.replace(suffix, '')).join(' ');
    },
  };
}

const world = await investigateFixture({ after });
test('INV-F01 INV-F02 INV-F03 active selects active domains, inactive ones, or all when omitted', async () => {
  const { store, matches } = groupIn(world);
  await store({ on: { active: true }, off: { active: false }, unknown: {} });
  assert.equal(await matches('active=true'), 'on');
  assert.equal(await matches('active=1'), 'on');
  assert.equal(await matches('active=false'), 'off unknown');
  assert.equal(await matches(''), 'off on unknown');
  assert.match(await world.errorMessage('registrar=x&active=maybe'), /active: must be true or false/);
});

test('INV-F04 INV-F05 INV-F06 dates select a day, and create_date accepts an operator', async () => {
  const { store, matches } = groupIn(world);
  const dates = (create_date: string, expiration_date: string): Fields => ({
    parsed_whois: { create_date, expiration_date },
  });
  await store({
    a: dates('2026-02-28', '2027-02-28'),
    b: dates('2026-03-01', '2027-03-01'),
    c: dates('2026-03-02', '2027-03-01'),
    none: {},
  });
  assert.equal(await matches('create_date=2026-03-01'), 'b');
  assert.equal(await matches('expiration_date=2027-03-01'), 'b c');
  assert.equal(await matches('create_date=%3E2026-03-01'), 'c');
  assert.equal(await matches('create_date=%3E=2026-03-01'), 'b c');
  assert.equal(await matches('create_date=%3C2026-03-01'), 'a');
  assert.equal(await matches('create_date=%3C=+2026-03-01'), 'a b');
  assert.equal(await matches('create_date=%3E=2026-03-01&create_date=%3C2026-03-02'), 'b');
  assert.equal(await matches('create_date_within=2'), 'c');
  assert.equal(await matches('create_date_within=3'), 'b c');
});

test('INV-F07 INV-F08 first_seen_since is exclusive, and in Pacific time without a zone', async () => {
  const { store, matches } = groupIn(world);
  await store({
    at: { first_seen: '2026-03-04T08:00:00.000Z' },
    after: { first_seen: '2026-03-04T08:00:00.001Z' },
    before: { first_seen: '2026-03-04T07:59:59.999Z' },
    summer: { first_seen: '2025-07-01T07:00:00.001Z' },
  });
  assert.equal(await matches('first_seen_since=2026-03-04T08:00:00Z'), 'after');
  assert.equal(await matches('first_seen_since=2026-03-04T09:00:00%2B01:00'), 'after');
  assert.equal(await matches('first_seen_since=2026-03-04T09:00:00+01:00'), 'after');
  assert.equal(await matches('first_seen_since=2026-03-04T00:00:00'), 'after');
  assert.equal(await matches('first_seen_since=2026-03-04'), 'after');
  assert.equal(await matches('first_seen_since=2025-07-01T00:00:00'), 'after at before summer');
  assert.equal(await matches('first_seen_since=2025-07-01T00:00:01'), 'after at before');
});

test('INV-F09 first_seen_within counts back from the request', async () => {
  const { store, matches } = groupIn(world);
  await store({
    new: { first_seen: '2026-03-04T10:10:12.000Z' },
    old: { first_seen: '2026-03-04T10:10:11.999Z' },
  });
  assert.equal(await matches('first_seen_within=60'), 'new');
  assert.equal(await matches('first_seen_within=61'), 'new old');
  world.server.clock.advanceSeconds(1);
  assert.equal(await matches('first_seen_within=60'), '');
  world.server.clock.advanceSeconds(-1);
});

test('INV-F10 ip_country_code matches any address, case-insensitively', async () => {
  const { store, matches } = groupIn(world);
  await store({
    nl: {
      ip: [
        { address: '192.0.2.1', country_code: 'de' },
        { address: '192.0.2.2', country_code: 'nl' },
      ],
    },
    de: {
      ip: [{ address: '192.0.2.1', country_code: 'de' }],
      parsed_whois: { registrant_contact: { country: 'nl' } },
    },
  });
  for (const code of ['nl', 'NL', 'Nl']) assert.equal(await matches(`ip_country_code=${code}`), 'nl');
});

test('INV-F11 INV-F12 INV-F18 INV-F19 tags include and exclude, by all and by any', async () => {
  const { store, matches } = groupIn(world);
  await store({ both: {}, one: {}, none: {} });
  await world.tag(world.user, `both.g${groups}.example`, ['a', 'b', 'c']);
  await world.tag(world.user, `one.g${groups}.example`, ['a']);
  assert.equal(await matches('tagged_with_all=A,b'), 'both');
  assert.equal(await matches('tagged_with_any=a,b'), 'both one');
  assert.equal(await matches('not_tagged_with_all=a,B'), 'none one');
  assert.equal(await matches('not_tagged_with_any=a,b'), 'none');
});

test('INV-F13 INV-F14 rank is an inclusive maximum, risk_score an exclusive minimum', async () => {
  const { store, matches } = groupIn(world);
  const scored = (popularity_rank: number, risk_score: number): Fields => ({
    popularity_rank,
    domain_risk: { risk_score, components: [] },
  });
  await store({ a: scored(99, 0), b: scored(100, 70), c: scored(101, 100), none: {} });
  assert.equal(await matches('rank=100'), 'a b');
  assert.equal(await matches('rank=98'), '');
  assert.equal(await matches('risk_score=69'), 'b c');
  assert.equal(await matches('risk_score=70'), 'c');
  assert.equal(await matches('risk_score=0'), 'b c');
  assert.equal(await matches('risk_score=100'), '');
});

test('INV-F15 INV-F21 server_type and website_title filter a search', async () => {
  const { store, matches } = groupIn(world);
  await store({
    a: { server_type: 'nginx', website_title: 'Hi' },
    b: { server_type: 'Apache', website_title: 'Hi' },
  });
  assert.equal(await matches('server_type=NGINX'), 'a');
  assert.equal(await matches('website_title=hi&server_type=apache'), 'b');
  assert.equal(await matches('website_title=hi'), 'a b');
});

test('INV-F16 INV-F17 certificates are filtered by end and start day', async () => {
  const { store, matches } = groupIn(world);
  const valid = (not_before: string, not_after: string): Fields => ({
    ssl_info: [
      { hash: `${not_before}${not_after}`.replaceAll('-', '').padEnd(40, '0'), not_before, not_after },
    ],
  });
  await store({ a: valid('2026-01-01', '2026-04-01'), b: valid('2026-04-01', '2026-07-01') });
  assert.equal(await matches('ssl_not_after=2026-04-01'), 'a');
  assert.equal(await matches('ssl_not_before=2026-04-01'), 'b');
});

test('INV-F20 tld selects a top-level domain, also of several labels', async () => {
  const { registrar } = groupIn(world);
  const base: Fields = { parsed_whois: { registrar } };
  await world.store({ 'a.co.uk': base, 'b.uk': base, 'couk.com': base, 'xn--bcher-kva.xn--p1ai': base });
  const names = (tld: string) => world.names({ registrar, tld, sort_by: 'domain' });
  assert.deepEqual(await names('co.uk'), ['a.co.uk']);
  assert.deepEqual(await names('.CO.UK'), ['a.co.uk']);
  assert.deepEqual(await names('com'), ['couk.com']);
  assert.deepEqual(await names('uk'), ['a.co.uk', 'b.uk']);
  assert.deepEqual(await names('рф'), ['bücher.рф']);
});

test('INV-F22 a malformed filter value returns 400 and names the filter', async () => {
  for (const [filter, ...values] of [
    [
      'create_date',
      '',
      '2026-3-4',
      '2026-02-30',
      '04.03.2026',
      '=>2026-03-04',
      '>',
      '20260304',
      '>>2026-03-04',
    ],
    ['expiration_date', '', '>2026-03-04', '2026-03-04T00:00:00Z', 'tomorrow'],
    ['ssl_not_after', '20260304', '2026-00-01'],
    ['ssl_not_before', '2026-03', '>2026-03-04'],
    ['create_date_within', '0', '-1', 'x'],
    ['first_seen_since', '', 'x', '2026-03-04T25:00:00Z', '5'],
    ['first_seen_within', '0', '-1', '1.5', ''],
    ['data_updated_after', 'x', '2026-13-01'],
    ['rank', '0', '-1', '1.5', 'x', ''],
    ['risk_score', '-1', '101', '50.5', 'x', ''],
    ['ip_country_code', 'd', 'deu', 'd1', '', 'd '],
    ['tld', '', '.', 'a b', '..uk'],
    ['not_tagged_with_all', '', ','],
    ['not_tagged_with_any', '', 'a'.repeat(513)],
  ] as const)
    for (const value of values)
      assert.match(
        await world.errorMessage({ registrar: 'x', [filter]: value }),
        new RegExp(`\\b${filter}: must`),
        value,
      );
});

test('INV-25 a stored query repeated with first_seen_since returns what is new', async () => {
  const { store, matches } = groupIn(world);
  await store({ old: { first_seen: '2026-03-01T00:00:00.000Z' } });
  assert.equal(await matches(''), 'old');
  await store({ new: { first_seen: '2026-03-04T10:00:00.000Z' } });
  assert.equal(await matches('first_seen_since=2026-03-04T09:00:00Z'), 'new');
  assert.equal(await matches('first_seen_within=3600'), 'new');
});

test('data_updated_after selects records that changed since', async () => {
  const { store, matches } = groupIn(world);
  await store({ a: {} }, '2026-03-01T00:00:00Z');
  await store({ b: {} }, '2026-03-03T00:00:00Z');
  assert.equal(await matches('data_updated_after=2026-03-02T00:00:00Z'), 'b');
});
