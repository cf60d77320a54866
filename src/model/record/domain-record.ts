/**
 * The plain record of a domain: everything known about it under the contract's names, without wrappers and counts. Collectors and
 * imports produce it, the domain store keeps it, and the APIs wrap it. Unknown members are absent or empty lists. `normalise.ts` makes
 * a record from input by the text format of each member; `docs/api/record.md` documents it.
 */
import { type Static, Type } from 'typebox';
import type { TextFormat } from './normalise-text.ts';

const text = (format: TextFormat, description: string) => Type.String({ form: format, description });
const Text = (description: string) => Type.Optional(text('text', description));
const Formed = (format: TextFormat, description: string) => Type.Optional(text(format, description));
const Texts = (format: TextFormat, description: string) =>
  Type.Optional(Type.Array(text(format, description), { description }));
const Day = (description: string) => Formed('day', `${description}, YYYY-MM-DD`);
const Instant = (description: string) => Formed('instant', `${description}, ISO 8601 in UTC`);
const Whole = (description: string, minimum = 0, maximum = 999_999_999_999_999) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));
const Score = Type.Integer({ minimum: 0, maximum: 100 });

const Contact = Type.Object({
  name: Text('as registered'),
  org: Text('as registered'),
  street: Text('lines joined by a space'),
  city: Text('as registered'),
  state: Text('as registered'),
  postal: Text('as registered'),
  country: Formed('lower', 'two lower-case letters where known'),
  phone: Formed('digits', 'digits only'),
  fax: Formed('digits', 'digits only'),
  email: Texts('email', 'lower case, the host in punycode'),
});

/** The parsed content of a WHOIS or RDAP record. */
const registration = {
  registrant_contact: Type.Optional(Contact),
  admin_contact: Type.Optional(Contact),
  billing_contact: Type.Optional(Contact),
  technical_contact: Type.Optional(Contact),
  additional_whois_email: Texts('email', 'addresses of no contact'),
  registrar: Text('as registered'),
  create_date: Day('registration date'),
  expiration_date: Day('expiration date'),
  registrant_name: Text('as registered'),
  registrar_status: Texts('status', 'lower case, without spaces'),
};

const Registration = Type.Object({ ...registration, registrant_org: Text('as registered') });

const ParsedWhois = Type.Object({
  ...Registration.properties,
  /** The text of the record, for full-text search. */
  record: Formed('prose', 'the WHOIS record as received'),
  fetched: Instant('when it was fetched'),
});

const ParsedRdap = Type.Object({
  ...registration,
  registrar_iana_id: Text('IANA number of the registrar'),
  email_domain: Texts('host', 'base domains of the addresses'),
  fetched: Instant('when it was fetched'),
});

const Address = Type.Object({
  address: text('address', 'IPv4 or IPv6'),
  asn: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 4_294_967_295 }))),
  country_code: Formed('lower', 'two lower-case letters'),
  isp: Text('as registered'),
});

const server = {
  host: text('host', 'lower case, without the final dot'),
  domain: Formed('host', 'base domain of the host'),
  ip: Texts('address', 'its addresses'),
};

const Certificate = Type.Object({
  hash: text('sha1', 'SHA-1, 40 hex digits, lower case'),
  subject: Text('distinguished name'),
  organization: Text('of the subject'),
  email: Texts('email', 'lower case, the host in punycode'),
  alt_names: Texts('alt-name', 'lower case, without the final dot'),
  sources: Type.Optional(
    Type.Object({ active: Whole('epoch milliseconds'), passive: Whole('epoch milliseconds') }),
  ),
  common_name: Text('of the subject'),
  issuer_common_name: Text('of the issuer'),
  not_before: Day('first day'),
  not_after: Day('last day'),
  duration: Whole('days'),
});

const RiskComponent = Type.Object({
  name: text('text', 'of the component'),
  risk_score: Score,
  evidence: Texts('text', 'reasons'),
  threats: Texts('text', 'kinds'),
});

export const Source = Type.Object({ collector: text('text', 'its name'), at: text('instant', 'when') });

export const DomainRecord = Type.Object({
  domain: text('host', 'punycode, lower case, without the final dot'),
  active: Type.Optional(Type.Boolean({ description: 'in global DNS, or registered' })),
  first_seen: Instant('when it was first seen'),
  data_updated_timestamp: Instant('when anything last changed'),
  popularity_rank: Whole('1 is the most popular', 1),

  ad_tracker_code: Text('of the website'),
  analytics_code: Text('of the website'),
  analytics_v4_codes: Texts('text', 'of the website'),
  tag_manager_codes: Texts('text', 'of the website'),
  social_codes: Texts('text', 'of the website'),
  heatmap_codes: Texts('text', 'of the website'),
  analytics_cn_codes: Texts('text', 'of the website'),
  metrics_ru_codes: Texts('text', 'of the website'),
  selfhosted_analytics_codes: Texts('text', 'of the website'),
  counter_project_codes: Texts('text', 'of the website'),
  counter_security_codes: Texts('text', 'of the website'),

  parsed_whois: Type.Optional(ParsedWhois),
  parsed_domain_rdap: Type.Optional(ParsedRdap),
  /** For sources without a parsed record; where there is one, these are ignored (`registration.ts`). */
  ...Registration.properties,
  email_domain: Texts('host', 'base domains of WHOIS, RDAP and SOA addresses'),

  soa_email: Texts('email', 'from the SOA record, lower case'),
  ssl_email: Texts('email', 'addresses in certificates'),
  ip: Type.Optional(Type.Array(Address)),
  mx: Type.Optional(Type.Array(Type.Object({ ...server, priority: Whole('lowest first') }))),
  name_server: Type.Optional(Type.Array(Type.Object(server))),
  spf_info: Text('the SPF record'),
  ssl_info: Type.Optional(Type.Array(Certificate)),

  redirect: Text('where the website redirects to'),
  redirect_domain: Formed('host', 'base domain of the redirect'),
  website_response: Whole('HTTP status', 0, 999),
  website_title: Text('of the latest screenshot'),
  server_type: Text('of the latest screenshot'),

  domain_risk: Type.Optional(Type.Object({ risk_score: Score, components: Type.Array(RiskComponent) })),

  /** By member: the collector it comes from, and when. */
  sources: Type.Optional(Type.Record(Type.String(), Source)),
});

export type DomainRecord = Static<typeof DomainRecord>;
export type Contact = Static<typeof Contact>;
export type Registration = Static<typeof Registration>;
export type ParsedWhois = Static<typeof ParsedWhois>;
export type ParsedRdap = Static<typeof ParsedRdap>;
