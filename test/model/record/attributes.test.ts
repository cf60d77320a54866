import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attributes, valuesOf } from '../../../src/model/record/attributes.ts';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { shownRecord } from '../../../src/model/record/shown-record.ts';
import { tldOf } from '../../../src/model/record/tld.ts';
import { anyRecord } from './any-record.ts';

function lines(record: DomainRecord): string[] {
  return valuesOf(record).map(({ attribute, value }) => `${attribute}=${value}`);
}

test('the attribute of a value is the path of its member, without list indexes, and numbers are texts', () => {
  const hash = 'a'.repeat(40);
  const record: DomainRecord = {
    domain: 'a.example',
    analytics_v4_codes: ['G-1', 'G-2'],
    parsed_whois: { registrar: 'R', registrant_contact: { name: 'N', email: ['o@mail.example'] } },
    ip: [
      { address: '192.0.2.1', asn: [64500, 64501], country_code: 'nl' },
      { address: '192.0.2.2', asn: [64500], country_code: 'nl' },
    ],
    mx: [{ host: 'mx.mail.example', domain: 'mail.example', priority: 10 }],
    ssl_info: [{ hash, not_before: '2026-02-27', duration: 90, email: ['ca@mail.example'] }],
    first_seen: '2026-02-27T00:00:00.000Z',
    popularity_rank: 5,
    spf_info: 'v=spf1 -all',
    registrar_status: ['ok'],
  };
  assert.deepEqual(lines(record).sort(), [
    'analytics_v4_codes=G-1',
    'analytics_v4_codes=G-2',
    'email_domain=mail.example',
    'ip.address=192.0.2.1',
    'ip.address=192.0.2.2',
    'ip.asn=64500',
    'ip.asn=64501',
    'ip.country_code=nl',
    'mx.domain=mail.example',
    'mx.host=mx.mail.example',
    'parsed_whois.registrant_contact.email=o@mail.example',
    'parsed_whois.registrant_contact.name=N',
    'parsed_whois.registrar=R',
    'registrant_contact.email=o@mail.example',
    'registrant_contact.name=N',
    'registrant_name=N',
    'registrar=R',
    'ssl_email=ca@mail.example',
    'ssl_info.duration=90',
    'ssl_info.email=ca@mail.example',
    `ssl_info.hash=${hash}`,
    'ssl_info.not_before=20260227',
  ]);
});

test('the values of any record are distinct, not empty, and of known attributes', () => {
  fc.assert(
    fc.property(anyRecord, (value) => {
      const outcome = normaliseRecord(value);
      assert.ok('record' in outcome);
      const found = valuesOf(outcome.record);
      assert.equal(
        new Set(found.map(({ attribute, value: text }) => `${attribute} ${text}`)).size,
        found.length,
      );
      for (const { attribute, value: text } of found)
        assert.ok(text !== '' && attributes.includes(attribute));
    }),
  );
});

test('email_domain has the base domains of WHOIS, RDAP and SOA addresses, each once', () => {
  const record: DomainRecord = {
    domain: 'a.example',
    parsed_whois: {
      admin_contact: { email: ['a@mail.one.co.uk'] },
      additional_whois_email: ['b@two.com', 'no address'],
    },
    parsed_domain_rdap: { registrant_contact: { email: ['c@three.com'] }, email_domain: ['given.com'] },
    soa_email: ['hostmaster@dns.two.com'],
    email_domain: ['unseen.com'],
  };
  assert.deepEqual(shownRecord(record)['email_domain'], ['given.com', 'three.com', 'one.co.uk', 'two.com']);
  const { parsed_whois: _, parsed_domain_rdap: __, ...root } = record;
  assert.deepEqual(shownRecord(root)['email_domain'], ['unseen.com', 'two.com']);
});

test('tld is the public suffix', () => {
  const found = [
    'a.com',
    'www.a.co.uk',
    'a.github.io',
    'co.uk',
    'com',
    'a.example',
    'xn--bcher-kva.xn--p1ai',
  ].map(tldOf);
  assert.deepEqual(found, ['com', 'co.uk', 'io', 'co.uk', 'com', 'example', 'xn--p1ai']);
});
