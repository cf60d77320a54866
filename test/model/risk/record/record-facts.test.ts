import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from '../../../../src/model/risk/record/record-fact.ts';
import { type Evidence, recordFacts } from '../../../../src/model/risk/record/record-facts.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
type Given = Parameters<typeof recordFacts>[0];

function factsOf(evidence: Evidence, record: Given): readonly string[] {
  return recordFacts(record, now)
    .filter((one) => one.evidence === evidence)
    .map(({ fact }) => fact);
}

test('a registration gives facts about age, term, hold status and registrar', () => {
  const facts = factsOf('registrar', {
    domain: 'acme-login.example',
    registrar: 'Example Registrar, Inc.',
    create_date: '2026-03-08',
    expiration_date: '2027-03-08',
    registrar_status: ['clienthold'],
  });
  assert.deepEqual(facts, [
    'registration age under 30 days',
    'registration term 1 years',
    'registration is held',
    'registrar example registrar',
    'registrar status clienthold',
  ]);
});

test('a registrar is recognized regardless of its legal form', () => {
  const names = ['NameSilo, LLC', 'NameSilo,LLC', 'namesilo llc.'];
  const facts = names.map((registrar) => factsOf('registrar', { domain: 'a.example', registrar }));
  assert.equal(new Set(facts.map(String)).size, 1);
});

test('name servers and networks give one fact per operator and per ASN', () => {
  const record = {
    domain: 'acme-login.example',
    name_server: [{ host: 'ns1.dns.test.com' }, { host: 'ns2.dns.test.com' }],
    ip: [
      { address: '192.0.2.1', asn: [64_500], country_code: 'nl' },
      { address: '192.0.2.2', asn: [64_500], country_code: 'nl' },
    ],
  };
  assert.deepEqual(factsOf('name server', record), [
    'name servers 2',
    "name servers are others'",
    'name server operator test.com',
  ]);
  assert.deepEqual(factsOf('ip address', record), ['addresses 2', 'asn 64500', 'address country nl']);
});

test('mail, certificate and web site give facts', () => {
  const record = {
    domain: 'acme-login.example',
    mx: [{ host: 'mx.mail.com' }],
    spf_info: 'v=spf1 -all',
    ssl_info: [
      { hash: '0'.repeat(40), issuer_common_name: 'Old CA', not_before: '2024-01-01' },
      {
        hash: '1'.repeat(40),
        issuer_common_name: 'R3',
        not_before: '2026-03-09',
        alt_names: ['acme-login.example', 'login.acme-login.example'],
      },
    ],
    website_title: 'ACME — Log in to 2 accounts',
    website_response: 200,
    redirect_domain: 'acme.example',
    analytics_code: 'UA-1',
  };
  assert.deepEqual(factsOf('mail', record), ['mail taken', 'SPF there', 'mail operator mail.com']);
  assert.deepEqual(factsOf('certificate', record), [
    'certificate age under 3 days',
    'certificate hosts log in',
    'certificate names under 3 names',
    'certificate issuer r3',
  ]);
  assert.deepEqual(factsOf('web site', record), [
    'web answer 2xx',
    'web site leads away',
    'tracker there',
    'title asks to log in',
    'title names the domain',
    'title word acme',
    'title word log',
    'title word accounts',
  ]);
});

test('a copied login page has a title that does not fit its domain; other titles need not fit', () => {
  const title = (domain: string, website_title: string) =>
    factsOf('web site', { domain, website_title }).find((fact) => fact.startsWith('title names'));
  assert.equal(title('acme-bank2.example', 'Acme Bank'), 'title names the domain');
  assert.equal(title('acrne-b4nk.example', 'Acme Bank: log in'), 'title names something else');
  assert.equal(title('oakfield-tools.example', 'Welcome'), undefined);
});

test('what third parties wrote is in the value of a reason, never in its words', () => {
  const mark = 'zzthirdparty';
  const record: Given = {
    domain: `${mark}.example`,
    registrar: `${mark} Registrar`,
    registrar_status: [mark],
    registrant_contact: { org: `${mark} Ltd`, country: mark, email: [`a@${mark}.example`] },
    name_server: [{ host: `ns1.${mark}.com` }],
    ip: [{ address: '192.0.2.1', asn: [64_500], country_code: mark }],
    mx: [{ host: `mx.${mark}.net` }],
    spf_info: mark,
    ssl_info: [{ hash: '0'.repeat(40), issuer_common_name: mark, alt_names: [`${mark}.example`] }],
    website_response: 200,
    website_title: `${mark} log in`,
    server_type: mark,
  };
  const reasons = recordFacts(record, now).map(reasonOf);
  assert.ok(reasons.filter(({ value }) => value?.includes(mark)).length >= 8);
  for (const { code, reason } of reasons) {
    assert.match(code, /^[a-z][a-z0-9-]*$/);
    assert.ok(!reason.includes(mark), reason);
  }
});

test('attributes that were not collected give no facts, and DNS alone gives few', () => {
  assert.deepEqual(recordFacts({ domain: 'a.example' }, now), []);
  const facts = recordFacts({ domain: 'a.example', soa_email: ['a@b.example'] }, now);
  assert.deepEqual(
    facts.map(({ fact }) => fact),
    ['addresses 0', 'mail not taken', 'SPF none'],
  );
});

test('the number of facts is bounded for any record', () => {
  const many = Array.from({ length: 5000 }, (_, at) => at);
  const names = many.map((at) => `host-${at}.example`);
  const record: Given = {
    domain: 'a.example',
    name_server: many.map((at) => ({ host: `ns.${'x'.repeat(50)}${at}.com` })),
    ip: many.map((at) => ({ address: `192.0.2.${at % 256}`, asn: [at], country_code: `c${at}` })),
    registrar_status: many.map((at) => `status${at}`),
    ssl_info: many.map((at) => ({ hash: String(at), alt_names: names })),
    website_title: 'word '.repeat(1_000_000),
    registrar: 'x '.repeat(500_000),
    create_date: 'never',
  };
  const facts = recordFacts(record, now);
  assert.ok(facts.length < 60 && facts.every(({ fact }) => fact.length < 100));
});
