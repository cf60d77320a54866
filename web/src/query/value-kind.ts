/** What kind of thing a value is, by the parameter or the column that it is a value of: some kinds have pages of their own. */
import type { ValueKind } from '../../../src/http/web/search/search-wire.ts';

export type PagedKind = ValueKind | 'domain';

const kinds: Readonly<Record<string, PagedKind>> = {
  domain: 'domain',
  redirect_domain: 'domain',
  ip: 'ip',
  'ip.address': 'ip',
  'mx.ip': 'ip',
  mailserver_ip: 'ip',
  'name_server.ip': 'ip',
  nameserver_ip: 'ip',
  'name_server.host': 'name_server',
  nameserver_host: 'name_server',
  email: 'email',
  email_dns_soa: 'email',
  historical_email: 'email',
  soa_email: 'email',
  ssl_email: 'email',
  'ssl_info.email': 'email',
  additional_whois_email: 'email',
  certificate: 'certificate',
  'ssl_info.hash': 'certificate',
  ssl_hash: 'certificate',
};

/** Undefined: a text, which has no page. */
export const kindOfField = (field: string): PagedKind | undefined =>
  kinds[field] ?? (/_contact\.email$|[.:]additional_whois_email$/.test(field) ? 'email' : undefined);

/** Where the page of a value is. */
export function pageOf(kind: PagedKind, value: string) {
  switch (kind) {
    case 'domain':
      return { to: '/domain/$name', params: { name: value } } as const;
    case 'ip':
      return { to: '/ip/$ip', params: { ip: value } } as const;
    case 'name_server':
      return { to: '/ns/$host', params: { host: value } } as const;
    case 'email':
      return { to: '/mail/$email', params: { email: value } } as const;
    case 'certificate':
      return { to: '/cert/$sha1', params: { sha1: value } } as const;
  }
}
