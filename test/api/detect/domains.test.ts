import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { storeRecords } from '../enrich/stored-records.ts';
import { analyst, type DetectFixture, freshAccounts, type Json, reason } from './detect-fixture.ts';

const lists = ['new', 'watched', 'ignored'] as const;

/** One domain on each list, all found by one monitor. */
async function threeLists(fresh: () => Promise<DetectFixture>) {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  const ids = {
    new: await world.discover('acme-new.example'),
    watched: await world.discover('acme-watched.example'),
    ignored: await world.discover('acme-ignored.example'),
  };
  await world.patch([ids.watched], 'watched');
  await world.patch([ids.ignored], 'ignored');
  return { ...world, monitorId: id as string, ids };
}

async function refusal(world: DetectFixture, query: string): Promise<string> {
  const messages: string[] = [];
  for (const list of lists) {
    const { status, json, text } = await world.call(`GET /v1/intel-detect/domains/${list}/?${query}`);
    assert.equal(status, 400, `${query} ${text}`);
    messages.push(json.error.message);
  }
  assert.equal(new Set(messages).size, 1);
  return messages[0] as string;
}

const dataMembers = ['name_server', 'registrant_contact_email', 'registrar', 'create_date', 'ip', 'mx'];

const fresh = await freshAccounts({ after });

test('DOM-01 DOM-02 DOM-03 DOM-06 DOM-11 each list has the domains in its state, without any parameter', async () => {
  const world = await threeLists(fresh);
  for (const list of lists) {
    const { watchlist_domains } = await world.list(list);
    const shown = watchlist_domains.map(({ domain, state }: Json) => [domain, state]);
    assert.deepEqual(shown, [[`acme-${list}.example`, list]]);
  }
});

test('DOM-03 DOM-04 domains of inactive monitors are not listed as new or ignored; watched ones stay', async () => {
  const world = await threeLists(fresh);
  const { account } = world.user.caller;
  await world.server.monitors.updateMonitor(account.id, world.monitorId, { state: 'inactive' }, 1);
  assert.deepEqual(await world.names('new'), []);
  assert.deepEqual(await world.names('ignored'), []);
  assert.deepEqual(await world.names('watched'), ['acme-watched.example']);
  await world.monitor('login');
  await world.discover('acme-new.example');
  assert.deepEqual(await world.names('new'), ['acme-new.example']);
});

test('DOM-05 DOM-34 without dates all watched domains are listed; changed_since is inclusive, changed_before exclusive', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push(await world.discover(`acme-${name}.example`));
  await world.patch(ids, 'watched');
  await world.applyChange('acme-a.example', {}, '2026-03-01T00:00:00Z');
  await world.applyChange('acme-b.example', {}, '2026-03-02T00:00:00Z');
  assert.equal((await world.names('watched')).length, 3);
  const names = async (query: string) =>
    (await world.names('watched', `${query}&sort=changed_date`)).join(' ');
  assert.equal(await names('changed_since=2026-03-01T00:00:00Z'), 'acme-b.example acme-a.example');
  assert.equal(await names('changed_since=2026-03-01T00:00:00.001Z'), 'acme-b.example');
  assert.equal(await names('changed_before=2026-03-02T00:00:00Z'), 'acme-a.example');
  const window = 'changed_since=2026-03-01T00:00:00Z&changed_before=2026-03-02T00:00:00Z';
  assert.equal(await names(window), 'acme-a.example');
});

test('DOM-07 DOM-08 the envelope has its members, and its counts are consistent', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (let number = 0; number < 5; number += 1) await world.discover(`acme-${number}.example`);
  const json = await world.list('new', 'limit=2&offset=4');
  assert.deepEqual(Object.keys(json), ['watchlist_domains', 'total_count', 'count', 'offset', 'limit']);
  assert.deepEqual([json.total_count, json.count, json.offset, json.limit], [5, 1, 4, 2]);
  assert.equal(json.watchlist_domains.length, 1);
});

