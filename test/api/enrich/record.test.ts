import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { fullRecord, shownBy, storeRecords, trackingCodes } from './stored-records.ts';

const punycode = 'xn--bcher-kva.example';
const empty = { value: '', count: 0 };
const alone = (value: unknown) => ({ value, count: 0 });

/** The full record and an empty one, as Investigate shows them. */
async function started() {
  const settings = { 'http.publicUrl': 'https://names.example', 'http.mountPrefix': '/ng' };
  const server = await testServer({ after }, { settings });
  await storeRecords(server, [fullRecord, { domain: 'empty.example' }]);
  const user = await server.user();
  const shown = (domain: string, more = '') =>
    shownBy(server, { product: 'intel-investigate', key: user.key, domain, more });
  return { server, user, shown, full: await shown(punycode), bare: await shown('empty.example') };
}

/** One server for all tests; each stores and reads its own domains. */
const world = started();

test('REC-01 a wrapped attribute is an object with value and integer count', async () => {
  const { full } = await world;
  assert.deepEqual(full.registrant_name, { value: 'Jane Owner', count: 0 });
  assert.deepEqual(Object.keys(full.registrant_name), ['value', 'count']);
});

test('REC-02 count is the number of other domains with the value: three that share it show 2', async () => {
  const { server, shown } = await world;
  const shared = { registrar: 'Shared Registrar', ip: [{ address: '198.51.100.1', asn: [64511] }] };
  await storeRecords(
    server,
    ['one', 'two', 'three'].map((label) => ({ domain: `${label}.example`, ...shared })),
  );
  for (const label of ['one', 'two', 'three']) {
    const record = await shown(`${label}.example`);
    assert.deepEqual(record.registrar, { value: 'Shared Registrar', count: 2 });
    assert.deepEqual(record.ip[0].address, { value: '198.51.100.1', count: 2 });
    assert.deepEqual(record.ip[0].asn, [{ value: 64511, count: 2 }]);
  }
  await storeRecords(server, [{ domain: 'three.example', registrar: 'Another' }]);
  assert.equal((await shown('one.example')).registrar.count, 1);
});

test('REC-02 counts of parsed records count parsed records, those of the root count the root', async () => {
  const { server, shown } = await world;
  await storeRecords(server, [
    { domain: 'root.example', registrar: 'Shared' },
    { domain: 'whois.example', parsed_whois: { registrar: 'Shared' } },
    { domain: 'other.example', parsed_whois: { registrar: 'Shared' } },
  ]);
  const record = await shown('whois.example', '&parsed_whois=true');
  assert.deepEqual([record.registrar.count, record.parsed_whois.registrar.count], [2, 1]);
});

test('REC-03 an empty element has count 0, and an empty string is an empty value', async () => {
  const { bare } = await world;
  assert.deepEqual([bare.redirect, bare.registrant_contact.name, bare.create_date], [empty, empty, empty]);
  assert.deepEqual([bare.ip, bare.soa_email, bare.registrant_contact.email], [[], [], []]);
});

test('REC-04 domain is a plain string, in Unicode for an internationalized name', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.domain, bare.domain], ['bücher.example', 'empty.example']);
});

test('REC-04 a label that looks like punycode but is invalid is shown unchanged', async () => {
  const { server, shown } = await world;
  await storeRecords(server, [{ domain: 'xn--999999999.example' }]);
  assert.equal((await shown('xn--999999999.example')).domain, 'xn--999999999.example');
});

test('REC-05 whois_url is a plain string that ends with the punycode name', async () => {
  const { full } = await world;
  assert.equal(full.whois_url, `https://names.example/ng/whois/${punycode}`);
});

test('REC-06 popularity_rank is a plain integer, or an empty string when unknown; alexa repeats it', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.popularity_rank, full.alexa], [4711, 4711]);
  assert.deepEqual([bare.popularity_rank, bare.alexa], ['', '']);
});

test('REC-07 active is a plain boolean', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.active, bare.active], [true, false]);
});

test('REC-08 REC-09 create_date and expiration_date are wrapped dates', async () => {
  const { full } = await world;
  assert.deepEqual([full.create_date, full.expiration_date], [alone('2026-02-27'), alone('2027-02-27')]);
});

test('REC-10 first_seen is wrapped, ISO 8601 ending in Z, and its count is 0 however many share it', async () => {
  const { server, shown } = await world;
  await storeRecords(server, [{ domain: 'same.example', first_seen: '2026-02-27T23:10:00Z' }]);
  assert.deepEqual((await shown(punycode)).first_seen, { value: '2026-02-27T23:10:00Z', count: 0 });
});

test('REC-10 first_seen is in whole seconds, because connectors fail on a fraction', async () => {
  const { server, shown } = await world;
  await storeRecords(server, [{ domain: 'fraction.example', first_seen: '2026-02-27T23:10:00.567Z' }]);
  assert.equal((await shown('fraction.example')).first_seen.value, '2026-02-27T23:10:00Z');
});

