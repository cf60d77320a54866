/** The columns of a table of search results: attributes, whose values domains share, and other members of a record. */
import { attributes } from '../../../model/record/attributes.ts';
import type { Attribute } from '../../../model/record/condition.ts';

/** Members that are no attributes. */
export const plainColumns = [
  'tld',
  'popularity_rank',
  'website_response',
  'registrar_status',
  'spf_info',
  'data_updated_timestamp',
] as const;
export const columns: readonly string[] = [...attributes, ...plainColumns];

/** Shown unless others are asked for. */
export const defaultColumns: readonly string[] = [
  'registrar',
  'create_date',
  'ip.address',
  'ip.country_code',
  'ip.isp',
  'name_server.host',
  'mx.host',
  'soa_email',
  'ssl_info.hash',
  'website_title',
];

/** Worth showing as facets: values that clusters of domains share, in the order in which people narrow by them. */
export const defaultFacets: readonly Attribute[] = [
  'registrar',
  'name_server.domain',
  'soa_email',
  'ip.address',
  'ip.isp',
  'ip.country_code',
  'ssl_info.hash',
  'ssl_info.issuer_common_name',
  'analytics_code',
  'registrant_org',
  'mx.domain',
  'create_date',
];

const named: Readonly<Record<Attribute, string>> = {
  'ip.address': 'ip',
  'ip.asn': 'asn',
  'ip.isp': 'isp_name',
  'ip.country_code': 'ip_country_code',
  'mx.domain': 'mailserver_domain',
  'mx.host': 'mailserver_host',
  'mx.ip': 'mailserver_ip',
  'name_server.domain': 'nameserver_domain',
  'name_server.host': 'nameserver_host',
  'name_server.ip': 'nameserver_ip',
  ad_tracker_code: 'ad_tracker_code',
  analytics_code: 'analytics_code',
  analytics_v4_codes: 'analytics_v4_code',
  analytics_cn_codes: 'analytics_cn_code',
  tag_manager_codes: 'tag_manager_code',
  heatmap_codes: 'heatmap_code',
  selfhosted_analytics_codes: 'selfhosted_analytics_code',
  metrics_ru_codes: 'metrics_ru_code',
  counter_project_codes: 'counter_project_code',
  counter_security_codes: 'counter_security_code',
  social_codes: 'social_code',
  redirect_domain: 'redirect_domain',
  server_type: 'server_type',
  website_title: 'website_title',
  'ssl_info.alt_names': 'ssl_alt_names',
  'ssl_info.common_name': 'ssl_common_name',
  'ssl_info.duration': 'ssl_duration',
  'ssl_info.email': 'ssl_email',
  ssl_email: 'ssl_email',
  'ssl_info.hash': 'ssl_hash',
  'ssl_info.issuer_common_name': 'ssl_issuer_common_name',
  'ssl_info.organization': 'ssl_org',
  'ssl_info.subject': 'ssl_subject',
  soa_email: 'email_dns_soa',
  email_domain: 'email_domain',
  additional_whois_email: 'email',
  create_date: 'create_date',
  expiration_date: 'expiration_date',
  registrant_name: 'registrant',
  registrant_org: 'registrant_org',
  registrar: 'registrar',
  tld: 'tld',
};

const ofContacts: Readonly<Record<string, string>> = {
  name: 'contact_name',
  phone: 'contact_phone',
  street: 'contact_street',
  email: 'email',
};

/** The search parameter that finds the domains with a value of the column; undefined if none does. */
export function parameterOfColumn(column: string): string | undefined {
  if (Object.hasOwn(named, column)) return named[column];
  if (/^parsed_(?:whois|domain_rdap)\./.test(column)) return column.replace('.', ':');
  const contact = /^\w+_contact\.(\w+)$/.exec(column)?.[1] ?? '';
  return Object.hasOwn(ofContacts, contact) ? ofContacts[contact] : undefined;
}