test('DOM-09 DOM-10 DOM-12 DOM-13 DOM-14 DOM-15 DOM-16 DOM-17 a domain has its members in the documented order', async () => {
  const world = await fresh();
  const one = (await world.monitor('acme')).id;
  const two = (await world.monitor('login')).id;
  const riskComponents = {
    proximity: 40,
    phishing: 91,
    malware: 12,
    spam: 30,
    evidence: ['domain name'],
  };
  const facts = { mxExists: true, riskScore: 91, riskStatus: 'full', riskComponents } as const;
  const id = await world.discover('acme-login.com.br', { at: '2026-03-01T01:02:03.004Z', facts });
  const { match, ...found } = await world.item('new', 'acme-login.com.br');
  assert.deepEqual(
    JSON.stringify(found),
    JSON.stringify({
      state: 'new',
      domain: 'acme-login.com.br',
      status: 'active',
      discovered_date: '2026-03-01T01:02:03.004000+00:00',
      changed_date: null,
      risk_score: 91,
      risk_score_status: 'full',
      risk_score_components: {
        proximity: 40,
        threat_profile: { phishing: 91, malware: 12, spam: 30, evidence: ['domain name'] },
      },
      mx_exists: true,
      tld: 'com.br',
      id,
      escalations: [],
      monitor_ids: [one, two],
    }),
  );
  assert.equal(match.length, 2);
  const [escalation] = (await world.escalate([id], 'blocked')).json.escalations;
  await world.applyChange('acme-login.com.br', {}, '2026-03-02T04:05:06Z');
  const watched = await world.item('watched', 'acme-login.com.br');
  assert.equal(watched.changed_date, '2026-03-02T04:05:06.000000+00:00');
  assert.deepEqual(watched.escalations, [
    {
      escalation_type: 'blocked',
      id: escalation.id,
      created: '2026-03-04T10:11:12.000000+00:00',
      created_by: world.user.username,
    },
  ]);
});

test('DOM-12 DOM-31 status is active or inactive, and domain_state filters by it', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-on.example');
  await world.discover('acme-off.example', { facts: { active: false } });
  assert.equal((await world.item('new', 'acme-on.example')).status, 'active');
  assert.equal((await world.item('new', 'acme-off.example')).status, 'inactive');
  assert.deepEqual(await world.names('new', 'domain_state=active'), ['acme-on.example']);
  assert.deepEqual(await world.names('new', 'domain_state=inactive'), ['acme-off.example']);
  assert.match(await refusal(world, 'domain_state=both'), /domain_state/);
});

test('the threat profile has three forms: full with evidence, phishing alone, and an empty list', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const known = { proximity: 5, phishing: 7, malware: undefined, spam: undefined, evidence: [] };
  await world.discover('acme-some.example', {
    facts: { riskScore: 7, riskStatus: 'provisional', riskComponents: known },
  });
  await world.discover('acme-near.example', {
    facts: { riskScore: 5, riskStatus: 'provisional', riskComponents: { ...known, phishing: undefined } },
  });
  await world.discover('acme-none.example');
  const some = await world.item('new', 'acme-some.example');
  assert.deepEqual(some.risk_score_components, { proximity: 5, threat_profile: { phishing: 7 } });
  const near = await world.item('new', 'acme-near.example');
  assert.deepEqual(near.risk_score_components, { proximity: 5, threat_profile: {} });
  const none = await world.item('new', 'acme-none.example');
  assert.deepEqual(
    [none.risk_score, none.risk_score_status, none.risk_score_components],
    [null, null, { proximity: null, threat_profile: {} }],
  );
});

test('a domain has the reason why each monitor matched', async () => {
  const world = await fresh();
  const { id } = await world.monitor('acme');
  await world.discover('acme-login.example');
  const { match } = await world.item('new', 'acme-login.example');
  assert.deepEqual(match, [
    {
      monitor_id: id,
      class: 'affix',
      text: 'acme-login',
      host: 'acme-login.example',
      distance: 0,
      explanation:
        '"acme-login" in acme-login.example is the term with something before or behind it: "-login" put in.',
      steps: reason.steps,
    },
  ]);
});

