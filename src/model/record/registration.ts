/**
 * The registration data of a record's root: from RDAP or WHOIS, whichever has more filled fields; equal, from the newer; equal
 * again, from RDAP. What an import brought at the root counts only where there is no parsed record.
 */
import type { Contact, DomainRecord, ParsedRdap, ParsedWhois, Registration } from './domain-record.ts';

type RegistrationSource = 'parsed_domain_rdap' | 'parsed_whois' | 'root';

export function registrationSourceOf({ parsed_whois, parsed_domain_rdap }: DomainRecord): RegistrationSource {
  if (parsed_domain_rdap === undefined) return parsed_whois === undefined ? 'root' : 'parsed_whois';
  if (parsed_whois === undefined) return 'parsed_domain_rdap';
  const lead =
    filledFields(atRoot(parsed_whois)) - filledFields(atRoot(parsed_domain_rdap)) ||
    fetchedMs(parsed_whois) - fetchedMs(parsed_domain_rdap);
  return lead > 0 ? 'parsed_whois' : 'parsed_domain_rdap';
}

export function registrationOf(record: DomainRecord): Registration {
  const source = registrationSourceOf(record);
  return atRoot(source === 'root' ? record : (record[source] ?? {}));
}

/** The fields of the root, in its order. RDAP has registrant and organization in the contact alone. */
function atRoot(from: ParsedWhois | ParsedRdap): Registration {
  const { registrant_contact: registrant } = from;
  const members = {
    admin_contact: from.admin_contact,
    billing_contact: from.billing_contact,
    registrant_contact: registrant,
    technical_contact: from.technical_contact,
    create_date: from.create_date,
    expiration_date: from.expiration_date,
    additional_whois_email: from.additional_whois_email,
    registrant_name: from.registrant_name ?? registrant?.name,
    registrant_org: ('registrant_org' in from ? from.registrant_org : undefined) ?? registrant?.org,
    registrar: from.registrar,
    registrar_status: from.registrar_status,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A list is one field, a contact as many as it has. */
function filledFields(fields: Registration | Contact): number {
  let filled = 0;
  for (const value of Object.values(fields)) {
    if (typeof value === 'string' || Array.isArray(value)) filled += value.length > 0 ? 1 : 0;
    else filled += filledFields(value);
  }
  return filled;
}

/** A record that does not say when it was fetched is older than any that does. */
function fetchedMs({ fetched }: ParsedWhois | ParsedRdap): number {
  return fetched === undefined ? 0 : Date.parse(fetched) || 0;
}
