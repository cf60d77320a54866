/** Parameters about the domain name, its DNS, its website and its certificates. */
import type { Attribute } from '../../model/record/condition.ts';
import { base, both, containing, has, hasHost, type SearchParameter } from './search-parameter.ts';
import {
  alternativeName,
  autonomousSystem,
  domainNames,
  emailAddress,
  hostName,
  ipv4,
  plainText,
  sha1,
  wholeNumber,
} from './value-rules.ts';

const text = plainText(1024);
const name = plainText(256);
const days = wholeNumber(1);

/** Each service has its own attribute: the same text is a different code elsewhere. */
const trackers: readonly (readonly [parameter: string, attribute: Attribute])[] = [
  ['ad_tracker_code', 'ad_tracker_code'],
  ['analytics_code', 'analytics_code'],
  ['analytics_v4_code', 'analytics_v4_codes'],
  ['analytics_cn_code', 'analytics_cn_codes'],
  ['tag_manager_code', 'tag_manager_codes'],
  ['heatmap_code', 'heatmap_codes'],
  ['selfhosted_analytics_code', 'selfhosted_analytics_codes'],
  ['metrics_ru_code', 'metrics_ru_codes'],
  ['counter_project_code', 'counter_project_codes'],
  ['counter_security_code', 'counter_security_codes'],
  ['social_code', 'social_codes'],
];

export const siteParameters: readonly SearchParameter[] = [
  {
    ...base('domain', 'the domain itself, or several separated by commas', (list, { domainsMax }) => ({
      kind: 'domain',
      names: domainNames(domainsMax)(list),
    })),
    contains: containing('domain', plainText(253)),
  },
  base('ip', 'IPv4 address', has(['ip.address'], ipv4)),
  base('asn', 'autonomous system of an address', has(['ip.asn'], autonomousSystem)),
  base('isp_name', 'provider of an address', has(['ip.isp'], name)),
  base('mailserver_domain', 'domain of a mail server', has(['mx.domain'], hostName)),
  base('mailserver_host', 'mail server', has(['mx.host'], hostName)),
  base('mailserver_ip', 'address of a mail server', has(['mx.ip'], ipv4)),
  base('nameserver_domain', 'domain of a name server', has(['name_server.domain'], hostName)),
  base('nameserver_host', 'name server', has(['name_server.host'], hostName)),
  base('nameserver_ip', 'address of a name server', has(['name_server.ip'], ipv4)),
  ...trackers.map(([parameter, attribute]) =>
    base(parameter, 'code on the website', has([attribute], plainText(128))),
  ),
  base('redirect_domain', 'domain that the website redirects to', has(['redirect_domain'], hostName)),
  both('server_type', 'server type', has(['server_type'], plainText(255))),
  both('website_title', 'title of the website', has(['website_title'], plainText(512))),
  base('ssl_alt_names', 'alternative name in a certificate', has(['ssl_info.alt_names'], alternativeName)),
  base('ssl_common_name', 'common name in a certificate', has(['ssl_info.common_name'], text)),
  base(
    'ssl_duration',
    'days for which a certificate is valid',
    has(['ssl_info.duration'], (value) => String(days(value))),
  ),
  base('ssl_email', 'address in a certificate', hasHost(['ssl_email'], emailAddress)),
  base('ssl_hash', 'SHA-1 of a certificate', has(['ssl_info.hash'], sha1)),
  base('ssl_issuer_common_name', 'common name of the issuer', has(['ssl_info.issuer_common_name'], text)),
  base('ssl_org', 'organization in a certificate', has(['ssl_info.organization'], name)),
  base('ssl_subject', 'subject of a certificate', has(['ssl_info.subject'], text)),
];