test('DOM-17 DOM-24 a domain that two monitors matched is listed once with both, and without monitor_id all monitors are included', async () => {
  const world = await fresh();
  const one = (await world.monitor('acme')).id;
  const two = (await world.monitor('bolt')).id;
  await world.discover('acme-bolt.example', { monitors: [one] });
  await world.discover('acme-bolt.example', { monitors: [two] });
  await world.discover('bolt.example', { monitors: [two] });
  assert.deepEqual((await world.names('new')).sort(), ['acme-bolt.example', 'bolt.example']);
  assert.deepEqual((await world.item('new', 'acme-bolt.example')).monitor_ids, [one, two]);
});

test('DOM-18 assigned_by and assigned_date are in watched and ignored, and absent in new', async () => {
  const world = await threeLists(fresh);
  const [undecided] = (await world.list('new')).watchlist_domains;
  assert.ok(!('assigned_by' in undecided) && !('assigned_date' in undecided));
  for (const list of ['watched', 'ignored'] as const) {
    const [item] = (await world.list(list)).watchlist_domains;
    assert.equal(item.assigned_by, world.user.username);
    assert.equal(item.assigned_date, '2026-03-04T10:11:12.000000+00:00');
  }
});

test('DOM-19 DOM-20 DOM-21 DOM-22 DNS and registration data are present only when requested', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-data.example', {
    record: {
      name_server: [{ host: 'NS1.dns.example.' }, { host: 'ns2.dns.example' }],
      mx: [{ host: 'mx.mail.example', priority: 10 }],
      ip: [{ address: '192.0.2.7', country_code: 'NL', isp: 'Example Hosting' }, { address: '2001:db8::7' }],
      parsed_whois: {
        registrant_contact: { email: ['Owner@mail.example'] },
        registrar: 'Example Registrar',
        create_date: '2026-02-27',
      },
    },
  });
  await world.discover('acme-unknown.example');
  for (const query of ['', 'include_domain_data=false', 'include_domain_data=0']) {
    const item = await world.item('new', 'acme-data.example', query);
    assert.deepEqual(
      dataMembers.filter((name) => name in item),
      [],
    );
  }
  const shown = async (domain: string) => {
    const item = await world.item('new', domain, 'include_domain_data=true');
    return Object.fromEntries(dataMembers.map((name) => [name, item[name]]));
  };
  assert.deepEqual(await shown('acme-data.example'), {
    name_server: [{ host: 'ns1.dns.example' }, { host: 'ns2.dns.example' }],
    registrant_contact_email: ['owner@mail.example'],
    registrar: 'Example Registrar',
    create_date: 20_260_227,
    ip: [
      { country_code: 'nl', ip: '192.0.2.7', isp: 'Example Hosting' },
      { country_code: '', ip: '2001:db8::7', isp: '' },
    ],
    mx: [{ host: 'mx.mail.example' }],
  });
  assert.deepEqual(await shown('acme-unknown.example'), {
    name_server: [],
    registrant_contact_email: [],
    registrar: '',
    create_date: null,
    ip: [],
    mx: [],
  });
});

test('DOM-15 DOM-30 mx_exists is true with an MX record, and filters for both values', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-mail.example', { record: { mx: [{ host: 'mx.example' }] } });
  await world.discover('acme-mute.example', { record: { active: true } });
  assert.equal((await world.item('new', 'acme-mail.example')).mx_exists, true);
  assert.equal((await world.item('new', 'acme-mute.example')).mx_exists, false);
  for (const [yes, no] of [
    ['true', 'false'],
    ['1', '0'],
  ]) {
    assert.deepEqual(await world.names('new', `mx_exists=${yes}`), ['acme-mail.example']);
    assert.deepEqual(await world.names('new', `mx_exists=${no}`), ['acme-mute.example']);
  }
  assert.match(await refusal(world, 'mx_exists=maybe'), /mx_exists/);
});

