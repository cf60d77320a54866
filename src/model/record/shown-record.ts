/**
 * A record with the members that are shown: the chosen registration data, and members computed from others. `record-layout.ts` has
 * their order and kinds.
 */
import { findBaseDomain } from '../base-domain.ts';
import type { Contact, DomainRecord, Registration } from './domain-record.ts';
import { registrationSourceOf, rootFieldsOf } from './registration.ts';
import { tldOf } from './tld.ts';

type ShownRecord = Readonly<Record<string, unknown>>;

export function shownRecord(record: DomainRecord): ShownRecord {
  return { ...record, ...computedMembers(record) };
}

/** The members of a shown record that replace those of the plain one: registration data at the root of that is replaced by the chosen one. */
export function computedMembers(record: DomainRecord) {
  const source = registrationSourceOf(record);
  return {
    ...rootFieldsOf(record, source),
    alexa: record.popularity_rank,
    email_domain: emailDomainsOf(record, source === 'root'),
    ssl_email: sslEmailsOf(record),
    ssl_info: record.ssl_info?.map((certificate) => ({
      ...certificate,
      not_before: dayNumber(certificate.not_before),
      not_after: dayNumber(certificate.not_after),
    })),
    tld: tldOf(record.domain),
  };
}

/** Base domains of the addresses in WHOIS, RDAP and SOA. */
function emailDomainsOf(record: DomainRecord, isAtRoot: boolean): readonly string[] {
  const { parsed_whois, parsed_domain_rdap, soa_email = [] } = record;
  const registered = isAtRoot
    ? addressesOf(record)
    : [...addressesOf(parsed_domain_rdap ?? {}), ...addressesOf(parsed_whois ?? {})];
  const given = (isAtRoot ? record.email_domain : parsed_domain_rdap?.email_domain) ?? [];
  const found = new Set(given);
  // Most addresses of a record are at one host.
  for (const host of new Set([...registered, ...soa_email].map(hostOfAddress))) {
    const domain = host === undefined ? undefined : findBaseDomain(host);
    if (domain !== undefined) found.add(domain);
  }
  return [...found];
}

function hostOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  return at < 0 ? undefined : address.slice(at + 1);
}

function addressesOf(registration: Registration): readonly string[] {
  const of = (contact: Contact | undefined) => contact?.email ?? [];
  return [
    ...of(registration.registrant_contact),
    ...of(registration.admin_contact),
    ...of(registration.billing_contact),
    ...of(registration.technical_contact),
    ...(registration.additional_whois_email ?? []),
  ];
}

function sslEmailsOf({ ssl_info = [], ssl_email = [] }: DomainRecord): readonly string[] {
  return [...new Set([...ssl_info.flatMap(({ email = [] }) => email), ...ssl_email])];
}

/** `2026-02-27` as 20260227. */
function dayNumber(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Number(day.replaceAll('-', ''));
}