test('REC-11 REC-12 ip has address, country_code and isp wrapped and asn as wrapped integers; countries are lower case', async () => {
  const { full } = await world;
  assert.deepEqual(full.ip, [
    {
      address: alone('192.0.2.10'),
      asn: [alone(64500)],
      country_code: alone('nl'),
      isp: alone('Example Hosting'),
    },
  ]);
});

const parsedMembers = [
  'technical_contact',
  'registrant_contact',
  'admin_contact',
  'additional_whois_email',
  'registrar',
  'create_date',
  'expiration_date',
  'registrant_name',
];

test('REC-13 parsed_whois has its ten members, wrapped', async () => {
  const { shown } = await world;
  const { parsed_whois: parsed } = await shown(punycode, '&parsed_whois=true');
  assert.deepEqual(Object.keys(parsed), [...parsedMembers, 'registrant_org', 'registrar_status']);
  assert.deepEqual(parsed.registrar, alone('Example Registrar'));
  assert.deepEqual(parsed.registrant_org, alone('Owner Ltd'));
  assert.deepEqual(parsed.registrant_contact.country, alone('is'));
  assert.deepEqual(parsed.registrar_status, [alone('clienttransferprohibited')]);
  assert.deepEqual(parsed.additional_whois_email, [alone('abuse@registrar.example')]);
});

test('REC-14 parsed_domain_rdap has no registrant_org, but has registrar_iana_id and email_domain', async () => {
  const { shown } = await world;
  const { parsed_domain_rdap: parsed } = await shown(punycode, '&parsed_domain_rdap=true');
  const members = [...parsedMembers, 'registrar_status', 'registrar_iana_id', 'email_domain'];
  assert.deepEqual(Object.keys(parsed), members);
  assert.deepEqual([parsed.registrar, parsed.registrar_iana_id], [alone('RDAP Registrar'), alone('9999')]);
  assert.deepEqual(parsed.email_domain, [alone('rdap.example')]);
  assert.deepEqual([parsed.create_date, parsed.admin_contact.name], [empty, empty]);
});

test('REC-15 root fields are those of the more complete parsed record', async () => {
  const { server, shown, full } = await world;
  assert.equal(full.registrar.value, 'Example Registrar');
  const rdap = { registrar: 'R', create_date: '2026-01-01' };
  await storeRecords(server, [
    { domain: 'r.example', parsed_whois: { registrar: 'W' }, parsed_domain_rdap: rdap },
  ]);
  assert.equal((await shown('r.example')).registrar.value, 'R');
});

test('REC-17 each contact has its nine wrapped members and an array of addresses, always', async () => {
  const { full, bare } = await world;
  const contacts = ['admin_contact', 'billing_contact', 'registrant_contact', 'technical_contact'];
  const members = ['name', 'org', 'street', 'city', 'state', 'postal', 'country', 'phone', 'fax', 'email'];
  for (const contact of contacts) {
    assert.deepEqual(Object.keys(full[contact]), members);
    const nothing = Object.fromEntries(members.map((name) => [name, name === 'email' ? [] : empty]));
    assert.deepEqual(bare[contact], nothing);
  }
  assert.deepEqual(full.registrant_contact, {
    name: alone('Jane Owner'),
    org: alone('Owner Ltd'),
    street: alone('First Floor'),
    city: alone('Reykjavik'),
    state: alone('RVK'),
    postal: alone('101'),
    country: alone('is'),
    phone: alone('3545550123'),
    fax: alone('3545550124'),
    email: [alone('owner@mail.example')],
  });
  assert.deepEqual(full.billing_contact.name, alone('Billing'));
});

test('REC-18 ad_tracker_code and analytics_code are wrapped strings', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.ad_tracker_code, full.analytics_code], [alone('pub-1'), alone('ua-1')]);
  assert.deepEqual([bare.ad_tracker_code, bare.analytics_code], [empty, empty]);
});

test('REC-19 the other tracking codes are arrays of wrapped strings', async () => {
  const { full, bare } = await world;
  for (const [name, values] of Object.entries(trackingCodes)) {
    assert.deepEqual(full[name], values.map(alone), name);
    assert.deepEqual(bare[name], [], name);
  }
});

test('REC-20 email_domain, soa_email, ssl_email and additional_whois_email are arrays of wrapped strings', async () => {
  const { full } = await world;
  const domains = ['rdap.example', 'mail.example', 'registrar.example', 'dns.example'];
  assert.deepEqual(full.email_domain, domains.map(alone));
  assert.deepEqual(full.soa_email, [alone('hostmaster@dns.example')]);
  assert.deepEqual(full.ssl_email, [alone('ca@mail.example')]);
  assert.deepEqual(full.additional_whois_email, [alone('abuse@registrar.example')]);
});

