/** What the value of each search parameter is, with examples: for forms that complete and check what is typed. */

export type ValueForm =
  | 'address'
  | 'boolean'
  | 'country'
  | 'date'
  | 'domain'
  | 'email'
  | 'hash'
  | 'host'
  | 'number'
  | 'tags'
  | 'text'
  | 'time';

export interface ParameterValue {
  readonly form: ValueForm;
  readonly examples: readonly string[];
}

const of = (form: ValueForm, ...examples: readonly string[]): ParameterValue => ({ form, examples });

/** By name; components of parsed records are texts. */
const values: Readonly<Record<string, ParameterValue>> = {
  domain: of('domain', 'example.com', 'example.com,example.net'),
  ip: of('address', '192.0.2.10'),
  asn: of('number', '64500', 'AS64500'),
  isp_name: of('text', 'Example Hosting'),
  mailserver_domain: of('host', 'mail.example'),
  mailserver_host: of('host', 'mx.mail.example'),
  mailserver_ip: of('address', '192.0.2.20'),
  nameserver_domain: of('host', 'dns.example'),
  nameserver_host: of('host', 'ns1.dns.example'),
  nameserver_ip: of('address', '192.0.2.53'),
  ad_tracker_code: of('text', 'pub-1234567890'),
  analytics_code: of('text', '12345678'),
  analytics_v4_code: of('text', 'G-ABCDEF1234'),
  analytics_cn_code: of('text', '0123456789abcdef'),
  tag_manager_code: of('text', 'GTM-ABC123'),
  heatmap_code: of('text', '1234567'),
  selfhosted_analytics_code: of('text', '7'),
  metrics_ru_code: of('text', '12345678'),
  counter_project_code: of('text', '1234567'),
  counter_security_code: of('text', 'abcdef12'),
  social_code: of('text', '123456789012345'),
  redirect_domain: of('host', 'example.com'),
  server_type: of('text', 'nginx'),
  website_title: of('text', 'Sign in'),
  ssl_alt_names: of('host', 'www.example.com'),
  ssl_common_name: of('text', 'example.com'),
  ssl_duration: of('number', '90'),
  ssl_email: of('email', 'admin@example.com'),
  ssl_hash: of('hash', '0123456789abcdef0123456789abcdef01234567'),
  ssl_issuer_common_name: of('text', 'R11'),
  ssl_org: of('text', 'Example Inc'),
  ssl_subject: of('text', 'CN=example.com'),
  contact_name: of('text', 'Jane Owner'),
  contact_phone: of('text', '+1 202 555 0100'),
  contact_street: of('text', 'Main Street 1'),
  email: of('email', 'owner@mail.example'),
  email_dns_soa: of('email', 'hostmaster@dns.example'),
  email_domain: of('host', 'mail.example'),
  iana_id: of('text', '9999'),
  registrant: of('text', 'Jane'),
  registrant_org: of('text', 'Example Inc'),
  registrar: of('text', 'Example Registrar'),
  historical_email: of('email', 'owner@mail.example'),
  historical_registrant: of('text', 'Jane Owner'),
  historical_free_text: of('text', 'Main Street'),
  whois: of('text', 'Main Street'),
  tagged_with_all: of('tags', 'phishing,kit 7'),
  tagged_with_any: of('tags', 'phishing'),
  not_tagged_with_all: of('tags', 'phishing,kit 7'),
  not_tagged_with_any: of('tags', 'done'),
  active: of('boolean', 'true', 'false'),
  create_date: of('date', '2026-03-04', '>=2026-03-01'),
  create_date_within: of('number', '7', '30'),
  expiration_date: of('date', '2027-03-04'),
  first_seen_since: of('time', '2026-03-04T10:00:00Z', '-3600'),
  first_seen_within: of('number', '3600', '86400'),
  data_updated_after: of('time', '2026-03-04T10:00:00Z', '-3600'),
  ip_country_code: of('country', 'nl', 'us'),
  rank: of('number', '10000'),
  risk_score: of('number', '70', '90'),
  ssl_not_after: of('date', '2026-05-28'),
  ssl_not_before: of('date', '2026-02-27'),
  tld: of('host', 'com', 'co.uk'),
};

export function valueOfParameter(name: string): ParameterValue {
  return (Object.hasOwn(values, name) ? values[name] : undefined) ?? of('text');
}