test('DOM-23 DOM-25 monitor_id restricts to one monitor; one of another account is answered like an unknown one: 404', async () => {
  const world = await fresh();
  const otherUser = await world.server.user({ permissions: analyst });
  const one = (await world.monitor('acme')).id;
  const two = (await world.monitor('bolt')).id;
  const theirs = (await world.monitor('other', {}, otherUser)).id;
  await world.discover('acme.example', { monitors: [one] });
  await world.discover('bolt.example', { monitors: [two] });
  assert.deepEqual(await world.names('new', `monitor_id=${one}`), ['acme.example']);
  for (const list of lists) {
    const of = (id: string) => world.call(`GET /v1/intel-detect/domains/${list}/?monitor_id=${id}`);
    const [foreign, absent] = [await of(theirs), await of('AAAAAAAAAA')];
    assert.deepEqual([foreign.status, absent.status], [404, 404]);
    assert.equal(foreign.text, absent.text);
  }
});

test('DOM-26 DOM-36 escalation_types match any of the given types, escalated_since is inclusive', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const ids: string[] = [];
  for (const name of ['blocked', 'safe', 'both', 'none'])
    ids.push(await world.discover(`acme-${name}.example`));
  const [blocked, safe, both, none] = ids;
  await world.patch([none], 'watched');
  await world.escalate([blocked, both], 'blocked');
  world.server.clock.advanceSeconds(60);
  await world.escalate([safe, both], 'external_safe');
  const names = async (query: string) =>
    (await world.names('watched', query))
      .map((name) => name.slice(5, -8))
      .sort()
      .join(' ');
  assert.equal(await names('escalation_types[]=blocked'), 'blocked both');
  assert.equal(await names('escalation_types[]=external_safe'), 'both safe');
  assert.equal(
    await names('escalation_types[]=blocked&escalation_types[]=external_safe'),
    'blocked both safe',
  );
  assert.equal(await names('escalated_since=2026-03-04T10:11:12Z'), 'blocked both safe');
  assert.equal(await names('escalated_since=2026-03-04T10:11:12.001Z'), 'both safe');
  assert.equal(await names('escalated_since=2026-03-04T10:12:12Z'), 'both safe');
  assert.match(
    await refusal(world, 'escalation_types[]=blocked&escalation_types[]=burnt'),
    /escalation_types/,
  );
});

test('DOM-27 DOM-28 tlds match any of the given entries; an entry with a comma is not split', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (const name of ['acme-a.com', 'acme-b.net', 'acme-c.com.br', 'acme-d.xn--p1ai'])
    await world.discover(name);
  const names = async (query: string) => (await world.names('new', query)).sort().join(' ');
  assert.equal(await names('tlds[]=com'), 'acme-a.com');
  assert.equal(await names('tlds[]=com&tlds[]=net'), 'acme-a.com acme-b.net');
  assert.equal(await names('tlds=COM.br'), 'acme-c.com.br');
  assert.equal(await names(`tlds=${encodeURIComponent('рф')}`), 'acme-d.рф');
  assert.equal(await names('tlds[]=com,net'), '');
  assert.equal(await names('tlds[]=com,net&tlds[]=net'), 'acme-b.net');
});

test('DOM-27 INV-F20 a TLD includes the suffixes below it, as in Investigate', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (const name of ['acme-a.uk', 'acme-b.co.uk', 'acme-c.com']) await world.discover(name);
  const names = async (query: string) => (await world.names('new', query)).sort().join(' ');
  assert.equal(await names('tlds[]=uk'), 'acme-a.uk acme-b.co.uk');
  assert.equal(await names('tlds[]=.CO.UK'), 'acme-b.co.uk');
});

