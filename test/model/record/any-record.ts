/** Arbitrary input records: any letter case, spaces, nulls, duplicates, members in any order. */
import * as fc from 'fast-check';

const host = fc.oneof(
  fc.domain(),
  fc.domain().map((name) => `${name.toUpperCase()}.`),
  fc.constantFrom(
    'bücher.example',
    'Σίσυφος.example',
    'xn--bcher-kva.example',
    '_x.example.co.uk',
    'straße.example',
  ),
);
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', ' a \n b '),
);
const texts = fc.array(fc.oneof(text, fc.constant(null)), { maxLength: 4 });
const email = fc.oneof(fc.emailAddress(), text);
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 10)));
const hash = fc.stringMatching(/^[0-9a-fA-F]{40}$/);
const score = fc.integer({ min: 0, max: 100 });
const some = (model: Record<string, fc.Arbitrary<unknown>>) => fc.record(model, { requiredKeys: [] });

const contact = some({
  email: fc.array(email, { maxLength: 3 }),
  name: text,
  org: text,
  street: text,
  country: text,
  phone: text,
  fax: text,
});
const registration = {
  registrar: text,
  registrar_status: texts,
  create_date: day,
  expiration_date: day,
  registrant_name: text,
  additional_whois_email: fc.array(email, { maxLength: 3 }),
  registrant_contact: contact,
  admin_contact: contact,
  technical_contact: contact,
};
const server = { host, ip: fc.array(address, { maxLength: 3 }), priority: fc.nat() };

export const anyRecord = fc.record(
  {
    server_type: text,
    website_title: text,
    redirect: fc.oneof(fc.webUrl(), text),
    ssl_info: fc.array(
      fc.record(
        {
          duration: fc.nat(5000),
          not_after: day,
          not_before: day,
          alt_names: texts,
          email: fc.array(email, { maxLength: 2 }),
          common_name: text,
          hash,
        },
        { requiredKeys: ['hash'] },
      ),
      { maxLength: 3 },
    ),
    mx: fc.array(fc.record(server, { requiredKeys: ['host'] }), { maxLength: 3 }),
    name_server: fc.array(fc.record({ ip: server.ip, host }, { requiredKeys: ['host'] }), { maxLength: 3 }),
    ip: fc.array(
      fc.record(
        {
          isp: text,
          asn: fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 3 }),
          country_code: text,
          address,
        },
        { requiredKeys: ['address'] },
      ),
      { maxLength: 3 },
    ),
    parsed_domain_rdap: some({
      ...registration,
      registrar_iana_id: text,
      email_domain: fc.array(host, { maxLength: 2 }),
      fetched: day,
    }),
    parsed_whois: some({ ...registration, registrant_org: text, record: text, fetched: day }),
    ...registration,
    registrant_org: text,
    social_codes: texts,
    ad_tracker_code: text,
    soa_email: fc.array(email, { maxLength: 3 }),
    domain_risk: fc.record({
      risk_score: score,
      components: fc.array(
        fc.record({ risk_score: score, name: fc.constantFrom('proximity', 'zerolist'), evidence: texts }),
      ),
    }),
    popularity_rank: fc.integer({ min: 1, max: 10_000_000 }),
    active: fc.boolean(),
    first_seen: day,
    website_response: fc.integer({ min: 0, max: 999 }),
    spf_info: text,
    domain: host,
  },
  { requiredKeys: ['domain'] },
);
