/** Arbitrary valid records, including very large and unusual ones. */
import * as fc from 'fast-check';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';

const odd = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '@',
    'a@',
    '@b',
    '0.0.0.0',
    '2026-02-31',
    '9'.repeat(400),
    '\u0000',
    '\ud800',
    '__proto__',
  ),
);
const odds = fc.array(odd, { maxLength: 50 });
const contact = fc.record({ name: odd, org: odd, email: odds, country: odd }, { requiredKeys: [] });
const registration = {
  registrant_contact: contact,
  admin_contact: contact,
  technical_contact: contact,
  registrar: odd,
  registrant_name: odd,
  registrar_status: odds,
  create_date: odd,
  expiration_date: odd,
};

export const hostileRecord: fc.Arbitrary<DomainRecord> = fc.record(
  {
    domain: odd,
    first_seen: odd,
    popularity_rank: fc.integer(),
    ...registration,
    registrant_org: odd,
    parsed_whois: fc.record({ ...registration, fetched: odd }, { requiredKeys: [] }),
    parsed_domain_rdap: fc.record({ ...registration, fetched: odd }, { requiredKeys: [] }),
    soa_email: odds,
    analytics_code: odd,
    social_codes: odds,
    ip: fc.array(fc.record({ address: odd, asn: fc.array(fc.nat()), country_code: odd }), { maxLength: 50 }),
    name_server: fc.array(fc.record({ host: odd, domain: odd }, { requiredKeys: ['host'] }), {
      maxLength: 60,
    }),
    mx: fc.array(fc.record({ host: odd }), { maxLength: 9 }),
    ssl_info: fc.array(
      fc.record({ hash: odd, not_before: odd, alt_names: odds }, { requiredKeys: ['hash'] }),
      {
        maxLength: 9,
      },
    ),
    redirect_domain: odd,
    website_response: fc.integer(),
    website_title: odd,
    server_type: odd,
  },
  { requiredKeys: ['domain'] },
);
