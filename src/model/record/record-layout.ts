/**
 * The layout of a shown record: its members in order and the kind of each. Values can be shared with other domains; the path of a value
 * is its attribute. The APIs write records by this table, and the domain store counts values by it.
 */

export type Member = { readonly name: string } & (
  | {
      readonly kind: 'plain';
      /** JSON types. */
      readonly type: readonly string[];
      /** What is shown where the value is unknown; undefined for nothing. */
      readonly unknown: unknown;
    }
  | {
      readonly kind: 'value';
      readonly attribute: string;
      readonly type: ValueType;
      /** Whether the empty text of an unknown value is wrapped. */
      readonly unknown: 'wrapped' | 'plain';
    }
  | { readonly kind: 'values'; readonly attribute: string; readonly type: ValueType }
  /** Wrapped like a value, but not shared with other domains. */
  | { readonly kind: 'own' }
  /** `optional`: an object that is shown only where it exists. */
  | { readonly kind: 'object' | 'optional' | 'objects'; readonly members: Layout }
);

type ValueType = 'string' | 'integer';

export type Layout = readonly Member[];

/** A member, given the path of its parent. */
type MemberAt = (path: string) => Member;

const value =
  (name: string, type: ValueType = 'string', unknown: 'wrapped' | 'plain' = 'wrapped'): MemberAt =>
  (path) => ({ name, kind: 'value', attribute: path + name, type, unknown });
const values =
  (name: string, type: ValueType = 'string'): MemberAt =>
  (path) => ({ name, kind: 'values', attribute: path + name, type });
const plain =
  (name: string, type: readonly string[], unknown?: unknown): MemberAt =>
  () => ({ name, kind: 'plain', type, unknown });
const nested =
  (kind: 'object' | 'optional' | 'objects', name: string, members: readonly MemberAt[]): MemberAt =>
  (path) => ({ name, kind, members: members.map((member) => member(`${path}${name}.`)) });

const contact = (name: string): MemberAt =>
  nested('object', name, [
    ...['name', 'org', 'street', 'city', 'state', 'postal', 'country', 'phone', 'fax'].map((member) =>
      value(member),
    ),
    values('email'),
  ]);

const parsed = (name: string, first: readonly MemberAt[], last: readonly MemberAt[]): MemberAt =>
  nested('optional', name, [
    contact('technical_contact'),
    contact('registrant_contact'),
    contact('admin_contact'),
    values('additional_whois_email'),
    value('registrar'),
    value('create_date'),
    value('expiration_date'),
    value('registrant_name'),
    ...first,
    values('registrar_status'),
    ...last,
  ]);

const server: readonly MemberAt[] = [value('host'), value('domain'), values('ip')];

const certificate: readonly MemberAt[] = [
  value('hash'),
  value('subject'),
  value('organization'),
  values('email'),
  values('alt_names'),
  plain('sources', ['object'], {}),
  value('common_name'),
  value('issuer_common_name'),
  value('not_after', 'integer'),
  value('not_before', 'integer'),
  value('duration', 'integer'),
];

const members: readonly MemberAt[] = [
  plain('domain', ['string']),
  plain('whois_url', ['string']),
  value('ad_tracker_code'),
  plain('alexa', ['integer', 'string'], ''),
  plain('popularity_rank', ['integer', 'string'], ''),
  plain('active', ['boolean'], false),
  value('analytics_code'),
  values('analytics_v4_codes'),
  values('tag_manager_codes'),
  values('social_codes'),
  values('heatmap_codes'),
  values('analytics_cn_codes'),
  values('metrics_ru_codes'),
  values('selfhosted_analytics_codes'),
  values('counter_project_codes'),
  values('counter_security_codes'),
  contact('admin_contact'),
  contact('billing_contact'),
  contact('registrant_contact'),
  contact('technical_contact'),
  value('create_date'),
  value('expiration_date'),
  values('email_domain'),
  values('soa_email'),
  values('ssl_email'),
  values('additional_whois_email'),
  nested('objects', 'ip', [value('address'), values('asn', 'integer'), value('country_code'), value('isp')]),
  nested('objects', 'mx', [...server, plain('priority', ['integer'], 0)]),
  nested('objects', 'name_server', server),
  plain('domain_risk', ['object']),
  value('redirect'),
  value('redirect_domain'),
  value('registrant_name'),
  value('registrant_org'),
  value('registrar', 'string', 'plain'),
  plain('registrar_status', ['array'], []),
  plain('spf_info', ['string'], ''),
  nested('objects', 'ssl_info', certificate),
  plain('tld', ['string']),
  plain('website_response', ['integer'], 0),
  plain('data_updated_timestamp', ['string']),
  value('website_title', 'string', 'plain'),
  value('server_type', 'string', 'plain'),
  () => ({ name: 'first_seen', kind: 'own' }),
  plain('tags', ['array'], []),
  plain('screenshot', ['object']),
  parsed('parsed_whois', [value('registrant_org')], []),
  parsed('parsed_domain_rdap', [], [value('registrar_iana_id'), values('email_domain')]),
];

export const recordLayout: Layout = members.map((member) => member(''));
