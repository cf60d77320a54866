import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, type Investigated, investigated } from './investigated.ts';

interface Group {
  readonly registrar: string;
  /** Records with a registrar that searches of the group begin with. */
  readonly knowing: (records: Readonly<Record<string, Fields>>, at?: string) => Promise<void>;
  /** First labels of what a filter keeps, in order. */
  readonly kept: (filters: string) => Promise<string>;
}

/** Groups share a server, and nothing else. */
let groups = 0;
function groupIn(world: Investigated): Group {
  groups += 1;
  const registrar = `Group ${groups}`;
  const suffix = `.g${groups}.example`;
  return {
    registrar,
    knowing: (records, at) => {
      const entries = Object.entries(records).map(([name, fields]) => {
        const parsed_whois = { registrar, ...fields.parsed_whois };
        return [`${name}${suffix}`, { ...fields, parsed_whois }] as const;
      });
      return world.know(Object.fromEntries(entries), at);
    },
    kept: async (filters) => {
      const names = await world.names(`registrar=group+${registrar.slice(6)}&sort_by=domain&${filters}`);
      return names.map((name) => name.replace(suffix, '')).join(' ');
    },
  };
}

test('filters', async (t) => {
  const world = await investigated(t);
  await t.test(
    'INV-F01 INV-F02 INV-F03 active keeps those in use, or those that are not, or all when left out',
    async () => {
      const { knowing, kept } = groupIn(world);
      await knowing({ on: { active: true }, off: { active: false }, unknown: {} });
      assert.equal(await kept('active=true'), 'on');
      assert.equal(await kept('active=1'), 'on');
      assert.equal(await kept('active=false'), 'off unknown');
      assert.equal(await kept(''), 'off on unknown');
      assert.match(await world.refusal('registrar=x&active=maybe'), /active: must be true or false/);
    },
  );

  await t.test('INV-F04 INV-F05 INV-F06 dates are a day, and create_date takes an operator', async () => {
    const { knowing, kept } = groupIn(world);
    const dates = (create_date: string, expiration_date: string): Fields => ({
      parsed_whois: { create_date, expiration_date },
    });
    await knowing({
      a: dates('2026-02-28', '2027-02-28'),
      b: dates('2026-03-01', '2027-03-01'),
      c: dates('2026-03-02', '2027-03-01'),
      none: {},
    });
    assert.equal(await kept('create_date=2026-03-01'), 'b');
    assert.equal(await kept('expiration_date=2027-03-01'), 'b c');
    assert.equal(await kept('create_date=%3E2026-03-01'), 'c');
    assert.equal(await kept('create_date=%3E=2026-03-01'), 'b c');
    assert.equal(await kept('create_date=%3C2026-03-01'), 'a');
    assert.equal(await kept('create_date=%3C=+2026-03-01'), 'a b');
    assert.equal(await kept('create_date=%3E=2026-03-01&create_date=%3C2026-03-02'), 'b');
    assert.equal(await kept('create_date_within=2'), 'c');
    assert.equal(await kept('create_date_within=3'), 'b c');
  });

  await t.test(
    'INV-F07 INV-F08 first_seen_since is strictly after a time, in Pacific time without a zone',
    async () => {
      const { knowing, kept } = groupIn(world);
      await knowing({
        at: { first_seen: '2026-03-04T08:00:00.000Z' },
        after: { first_seen: '2026-03-04T08:00:00.001Z' },
        before: { first_seen: '2026-03-04T07:59:59.999Z' },
        summer: { first_seen: '2025-07-01T07:00:00.001Z' },
      });
      assert.equal(await kept('first_seen_since=2026-03-04T08:00:00Z'), 'after');
      assert.equal(await kept('first_seen_since=2026-03-04T09:00:00%2B01:00'), 'after');
      assert.equal(await kept('first_seen_since=2026-03-04T09:00:00+01:00'), 'after');
      assert.equal(await kept('first_seen_since=2026-03-04T00:00:00'), 'after');
      assert.equal(await kept('first_seen_since=2026-03-04'), 'after');
      assert.equal(await kept('first_seen_since=2025-07-01T00:00:00'), 'after at before summer');
      assert.equal(await kept('first_seen_since=2025-07-01T00:00:01'), 'after at before');
    },
  );

  await t.test('INV-F09 first_seen_within counts back from the request', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({
      new: { first_seen: '2026-03-04T10:10:12.000Z' },
      old: { first_seen: '2026-03-04T10:10:11.999Z' },
    });
    assert.equal(await kept('first_seen_within=60'), 'new');
    assert.equal(await kept('first_seen_within=61'), 'new old');
    world.server.clock.advanceSeconds(1);
    assert.equal(await kept('first_seen_within=60'), '');
    world.server.clock.advanceSeconds(-1);
  });

  await t.test('INV-F10 ip_country_code is of any address, in any letter case', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({
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
    for (const code of ['nl', 'NL', 'Nl']) assert.equal(await kept(`ip_country_code=${code}`), 'nl');
  });

  await t.test('INV-F11 INV-F12 INV-F18 INV-F19 tags keep and leave out, by all and by any', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({ both: {}, one: {}, none: {} });
    await world.tag(world.user, `both.g${groups}.example`, ['a', 'b', 'c']);
    await world.tag(world.user, `one.g${groups}.example`, ['a']);
    assert.equal(await kept('tagged_with_all=A,b'), 'both');
    assert.equal(await kept('tagged_with_any=a,b'), 'both one');
    assert.equal(await kept('not_tagged_with_all=a,B'), 'none one');
    assert.equal(await kept('not_tagged_with_any=a,b'), 'none');
  });

  await t.test('INV-F13 INV-F14 rank is at most, risk_score is greater than', async () => {
    const { knowing, kept } = groupIn(world);
    const scored = (popularity_rank: number, risk_score: number): Fields => ({
      popularity_rank,
      domain_risk: { risk_score, components: [] },
    });
    await knowing({ a: scored(99, 0), b: scored(100, 70), c: scored(101, 100), none: {} });
    assert.equal(await kept('rank=100'), 'a b');
    assert.equal(await kept('rank=98'), '');
    assert.equal(await kept('risk_score=69'), 'b c');
    assert.equal(await kept('risk_score=70'), 'c');
    assert.equal(await kept('risk_score=0'), 'b c');
    assert.equal(await kept('risk_score=100'), '');
  });

  await t.test('INV-F15 INV-F21 server_type and website_title filter a search', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({
      a: { server_type: 'nginx', website_title: 'Hi' },
      b: { server_type: 'Apache', website_title: 'Hi' },
    });
    assert.equal(await kept('server_type=NGINX'), 'a');
    assert.equal(await kept('website_title=hi&server_type=apache'), 'b');
    assert.equal(await kept('website_title=hi'), 'a b');
  });

  await t.test('INV-F16 INV-F17 certificates end and start on a day', async () => {
    const { knowing, kept } = groupIn(world);
    const valid = (not_before: string, not_after: string): Fields => ({
      ssl_info: [
        { hash: `${not_before}${not_after}`.replaceAll('-', '').padEnd(40, '0'), not_before, not_after },
      ],
    });
    await knowing({ a: valid('2026-01-01', '2026-04-01'), b: valid('2026-04-01', '2026-07-01') });
    assert.equal(await kept('ssl_not_after=2026-04-01'), 'a');
    assert.equal(await kept('ssl_not_before=2026-04-01'), 'b');
  });

  await t.test('INV-F20 tld keeps a top-level domain, of several labels too', async () => {
    const { registrar } = groupIn(world);
    const base: Fields = { parsed_whois: { registrar } };
    await world.know({ 'a.co.uk': base, 'b.uk': base, 'couk.com': base, 'xn--bcher-kva.xn--p1ai': base });
    const names = (tld: string) => world.names({ registrar, tld, sort_by: 'domain' });
    assert.deepEqual(await names('co.uk'), ['a.co.uk']);
    assert.deepEqual(await names('.CO.UK'), ['a.co.uk']);
    assert.deepEqual(await names('com'), ['couk.com']);
    assert.deepEqual(await names('рф'), ['bücher.рф']);
  });

  await t.test('INV-F22 a malformed filter value answers 400 and names the filter', async () => {
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
          await world.refusal({ registrar: 'x', [filter]: value }),
          new RegExp(`\\b${filter}: must`),
          value,
        );
  });

  await t.test('INV-25 a stored query repeated with first_seen_since shows what is new', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({ old: { first_seen: '2026-03-01T00:00:00.000Z' } });
    assert.equal(await kept(''), 'old');
    await knowing({ new: { first_seen: '2026-03-04T10:00:00.000Z' } });
    assert.equal(await kept('first_seen_since=2026-03-04T09:00:00Z'), 'new');
    assert.equal(await kept('first_seen_within=3600'), 'new');
  });

  await t.test('data_updated_after keeps records that changed since', async () => {
    const { knowing, kept } = groupIn(world);
    await knowing({ a: {} }, '2026-03-01T00:00:00Z');
    await knowing({ b: {} }, '2026-03-03T00:00:00Z');
    assert.equal(await kept('data_updated_after=2026-03-02T00:00:00Z'), 'b');
  });
});
