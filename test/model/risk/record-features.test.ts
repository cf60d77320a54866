import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, recordFacts } from '../../../src/model/risk/record-features.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

function factsOf(evidence: Evidence, record: Parameters<typeof recordFacts>[0]): readonly string[] {
  return recordFacts(record, now)
    .filter((one) => one.evidence === evidence)
    .map(({ fact }) => fact);
}

test('a young registration is told by its age, its term and who keeps it', () => {
  const facts = factsOf('registrar', {
    domain: 'acme-login.example',
    registrar: 'Example Registrar, Inc.',
    create_date: '2026-03-08',
    expiration_date: '2027-03-08',
    registrar_status: ['clienthold'],
  });
  assert.deepEqual(facts, [
    'registrar example registrar, inc.',
    'age under 3 days',
    'term 1 years',
    'status clienthold',
  ]);
});

test('name servers and networks are told once each, by operator and by number', () => {
  const record = {
    domain: 'acme-login.example',
    name_server: [{ host: 'ns1.dns.test.com' }, { host: 'ns2.dns.test.com' }],
    ip: [
      { address: '192.0.2.1', asn: [64_500], country_code: 'nl' },
      { address: '192.0.2.2', asn: [64_500], country_code: 'nl' },
    ],
  };
  assert.deepEqual(factsOf('name server', record), ['operator test.com']);
  assert.deepEqual(factsOf('ip address', record), ['asn 64500', 'country nl', 'addresses 2']);
});

test('mail, certificate and web site are told', () => {
  const record = {
    domain: 'acme-login.example',
    mx: [{ host: 'mx.mail.com' }],
    spf_info: 'v=spf1 -all',
    ssl_info: [
      { hash: '0'.repeat(40), issuer_common_name: 'Old CA', not_before: '2024-01-01' },
      { hash: '1'.repeat(40), issuer_common_name: 'R3', not_before: '2026-03-09', alt_names: ['a', 'b'] },
    ],
    website_title: 'ACME — Log in to 2 accounts',
    website_response: 200,
    redirect_domain: 'acme.example',
    analytics_code: 'UA-1',
  };
  assert.deepEqual(factsOf('mail', record), ['exchange mail.com', 'spf yes']);
  assert.deepEqual(factsOf('certificate', record), ['issuer r3', 'age under 3 days', 'names 2']);
  assert.deepEqual(factsOf('web site', record), [
    'title acme',
    'title log',
    'title accounts',
    'response 200',
    'server unknown',
    'leads away yes',
    'tracker yes',
  ]);
});

test('what is unknown is told as such, and bounded whatever a record holds', () => {
  assert.ok(
    recordFacts({ domain: 'a.example' }, now).every(({ fact }) => /unknown$|addresses 0$/.test(fact)),
  );
  const names = Array.from({ length: 500 }, (_, at) => ({ host: `ns.${'x'.repeat(50)}${at}.com` }));
  const facts = recordFacts(
    { domain: 'a.example', name_server: names, website_title: 'word '.repeat(9000), create_date: 'never' },
    now,
  );
  assert.ok(facts.length < 60 && facts.every(({ fact }) => fact.length < 90));
});