test('DOM-27 an empty TLD is refused and names the parameter', async () => {
  const world = await fresh();
  for (const query of ['tlds[]=', 'tlds=', 'tlds[]=com&tlds[]=%20', 'tlds=.'])
    assert.match(
      await refusal(world, query),
      /tlds: must be a top-level domain such as com or co\.uk/,
      query,
    );
});

test('DOM-29 risk_score_ranges include both bounds, several match any, unknown ones are refused', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (const score of [0, 1, 39, 40, 69, 70, 99, 100])
    await world.discover(`acme-${score}.example`, { facts: { riskScore: score } });
  await world.discover('acme-unknown.example');
  const scores = async (query: string) =>
    (await world.list('new', `${query}&sort=risk_score&order=asc`)).watchlist_domains
      .map(({ risk_score }: Json) => risk_score)
      .join(' ');
  assert.equal(await scores('risk_score_ranges[]=0-0'), '0');
  assert.equal(await scores('risk_score_ranges[]=1-39'), '1 39');
  assert.equal(await scores('risk_score_ranges[]=40-69'), '40 69');
  assert.equal(await scores('risk_score_ranges[]=70-99'), '70 99');
  assert.equal(await scores('risk_score_ranges[]=100-100'), '100');
  assert.equal(await scores('risk_score_ranges[]=0-0&risk_score_ranges[]=100-100'), '0 100');
  for (const range of ['0-100', '1', '', '39-1', '0-0,1-39'])
    assert.match(await refusal(world, `risk_score_ranges[]=${range}`), /risk_score_ranges/);
});

test('DOM-32 DOM-33 discovered_since is inclusive, discovered_before exclusive, and adjacent ranges do not overlap', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (const day of ['01', '02', '03'])
    await world.discover(`acme-${day}.example`, { at: `2026-03-${day}T00:00:00Z` });
  const names = async (query: string) =>
    (await world.names('new', query)).map((name) => name.slice(5, 7)).join(' ');
  assert.equal(await names('discovered_since=2026-03-02T00:00:00Z'), '03 02');
  assert.equal(await names('discovered_before=2026-03-02T00:00:00Z'), '01');
  assert.equal(
    await names('discovered_since=2026-03-01T00:00:00Z&discovered_before=2026-03-02T00:00:00Z'),
    '01',
  );
  assert.equal(
    await names('discovered_since=2026-03-02T00:00:00Z&discovered_before=2026-03-03T00:00:00Z'),
    '02',
  );
});

test('DOM-35 triage, escalation and a new score do not count as changes', async () => {
  const world = await threeLists(fresh);
  await world.escalate([world.ids.watched], 'blocked');
  await world.patch([world.ids.watched], 'ignored');
  await world.patch([world.ids.watched], 'watched');
  await world.applyChange('acme-watched.example', { riskScore: 50, riskStatus: 'full' });
  const item = await world.item('watched', 'acme-watched.example');
  assert.deepEqual([item.risk_score, item.changed_date], [50, null]);
  assert.deepEqual(await world.names('watched', 'changed_since=2000-01-01'), []);
});

test('DOM-37 DOM-38 search matches a substring of 1 to 255 characters of the name, case-insensitively, in Unicode or punycode', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-login.example');
  await world.discover('xn--acm-dma.example');
  const names = (text: string) => world.names('new', `search=${encodeURIComponent(text)}`);
  assert.deepEqual(await names('LOGIN'), ['acme-login.example']);
  assert.deepEqual(await names('-'), ['acmé.example', 'acme-login.example']);
  for (const part of ['acmé', 'ACMÉ', 'acme\u0301', 'xn--acm-dma', 'DMA.ex'])
    assert.deepEqual(await names(part), ['acmé.example'], part);
  assert.deepEqual(await names('%'), []);
  assert.deepEqual(await names('a'.repeat(255)), []);
  assert.match(await refusal(world, 'search='), /search/);
  assert.match(await refusal(world, `search=${'a'.repeat(256)}`), /search/);
});