test('REC-21 REC-22 mail and name servers have host and domain wrapped and ip as wrapped addresses; priority is a plain integer', async () => {
  const { full } = await world;
  const mail = { host: alone('mx.mail.example'), domain: alone('mail.example'), ip: [alone('192.0.2.20')] };
  assert.deepEqual(full.mx, [{ ...mail, priority: 10 }]);
  const name = { host: alone('ns1.dns.example'), domain: alone('dns.example'), ip: [alone('192.0.2.53')] };
  assert.deepEqual(full.name_server, [name]);
});

test('REC-23 redirect, redirect_domain, registrant_name and registrant_org are wrapped', async () => {
  const { full } = await world;
  assert.deepEqual(
    [full.redirect, full.redirect_domain, full.registrant_name, full.registrant_org],
    ['https://www.target.example/', 'target.example', 'Jane Owner', 'Owner Ltd'].map(alone),
  );
});

test('REC-24 registrar, website_title and server_type are wrapped, or a plain empty string when unknown', async () => {
  const { full, bare } = await world;
  assert.deepEqual(
    [full.registrar, full.website_title, full.server_type],
    ['Example Registrar', 'Sign in', 'nginx'].map(alone),
  );
  assert.deepEqual([bare.registrar, bare.website_title, bare.server_type], ['', '', '']);
});

test('REC-25 registrar_status is an array of plain lower-case strings without spaces', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.registrar_status, bare.registrar_status], [['clienttransferprohibited'], []]);
});

test('REC-26 spf_info and tld are plain strings and website_response a plain integer', async () => {
  const { full, bare } = await world;
  assert.deepEqual([full.spf_info, full.tld, full.website_response], ['v=spf1 -all', 'example', 200]);
  assert.deepEqual([bare.spf_info, bare.tld, bare.website_response], ['', 'example', 0]);
});

test('REC-27 ssl_info has wrapped strings, dates as wrapped eight-digit integers, duration in days and sources in milliseconds', async () => {
  const { full } = await world;
  assert.deepEqual(full.ssl_info, [
    {
      hash: alone('ab'.repeat(20)),
      subject: alone('CN=bücher.example'),
      organization: alone('Owner Ltd'),
      email: [alone('ca@mail.example')],
      alt_names: [alone(punycode)],
      sources: { active: 1_772_300_000_000 },
      common_name: alone(punycode),
      issuer_common_name: alone('Example CA'),
      not_after: alone(20_260_528),
      not_before: alone(20_260_227),
      duration: alone(90),
    },
  ]);
});

test('REC-28 data_updated_timestamp has six decimals and no zone', async () => {
  const { full, bare, server } = await world;
  assert.match(full.data_updated_timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
  assert.equal(bare.data_updated_timestamp, `${new Date(server.clock.now()).toISOString().slice(0, -1)}000`);
});

test('REC-29 tags have label, scope and tagged_at', async () => {
  const { server, user, shown, bare } = await world;
  assert.deepEqual(bare.tags, []);
  const { id: userId, username } = user.caller.user;
  const by = { accountId: user.caller.account.id, userId, username, atMs: server.clock.now() };
  await server.domains.changeTags([punycode], { add: ['Phishing'], remove: [] }, { ...by, scope: 'team' });
  assert.deepEqual((await shown(punycode)).tags, [
    { label: 'Phishing', scope: 'team', tagged_at: new Date(by.atMs).toISOString() },
  ]);
});

test('REC-30 domain_risk has a plain integer risk_score and an array of components; an unscored domain has none', async () => {
  const { full, bare } = await world;
  assert.deepEqual(full.domain_risk, fullRecord.domain_risk);
  assert.equal('domain_risk' in bare, false);
});

const order = [
  'domain whois_url ad_tracker_code alexa popularity_rank active analytics_code',
  ...Object.keys(trackingCodes),
  'admin_contact billing_contact registrant_contact technical_contact',
  'create_date expiration_date email_domain soa_email ssl_email additional_whois_email',
  'ip mx name_server domain_risk redirect redirect_domain registrant_name registrant_org',
  'registrar registrar_status spf_info ssl_info tld website_response',
  'data_updated_timestamp website_title server_type first_seen tags',
].flatMap((names) => names.split(' '));

test('REC-32 the members of a record are in the documented order, with the parsed records last', async () => {
  const { full, bare, shown } = await world;
  assert.deepEqual(Object.keys(full), order);
  assert.deepEqual(
    Object.keys(bare),
    order.filter((name) => name !== 'domain_risk'),
  );
  const all = await shown(punycode, '&parsed_whois=true&parsed_domain_rdap=true');
  assert.deepEqual(Object.keys(all), [...order, 'parsed_whois', 'parsed_domain_rdap']);
});
