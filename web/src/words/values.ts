/** Pages of values: an address, a name server, an e-mail address, a certificate. */
import type { ValueKind } from '../data/search.ts';
import { counted, domains, number } from './language.ts';

const kinds: Readonly<Record<ValueKind, string>> = {
  ip: 'Address',
  name_server: 'Name server',
  email: 'E-mail address',
  certificate: 'Certificate',
};

export const valueWords = {
  kinds,
  thing: 'The value',
  copyDefanged: 'Copy defanged',
  copyKey: 'y',
  copiedDefanged: 'Copied, defanged',
  operations: 'Operations',
  facts: 'What is known',
  noFacts: 'No record says more about it.',
  factNames: {
    country_code: 'Country',
    isp: 'Provider',
    asn: 'Network',
    address: 'Addresses',
    domain: 'Domain',
    common_name: 'Common name',
    subject: 'Subject',
    organization: 'Organization',
    issuer_common_name: 'Issuer',
    alt_name: 'Names in it',
    not_before: 'Valid from',
    not_after: 'Valid until',
  },
  moreFacts: (count: number) => `and ${number(count)} more`,
  shared: 'Domains that share it',
  none: 'No domain has it.',
  allDomains: (count: number) => `Search for all ${domains(count)}`,
  tooMany: (count: number) =>
    `${domains(count)} have it: too many for a list. The search offers ways to narrow them.`,
  riskiest: (count: number) => `The riskiest ${number(count)}`,
  averageRisk: 'Average risk',
  guided: 'worth following: shared by few',
  roles: 'Where it occurs',
  roleNames: {
    ip: 'Address of the website',
    nameserver_ip: 'Address of a name server',
    mailserver_ip: 'Address of a mail server',
    nameserver_host: 'Name server',
    mailserver_host: 'Mail server',
    email: 'Contact',
    email_dns_soa: 'SOA record',
    ssl_email: 'Certificate',
    historical_email: 'Any past WHOIS record',
    ssl_hash: 'Certificate',
  } as Readonly<Record<string, string>>,
  columns: {
    role: 'Where',
    domains: 'Domains',
    risk: 'Average risk',
    domain: 'Domain',
    score: 'Risk',
    registrar: 'Registrar',
    first: 'First seen',
  },
  facets: 'What these domains share',
  passiveDns: 'Passive DNS',
  seen: 'seen',
  until: 'until',
  records: (count: number, more: boolean) =>
    `${number(count)}${more ? '+' : ''} ${count === 1 && !more ? 'record' : 'records'}`,
  openPassiveDns: 'Open Passive DNS',
  noPassiveDns: 'No sensor and no zone file has shown it, or the account has no passive DNS.',
  limits: (used: number, limit: number, window: string) =>
    `${number(used)} of ${number(limit)} this ${window}`,
  count: (count: number) => counted(count, 'domain', 'domains'),
} as const;
