/** Records and search conditions over a small set of values, so that they often match. */
import * as fc from 'fast-check';
import type { Column, Condition } from '../../../src/model/record/condition.ts';
import type { Contact, DomainRecord, ParsedWhois } from '../../../src/model/record/domain-record.ts';

/** A record in which each member may be absent. */
function some(members: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(members, { requiredKeys: [] });
}

const domain = fc.constantFrom(
  'a.com',
  'ab.com',
  'example.com',
  'exam.example',
  'example.co.uk',
  'mail.net',
  'xn--bcher-kva.example',
  'a-b-c.co.uk',
);
const person = fc.constantFrom('Ann Example', 'ANN  example', 'Bücher "GmbH"', 'B%_', 'q', 'Exam AND NOT');
const email = fc.constantFrom('a@b.example', 'b@b.example', 'admin@mail.example');
const host = fc.constantFrom('ns1.dns.example', 'ns2.dns.example', 'mx.mail.example');
const address = fc.constantFrom('192.0.2.1', '192.0.2.2', '198.51.100.7');
const day = fc.constantFrom('2024-01-01', '2025-02-03', '2026-03-04');
const instant = fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T12:00:00Z', '2026-03-04T10:11:12.345Z');
const registrar = fc.constantFrom('Registrar One', 'registrar one', 'Registrar Two');
const text = fc.constantFrom(
  'Registrant: Ann Example\nStreet: Main Street 1',
  'Registrant: ann\texample; street: "Main" Street',
  'Müllerstraße 5 OR main* NEAR(street)',
  '---',
  'exam ple',
);

const contact = some({
  name: person,
  org: person,
  email: fc.array(email, { minLength: 1, maxLength: 2 }),
}) as fc.Arbitrary<Contact>;

const whois = some({
  registrant_contact: contact,
  technical_contact: contact,
  additional_whois_email: fc.array(email, { maxLength: 1 }),
  registrar,
  create_date: day,
  registrant_name: person,
  registrant_org: person,
  record: text,
  fetched: instant,
}) as fc.Arbitrary<ParsedWhois>;

const rdap = some({
  registrant_contact: contact,
  registrar,
  create_date: day,
  expiration_date: day,
  fetched: instant,
});

const record: fc.Arbitrary<DomainRecord> = fc
  .tuple(
    domain,
    some({
      active: fc.boolean(),
      first_seen: instant,
      popularity_rank: fc.integer({ min: 1, max: 4 }),
      analytics_code: fc.constantFrom('ua-1', 'UA-1', 'ua-2'),
      social_codes: fc.array(fc.constantFrom('1', '2'), { maxLength: 2 }),
      parsed_whois: whois,
      parsed_domain_rdap: rdap,
      soa_email: fc.array(email, { maxLength: 2 }),
      ip: fc.array(
        address.map((one) => ({ address: one, asn: [64_500], country_code: 'nl' })),
        { maxLength: 2 },
      ),
      name_server: fc.array(
        host.map((one) => ({ host: one, domain: 'dns.example' })),
        { maxLength: 2 },
      ),
      website_response: fc.constantFrom(200, 404),
      domain_risk: fc.constantFrom(0, 50, 100).map((risk_score) => ({ risk_score, components: [] })),
      sources: fc.constant({ ip: { collector: 'dns', at: '2026-01-01T00:00:00Z' } }),
    }),
  )
  .map(([name, members]) => ({ domain: name, ...members }));

export const update = fc.record({
  record,
  source: fc.constantFrom('import', 'whois'),
  seenMs: fc.integer({ min: 0, max: 5 }).map((days) => Date.parse('2026-03-01') + days * 86_400_000),
});

const numbers: Readonly<Record<Column, fc.Arbitrary<number>>> = {
  first_seen: instant.map((one) => Date.parse(one)),
  create_date: day.map((one) => Date.parse(one) / 86_400_000),
  expiration_date: day.map((one) => Date.parse(one) / 86_400_000),
  data_updated: fc.constant(Date.parse('2026-03-03')),
  popularity_rank: fc.integer({ min: 1, max: 4 }),
  risk_score: fc.constantFrom(0, 50, 100),
  website_response: fc.constantFrom(200, 404),
};
const column = fc.constantFrom(...(Object.keys(numbers) as Column[]));

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant('has' as const),
    attributes: fc.subarray(
      [
        'registrar',
        'ip.address',
        'registrant_contact.email',
        'analytics_code',
        'name_server.host',
        'soa_email',
      ],
      { minLength: 1 },
    ),
    value: fc.oneof(registrar, address, email, host, fc.constant('UA-1')),
  }),
  fc.record({
    kind: fc.constant('contains' as const),
    attributes: fc.subarray(['registrant_name', 'registrant_org', 'domain'], { minLength: 1 }),
    text: fc.oneof(
      fc.constantFrom(
        'exam',
        'EXAMPLE',
        'a',
        'b',
        'a ',
        'com',
        '.co',
        'xn--',
        '%',
        '_',
        '"',
        'ü',
        'NOT',
        '" OR "',
        '',
      ),
      person,
    ),
  }),
  fc.record({
    kind: fc.constant('whois' as const),
    over: fc.constantFrom('latest' as const, 'history' as const),
    text: fc.constantFrom(
      'ann example',
      'Main Street',
      'street',
      'MÜLLERSTRASSE 5',
      'müllerstraße',
      'or',
      'main*',
      '"',
      'exam',
    ),
  }),
  fc.record({ kind: fc.constant('historical' as const), of: fc.constant('email' as const), value: email }),
  fc.record({
    kind: fc.constant('historical' as const),
    of: fc.constant('registrant' as const),
    value: person,
  }),
  fc.record({
    kind: fc.constant('domain' as const),
    names: fc.array(fc.oneof(domain, fc.constant('absent.example')), { maxLength: 3 }),
  }),
  column.chain((name) =>
    fc.record({
      kind: fc.constant('compare' as const),
      column: fc.constant(name),
      comparison: fc.constantFrom('=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
      value: numbers[name],
    }),
  ),
  fc.record({ kind: fc.constant('active' as const), value: fc.boolean() }),
  fc.record({
    kind: fc.constant('tld' as const),
    tld: fc.constantFrom('com', 'uk', 'co.uk', 'o.uk', 'example'),
  }),
);

export const condition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('tree'), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('tree') }),
  ),
})).tree;

export const order = fc.record({
  by: fc.constantFrom(
    'first_seen' as const,
    'create_date' as const,
    'risk_score' as const,
    'domain' as const,
  ),
  descending: fc.boolean(),
});