test('DOM-39 DOM-40 DOM-41 lists are sorted by discovery, score or change, descending unless order is asc', async () => {
  const world = await fresh();
  await world.monitor('acme');
  const ids = [];
  for (const [name, riskScore] of [
    ['a', 50],
    ['b', 90],
    ['c', 10],
  ] as const) {
    ids.push(await world.discover(`acme-${name}.example`, { facts: { riskScore } }));
    world.server.clock.advanceSeconds(60);
  }
  const names = async (list: 'new' | 'watched', query: string) =>
    (await world.names(list, query)).map((name) => name[5]).join('');
  assert.equal(await names('new', ''), 'cba');
  assert.equal(await names('new', 'order=asc'), 'abc');
  assert.equal(await names('new', 'sort=discovered_date&order=desc'), 'cba');
  assert.equal(await names('new', 'sort[]=risk_score'), 'bac');
  assert.equal(await names('new', 'sort[]=risk_score&order=asc'), 'cab');
  await world.patch(ids, 'watched');
  await world.applyChange('acme-c.example', {}, '2026-03-01T00:00:00Z');
  await world.applyChange('acme-a.example', {}, '2026-03-02T00:00:00Z');
  assert.equal(await names('watched', 'sort=changed_date'), 'acb');
  assert.equal(await names('watched', 'sort=changed_date&order=asc'), 'cab');
  for (const wrong of ['sort=domain', 'sort[]=risk_score&sort[]=x', 'order=dsc', 'order=asc&order=desc'])
    assert.match(await refusal(world, wrong), /sort|order/);
});

test('DOM-42 different filters are combined with AND', async () => {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-a.com', { facts: { mxExists: true } });
  await world.discover('acme-b.com');
  await world.discover('acme-a.net', { facts: { mxExists: true } });
  assert.deepEqual(await world.names('new', 'tlds[]=com&mx_exists=1&search=acme'), ['acme-a.com']);
});

test('DOM-43 DOM-45 DOM-46 offset accepts 0 to 100000, limit 0 to 100, with data 0 to 50; anything else is refused and named', async () => {
  const world = await threeLists(fresh);
  for (const list of lists) {
    for (const query of [
      'offset=0',
      'offset=100000',
      'limit=0',
      'limit=100',
      'limit=50&include_domain_data=1',
    ])
      await world.list(list, query);
    assert.equal((await world.list(list)).offset, 0);
  }
  for (const value of ['-1', '100001', 'x', '1.5', '', '0x10', '1e3'])
    assert.match(await refusal(world, `offset=${value}`), /offset/);
  for (const value of ['-1', '101', 'x', '1.5', ''])
    assert.match(await refusal(world, `limit=${value}`), /limit/);
  assert.match(await refusal(world, 'limit=51&include_domain_data=true'), /limit/);
});

