/**
 * A record with the members that are shown: the chosen registration data, and members computed from others. `record-layout.ts` has
 * their order and kinds.
 */
import { findBaseDomain } from '../base-domain.ts';
import type { Contact, DomainRecord, Registration } from './domain-record.ts';
import { registrationOf, registrationSourceOf } from './registration.ts';
import { tldOf } from './tld.ts';

type ShownRecord = Readonly<Record<string, unknown>>;

export function shownRecord(record: DomainRecord): ShownRecord {
  return {
    ...record,
    ...withoutRegistration,
    ...registrationOf(record),
    alexa: record.popularity_rank,
    email_domain: emailDomainsOf(record),
    ssl_email: sslEmailsOf(record),
    ssl_info: record.ssl_info?.map((certificate) => ({
      ...certificate,
      not_before: dayNumber(certificate.not_before),
      not_after: dayNumber(certificate.not_after),
    })),
    tld: tldOf(record.domain),
  };
}

/** Registration fields at the root of the plain record are replaced by the chosen ones. */
const withoutRegistration: Readonly<Record<keyof Registration, undefined>> = {
  registrant_contact: undefined,
  admin_contact: undefined,
  billing_contact: undefined,
  technical_contact: undefined,
  additional_whois_email: undefined,
  registrar: undefined,
  create_date: undefined,
  expiration_date: undefined,
  registrant_name: undefined,
  registrant_org: undefined,
  registrar_status: undefined,
};

/** Base domains of the addresses in WHOIS, RDAP and SOA. */
function emailDomainsOf(record: DomainRecord): readonly string[] {
  const { parsed_whois, parsed_domain_rdap, soa_email = [] } = record;
  const isAtRoot = registrationSourceOf(record) === 'root';
  const registered = isAtRoot
    ? addressesOf(record)
    : [...addressesOf(parsed_domain_rdap ?? {}), ...addressesOf(parsed_whois ?? {})];
  const given = (isAtRoot ? record.email_domain : parsed_domain_rdap?.email_domain) ?? [];
  const derived = [...registered, ...soa_email].flatMap((address) => domainOfAddress(address) ?? []);
  return [...new Set([...given, ...derived])];
}

function domainOfAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  return at < 0 ? undefined : findBaseDomain(address.slice(at + 1));
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
