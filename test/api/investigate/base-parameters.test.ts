/**
 * The base parameters. Each has a record that it must find and others that it must not: with the value in a similar
 * attribute, as part of a longer value, or in the history only.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const hash = (digit: string) => digit.repeat(40);
const certificate = (fields: object, digit = 'a') =>
  ({ ssl_info: [{ hash: hash(digit), ...fields }] }) as Fields;

interface Case {
  readonly value: string;
  readonly found: readonly Fields[];
  readonly others: readonly Fields[];
}

const tracker = (one: string, other: string, list = true): Case => {
  const value = `code-${one}-1`;
  const of = (name: string, text: string) =>
    (['ad_tracker_code', 'analytics_code'].includes(name) ? { [name]: text } : { [name]: [text] }) as Fields;
  const several = list ? [{ [one]: ['first', value] } as Fields] : [];
  return { value, found: [of(one, value), ...several], others: [of(other, value), of(one, `${value}2`)] };
};

const cases: Readonly<Record<string, Case>> = {
  ad_tracker_code: tracker('ad_tracker_code', 'analytics_code', false),
  analytics_cn_code: tracker('analytics_cn_codes', 'metrics_ru_codes'),
  analytics_code: tracker('analytics_code', 'analytics_v4_codes', false),
  analytics_v4_code: tracker('analytics_v4_codes', 'analytics_code'),
  tag_manager_code: tracker('tag_manager_codes', 'heatmap_codes'),
  heatmap_code: tracker('heatmap_codes', 'tag_manager_codes'),
  selfhosted_analytics_code: tracker('selfhosted_analytics_codes', 'analytics_cn_codes'),
  metrics_ru_code: tracker('metrics_ru_codes', 'selfhosted_analytics_codes'),
  counter_project_code: tracker('counter_project_codes', 'counter_security_codes'),
  counter_security_code: tracker('counter_security_codes', 'counter_project_codes'),
  social_code: tracker('social_codes', 'ad_tracker_code'),
  contact_name: {
    value: 'Jane Contact',
    found: [
      { parsed_whois: { technical_contact: { name: 'JANE Contact' } } },
      { parsed_domain_rdap: { registrant_contact: { name: 'Jane Contact' } } },
      {
        parsed_whois: { admin_contact: { name: 'Jane Contact' } },
        parsed_domain_rdap: { registrar: 'a', create_date: '2001-01-01' },
      },
      { registrant_contact: { name: 'jane contact' } },
    ],
    others: [
      { parsed_whois: { registrant_contact: { org: 'Jane Contact' } } },
      { parsed_whois: { registrant_contact: { name: 'Jane Contact Jr' } } },
    ],
  },
  contact_phone: {
    value: '+1 (555) 0100-2',
    found: [{ parsed_whois: { admin_contact: { phone: '155501002' } } }],
    others: [
      { parsed_whois: { admin_contact: { fax: '155501002' } } },
      { parsed_whois: { admin_contact: { phone: '1555010022' } } },
    ],
  },
  contact_street: {
    value: '1 Contact Street',
    found: [{ parsed_domain_rdap: { technical_contact: { street: '1 Contact Street' } } }],
    others: [{ parsed_domain_rdap: { technical_contact: { city: '1 Contact Street' } } }],
  },
  email: {
    value: 'Any@Mail.example',
    found: [
      { parsed_whois: { registrant_contact: { email: ['x@mail.example', 'any@mail.example'] } } },
      { parsed_domain_rdap: { technical_contact: { email: ['any@mail.example'] } } },
      { parsed_whois: { additional_whois_email: ['any@mail.example'] } },
      { soa_email: ['any@mail.example'] },
      certificate({ email: ['any@mail.example'] }, '1'),
    ],
    others: [{ soa_email: ['many@mail.example'] }, { website_title: 'any@mail.example' }],
  },
  email_dns_soa: {
    value: 'soa@mail.example',
    found: [{ soa_email: ['soa@mail.example'] }],
    others: [
      { parsed_whois: { registrant_contact: { email: ['soa@mail.example'] } } },
      certificate({ email: ['soa@mail.example'] }, '2'),
    ],
  },
  email_domain: {
    value: 'emaildomain.example',
    found: [
      { soa_email: ['a@ns.emaildomain.example'] },
      { parsed_whois: { admin_contact: { email: ['a@emaildomain.example'] } } },
    ],
    others: [
      { soa_email: ['emaildomain@x.example'] },
      { mx: [{ host: 'mx.emaildomain.example', domain: 'emaildomain.example' }] },
    ],
  },
  iana_id: {
    value: '1234567',
    found: [{ parsed_domain_rdap: { registrar_iana_id: '1234567' } }],
    others: [
      { parsed_domain_rdap: { registrar: '1234567' } },
      { parsed_domain_rdap: { registrar_iana_id: '123456' } },
    ],
  },
  ip: {
    value: '192.0.2.77',
    found: [
      { ip: [{ address: '192.0.2.77' }] },
      { ip: [{ address: '198.51.100.1' }, { address: '192.0.2.77' }] },
    ],
    others: [{ mx: [{ host: 'mx.ip.example', ip: ['192.0.2.77'] }] }, { ip: [{ address: '192.0.2.7' }] }],
  },
  asn: {
    value: 'AS64500',
    found: [{ ip: [{ address: '198.51.100.9', asn: [64_499, 64_500] }] }],
    others: [],
  },
  isp_name: {
    value: 'isp of isp_name',
    found: [{ ip: [{ address: '198.51.100.8', isp: 'ISP of isp_name' }] }],
    others: [{ registrant_org: 'ISP of isp_name' }],
  },
  mailserver_domain: {
    value: 'mxdomain.example',
    found: [{ mx: [{ host: 'a.b.mxdomain.example', domain: 'mxdomain.example' }] }],
    others: [
      { mx: [{ host: 'mxdomain.example.net', domain: 'example.net' }] },
      { name_server: [{ host: 'ns.mxdomain.example', domain: 'mxdomain.example' }] },
    ],
  },
  mailserver_host: {
    value: 'MX1.mxhost.example.',
    found: [{ mx: [{ host: 'mx1.mxhost.example', domain: 'mxhost.example' }] }],
    others: [
      { mx: [{ host: 'mx11.mxhost.example', domain: 'mxhost.example' }] },
      { name_server: [{ host: 'mx1.mxhost.example', domain: 'mxhost.example' }] },
    ],
  },
  mailserver_ip: {
    value: '203.0.113.21',
    found: [{ mx: [{ host: 'm.example', ip: ['203.0.113.20', '203.0.113.21'] }] }],
    others: [
      { ip: [{ address: '203.0.113.21' }] },
      { name_server: [{ host: 'n.example', ip: ['203.0.113.21'] }] },
    ],
  },
  nameserver_domain: {
    value: 'nsdomain.example',
    found: [{ name_server: [{ host: 'x.nsdomain.example', domain: 'nsdomain.example' }] }],
    others: [{ mx: [{ host: 'x.nsdomain.example', domain: 'nsdomain.example' }] }],
  },
  nameserver_host: {
    value: 'ns1.nshost.example',
    found: [{ name_server: [{ host: 'ns1.nshost.example' }] }],
    others: [{ mx: [{ host: 'ns1.nshost.example' }] }, { name_server: [{ host: 'a.ns1.nshost.example' }] }],
  },
  nameserver_ip: {
    value: '203.0.113.31',
    found: [{ name_server: [{ host: 'n.example', ip: ['203.0.113.31'] }] }],
    others: [{ mx: [{ host: 'n.example', ip: ['203.0.113.31'] }] }],
  },
  redirect_domain: {
    value: 'bücher.example',
    found: [{ redirect: 'https://www.xn--bcher-kva.example/', redirect_domain: 'xn--bcher-kva.example' }],
    others: [{ name_server: [{ host: 'ns.example', domain: 'xn--bcher-kva.example' }] }],
  },
  registrant: {
    value: 'ÄRMEL und',
    found: [{ parsed_whois: { registrant_name: 'Firma Ärmel und Söhne' } }],
    others: [
      { parsed_whois: { registrar: 'Ärmel und Söhne' } },
      { parsed_whois: { registrant_org: 'Ärmel und Söhne' } },
    ],
  },
  registrant_org: {
    value: 'acme-o',
    found: [{ parsed_whois: { registrant_org: 'The ACME-Org' } }],
    others: [
      { parsed_whois: { registrant_name: 'The ACME-Org' } },
      { parsed_whois: { registrant_org: 'The ACME Org' } },
    ],
  },
  registrar: {
    value: 'exact REGISTRAR',
    found: [{ parsed_domain_rdap: { registrar: 'Exact Registrar' } }],
    others: [
      { parsed_whois: { registrar: 'Exact Registrar Ltd' } },
      { parsed_whois: { registrar: 'Exact' } },
    ],
  },
  server_type: {
    value: 'nginx/odd',
    found: [{ server_type: 'Nginx/odd' }],
    others: [{ server_type: 'nginx/odd 2' }, { website_title: 'nginx/odd' }],
  },
  ssl_alt_names: {
    value: '*.ALT.example',
    found: [certificate({ alt_names: ['a.example', '*.alt.example'] }, '3')],
    others: [
      certificate({ common_name: '*.alt.example' }, '4'),
      certificate({ alt_names: ['x.alt.example'] }, '5'),
    ],
  },
  ssl_common_name: {
    value: 'cn.example',
    found: [certificate({ common_name: 'cn.example' }, '6')],
    others: [certificate({ alt_names: ['cn.example'], issuer_common_name: 'cn.example' }, '7')],
  },
  ssl_duration: {
    value: '4711',
    found: [certificate({ duration: 4711 }, '8')],
    others: [certificate({ duration: 47 }, '9')],
  },
  ssl_email: {
    value: 'ssl@mail.example',
    found: [certificate({ email: ['ssl@mail.example'] }, 'b')],
    others: [{ soa_email: ['ssl@mail.example'] }],
  },
  ssl_hash: {
    value: 'ABCDEF0123456789ABCDEF0123456789ABCDEF01',
    found: [{ ssl_info: [{ hash: 'abcdef0123456789abcdef0123456789abcdef01' }] }],
    others: [{ ssl_info: [{ hash: 'abcdef0123456789abcdef0123456789abcdef02' }] }],
  },
  ssl_issuer_common_name: {
    value: 'The Issuer',
    found: [certificate({ issuer_common_name: 'The Issuer' }, 'c')],
    others: [certificate({ common_name: 'The Issuer' }, 'd')],
  },
  ssl_org: {
    value: 'cert org',
    found: [certificate({ organization: 'Cert Org' }, 'e')],
    others: [
      certificate({ organization: 'Cert Org GmbH' }, 'f'),
      { parsed_whois: { registrant_org: 'Cert Org' } },
    ],
  },
  ssl_subject: {
    value: "CN=x.example, O=O'Brien",
    found: [certificate({ subject: "CN=x.example, O=O'Brien" }, '0')],
    others: [{ ssl_info: [{ hash: `${hash('0').slice(1)}1`, common_name: "CN=x.example, O=O'Brien" }] }],
  },
  website_title: {
    value: 'Anmeldung — Büro',
    found: [{ website_title: 'ANMELDUNG — BÜRO' }],
    others: [{ website_title: 'Anmeldung — Büro 2' }, { server_type: 'Anmeldung — Büro' }],
  },
  whois: {
    value: 'unusual latest phrase',
    found: [{ parsed_whois: { record: 'Remarks: an Unusual  latest\nphrase here' } }],
    others: [
      { parsed_whois: { record: 'phrase unusual but latest' } },
      { website_title: 'unusual latest phrase' },
    ],
  },
};

const labelOf = (parameter: string) => parameter.replaceAll('_', '-');

const shared = await investigateFixture({ after });
const records: Record<string, Fields> = {};
for (const [parameter, { found, others }] of Object.entries(cases)) {
  for (const [index, fields] of found.entries()) records[`${labelOf(parameter)}-${index}.example`] = fields;
  for (const [index, fields] of others.entries())
    records[`other-${labelOf(parameter)}-${index}.example`] = fields;
}
await shared.store(records);

const finds = async (parameter: string) => {
  const { value, found } = cases[parameter] as Case;
  const expected = found.map((_, index) => `${labelOf(parameter)}-${index}.example`);
  assert.deepEqual(await shared.names({ [parameter]: value, sort_by: 'domain' }), expected);
};

test('INV-P01 ad_tracker_code finds sites with this code', () => finds('ad_tracker_code'));
test('INV-P02 analytics_cn_code finds sites with this code', () => finds('analytics_cn_code'));
test('INV-P03 analytics_code finds sites with this code', () => finds('analytics_code'));
test('INV-P04 analytics_v4_code finds sites with this code', () => finds('analytics_v4_code'));
test('INV-P05 tag_manager_code finds sites with this code', () => finds('tag_manager_code'));
test('INV-P06 heatmap_code finds sites with this code', () => finds('heatmap_code'));
test('INV-P07 selfhosted_analytics_code finds its sites', () => finds('selfhosted_analytics_code'));
test('INV-P08 metrics_ru_code finds sites with this code', () => finds('metrics_ru_code'));
test('INV-P09 counter_project_code finds sites with this code', () => finds('counter_project_code'));
test('INV-P10 counter_security_code finds sites with this code', () => finds('counter_security_code'));
test('INV-P11 contact_name finds every contact of WHOIS and RDAP', () => finds('contact_name'));
test('INV-P12 contact_phone is compared by its digits', () => finds('contact_phone'));
test('INV-P13 contact_street finds contacts with this street', () => finds('contact_street'));
test('INV-P15 email searches WHOIS, SOA and certificates', () => finds('email'));
test('INV-P16 email_dns_soa searches SOA only', () => finds('email_dns_soa'));
test('INV-P17 email_domain finds addresses in this base domain', () => finds('email_domain'));
test('INV-P18 social_code finds sites with this code', () => finds('social_code'));
test('INV-P22 iana_id finds the registrar id in RDAP', () => finds('iana_id'));
test('INV-P23 ip finds domains that point to this address', () => finds('ip'));
test('INV-P24 mailserver_domain finds mail servers under it', () => finds('mailserver_domain'));
test('INV-P25 mailserver_host finds this mail server', () => finds('mailserver_host'));
test('INV-P26 mailserver_ip finds mail servers at this address', () => finds('mailserver_ip'));
test('INV-P27 nameserver_domain finds name servers under it', () => finds('nameserver_domain'));
test('INV-P28 nameserver_host finds this name server', () => finds('nameserver_host'));
test('INV-P29 nameserver_ip finds name servers at this address', () => finds('nameserver_ip'));
test('INV-P30 redirect_domain finds what redirects there, also by its Unicode form', () =>
  finds('redirect_domain'));
test('INV-P31 registrant finds a part of the name', () => finds('registrant'));
test('INV-P32 registrant_org finds a part of the organization', () => finds('registrant_org'));
test('INV-P33 registrar finds the whole name only', () => finds('registrar'));
test('INV-P36 server_type finds the whole type', () => finds('server_type'));
test('INV-P37 ssl_alt_names finds an alternative name', () => finds('ssl_alt_names'));
test('INV-P38 ssl_common_name finds the common name', () => finds('ssl_common_name'));
test('INV-P39 ssl_duration finds the number of days', () => finds('ssl_duration'));
test('INV-P40 ssl_email finds addresses in certificates only', () => finds('ssl_email'));
test('INV-P41 ssl_hash finds the certificate, case-insensitively', () => finds('ssl_hash'));
test('INV-P42 ssl_issuer_common_name finds the issuer', () => finds('ssl_issuer_common_name'));
test('INV-P43 ssl_org finds the whole organization only', () => finds('ssl_org'));
test('INV-P44 ssl_subject finds the subject', () => finds('ssl_subject'));
test('INV-P47 website_title finds the whole title', () => finds('website_title'));
test('INV-P48 whois finds consecutive words', () => finds('whois'));
test('asn finds addresses of this autonomous system', () => finds('asn'));
test('isp_name finds addresses of this provider', () => finds('isp_name'));

test('INV-P49 a tracking code of another service does not match', async () => {
  for (const [parameter, { value, found }] of Object.entries(cases).filter(([name]) =>
    name.endsWith('_code'),
  ))
    assert.equal((await shared.names({ [parameter]: value })).length, found.length, parameter);
});

test('INV-P50 text matches case-insensitively and as a whole value', async () => {
  for (const parameter of [
    'website_title',
    'registrar',
    'ssl_org',
    'server_type',
    'contact_name',
    'heatmap_code',
  ]) {
    const { value, found } = cases[parameter] as Case;
    for (const written of [value.toUpperCase(), value.toLowerCase(), ` ${value} `])
      assert.equal((await shared.names({ [parameter]: written })).length, found.length, written);
    assert.deepEqual(await shared.names({ [parameter]: value.slice(0, -1) }), [], parameter);
  }
});

test('every field of the query language finds what its parameter finds', async () => {
  for (const [parameter, { value }] of Object.entries(cases)) {
    if (parameter === 'registrant' || parameter === 'registrant_org') continue;
    const query = `${parameter.toUpperCase()} EQUALS ${JSON.stringify(value)}`;
    assert.deepEqual(
      await shared.namesOfQuery(query, 'sort_by=domain'),
      await shared.names({ [parameter]: value, sort_by: 'domain' }),
      parameter,
    );
  }
});

test('INV-P14 domain finds the domain itself, not its subdomains or similar names', async (t) => {
  const world = await investigateFixture(t);
  await world.store({
    'acme.example': {},
    'sub.acme.example': {},
    'xacme.example': {},
    'acme.example.net': {},
  });
  assert.deepEqual(await world.names('domain=ACME.example.'), ['acme.example']);
});

test('INV-P19 INV-P20 INV-P21 history is searched even where the latest record differs', async (t) => {
  const world = await investigateFixture(t);
  const before = (word: string): Fields => ({
    parsed_whois: {
      registrant_name: `Owner ${word}`,
      registrant_contact: { name: `Owner ${word}`, email: [`${word}@mail.example`] },
      record: `Registrant: somebody called ${word} of old`,
    },
  });
  await world.store({
    'was.example': before('former'),
    'is.example': before('former'),
    'not.example': before('never'),
  });
  world.server.clock.advanceSeconds(60);
  await world.store({ 'was.example': before('present') });

  const both = ['is.example', 'was.example'];
  assert.deepEqual(await world.names('historical_email=Former@mail.example&sort_by=domain'), both);
  assert.deepEqual(await world.names('historical_free_text=called+FORMER+of&sort_by=domain'), both);
  assert.deepEqual(await world.names('historical_registrant=owner+former&sort_by=domain'), both);
  assert.deepEqual(await world.names('historical_email=present@mail.example'), ['was.example']);
});

test('INV-P23 INV-P48 parameters of the current record do not find historical values', async (t) => {
  const world = await investigateFixture(t);
  await world.store({
    'a.example': { ip: [{ address: '192.0.2.1' }], parsed_whois: { record: 'word yesterday' } },
  });
  world.server.clock.advanceSeconds(60);
  await world.store({
    'a.example': { ip: [{ address: '192.0.2.2' }], parsed_whois: { record: 'word today' } },
  });
  assert.deepEqual(await world.names('ip=192.0.2.1'), []);
  assert.deepEqual(await world.names('ip=192.0.2.2'), ['a.example']);
  assert.deepEqual(await world.names('whois=yesterday'), []);
  assert.deepEqual(await world.names('whois=today'), ['a.example']);
});

test('INV-P45 INV-P46 INV-P57 tags match all or any, case-insensitively, within the account', async (t) => {
  const world = await investigateFixture(t);
  const otherUser = await world.server.user();
  await world.store({ 'both.example': {}, 'one.example': {}, 'none.example': {} });
  await world.tag(world.user, 'both.example', ['Phishing', 'Acme Inc']);
  await world.tag(world.user, 'one.example', ['phishing']);
  await world.tag(otherUser, 'none.example', ['phishing', 'acme inc']);
  const names = (query: string) => world.names(`${query}&sort_by=domain`);
  assert.deepEqual(await names('tagged_with_all=PHISHING,acme+inc'), ['both.example']);
  assert.deepEqual(await names('tagged_with_any=acme+inc,+phishing'), ['both.example', 'one.example']);
  assert.deepEqual(await world.names('tagged_with_any=phishing', otherUser), ['none.example']);
  assert.match(await world.errorMessage({ tagged_with_any: 'a'.repeat(513) }), /tagged_with_any: .*512/);
  assert.deepEqual(await names(`tagged_with_any=${'a'.repeat(512)}`), []);
  assert.match(await world.errorMessage('tagged_with_all=,,'), /tagged_with_all: /);
});