test('DOM-44 paging by offset returns every match once, whatever the filter, sort and page size', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (let number = 0; number < 23; number += 1) {
    await world.discover(`acme-${number}.${number % 2 ? 'com' : 'net'}`, {
      facts: { riskScore: number % 3 },
    });
    if (number % 4 === 0) world.server.clock.advanceSeconds(1);
  }
  const query = fc.record({
    sort: fc.constantFrom(
      '',
      'sort=risk_score&',
      'sort[]=risk_score&sort[]=discovered_date&',
      'sort=changed_date&',
    ),
    order: fc.constantFrom('', 'order=asc&'),
    filter: fc.constantFrom('', 'tlds[]=com&', 'search=1&'),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  const property = fc.asyncProperty(query, async ({ sort, order, filter, limit }) => {
    const parameters = `${sort}${order}${filter}`;
    const whole = await world.list('new', parameters);
    const paged: string[] = [];
    do {
      const page = await world.list('new', `${parameters}limit=${limit}&offset=${paged.length}`);
      assert.equal(page.total_count, whole.total_count);
      assert.equal(page.count, page.watchlist_domains.length);
      assert.ok(page.count > 0);
      paged.push(...page.watchlist_domains.map(({ domain }: Json) => domain));
    } while (paged.length < whole.total_count);
    assert.deepEqual(
      paged,
      whole.watchlist_domains.map(({ domain }: Json) => domain),
    );
  });
  await fc.assert(property, { numRuns: 25 });
});

test('DOM-44 domains discovered while a client pages do not shift entries between pages', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (let number = 0; number < 6; number += 1) {
    await world.discover(`acme-${number}.example`);
    world.server.clock.advanceSeconds(60);
  }
  const pages: string[] = [];
  for (const offset of [0, 2, 4]) {
    const { total_count, watchlist_domains } = await world.list(
      'new',
      `limit=2&discovered_since=-86400&offset=${offset}`,
    );
    assert.equal(total_count, 6);
    pages.push(...watchlist_domains.map(({ domain }: Json) => domain[5]));
    world.server.clock.advanceSeconds(60);
    await world.discover(`acme-late-${offset}.example`);
  }
  assert.deepEqual(pages, ['5', '4', '3', '2', '1', '0']);
  assert.equal((await world.list('new')).total_count, 9);
});

test('DOM-47 limit absent or 0 is the maximum, and the effective number is echoed', async () => {
  const world = await threeLists(fresh);
  for (const list of lists) {
    for (const query of ['', 'limit=0']) assert.equal((await world.list(list, query)).limit, 100);
    for (const query of ['include_domain_data=1', 'include_domain_data=1&limit=0'])
      assert.equal((await world.list(list, query)).limit, 50);
    assert.equal((await world.list(list, 'limit=7')).limit, 7);
  }
});

test('DOM-48 a preview has at most ten domains whatever limit is, and counts all', async () => {
  const world = await fresh();
  await world.monitor('acme');
  for (let number = 0; number < 12; number += 1) await world.discover(`acme-${number}.example`);
  for (const [query, count] of [
    ['preview=1', 10],
    ['preview=true&limit=100', 10],
    ['preview=1&limit=3', 3],
    ['preview=0&limit=11', 11],
  ] as const) {
    const json = await world.list('new', query);
    assert.deepEqual([json.count, json.total_count, json.limit], [count, 12, count]);
  }
});

test('DOM-49 all parameters are accepted on new, watched and ignored', async () => {
  const world = await threeLists(fresh);
  const query = [
    `monitor_id=${world.monitorId}`,
    'escalation_types[]=blocked&tlds[]=example&risk_score_ranges[]=0-0&mx_exists=0&domain_state=active',
    'discovered_since=-60&discovered_before=2030-01-01&changed_since=-60&changed_before=2030-01-01',
    'escalated_since=-60&search=acme&sort[]=risk_score&order=asc&include_domain_data=1&offset=0&limit=5',
    'preview=1&screenshots=1&app_name=x&data_updated_after=y&ignored_since=z',
  ].join('&');
  for (const list of lists) assert.equal((await world.list(list, query)).total_count, 0);
  for (const list of lists) assert.equal((await world.list(list, 'screenshots=1')).count, 1);
});

test('GEN-10 a list request with the JSON body {} is answered as if it had none', async () => {
  const world = await threeLists(fresh);
  const headers = { 'content-type': 'application/json' };
  const answer = await world.call('GET /v1/intel-detect/domains/watched/', { headers, body: '{}' });
  assert.deepEqual(answer.json, await world.list('watched'));
});

test('a listed domain shows the current record after it changes', async () => {
  const world = await threeLists(fresh);
  await storeRecords(world.server, [{ domain: 'acme-new.example', registrar: 'Later Registrar' }]);
  const item = await world.item('new', 'acme-new.example', 'include_domain_data=1');
  assert.equal(item.registrar, 'Later Registrar');
});
