/**
 * The record as it is shown: its members in their order, and the form of each. What is a value here leads to other domains
 * with the same; its path is its attribute. The APIs write records by this table, and a store counts values by it.
 */

export type Member = { readonly name: string } & (
  | {
      readonly kind: 'plain';
      /** JSON types; none for what is an object of its own. */
      readonly type: readonly string[];
      /** What is shown where there is none; undefined: nothing. */
      readonly unknown: unknown;
    }
  | {
      readonly kind: 'value';
      readonly attribute: string;
      readonly type: ValueType;
      /** A missing one is an empty text, wrapped or not. */
      readonly unknown: 'wrapped' | 'plain';
    }
  | { readonly kind: 'values'; readonly attribute: string; readonly type: ValueType }
  /** Wrapped like a value, but nobody shares it. */
  | { readonly kind: 'own' }
  /** `asked`: an object that is shown only where it is there. */
  | { readonly kind: 'object' | 'asked' | 'objects'; readonly members: Layout }
);

type ValueType = 'string' | 'integer';

export type Layout = readonly Member[];

/** Members know their path when the path before them is known. */
type Below = (path: string) => Member;

const value =
  (name: string, type: ValueType = 'string', unknown: 'wrapped' | 'plain' = 'wrapped'): Below =>
  (path) => ({ name, kind: 'value', attribute: path + name, type, unknown });
const values =
  (name: string, type: ValueType = 'string'): Below =>
  (path) => ({ name, kind: 'values', attribute: path + name, type });
const plain =
  (name: string, type: readonly string[], unknown?: unknown): Below =>
  () => ({ name, kind: 'plain', type, unknown });
const nested =
  (kind: 'object' | 'asked' | 'objects', name: string, members: readonly Below[]): Below =>
  (path) => ({ name, kind, members: members.map((member) => member(`${path}${name}.`)) });

const contact = (name: string): Below =>
  nested('object', name, [
    ...['name', 'org', 'street', 'city', 'state', 'postal', 'country', 'phone', 'fax'].map((member) =>
      value(member),
    ),
    values('email'),
  ]);

const parsed = (name: string, first: readonly Below[], last: readonly Below[]): Below =>
  nested('asked', name, [
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

const server: readonly Below[] = [value('host'), value('domain'), values('ip')];

const certificate: readonly Below[] = [
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

const members: readonly Below[] = [
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
