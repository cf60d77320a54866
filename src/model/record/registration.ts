/**
 * The registration data at the root of a shown record: from RDAP or WHOIS, whichever has more filled fields; at a tie from the newer
 * one, at another tie from RDAP. Imported root fields are used only where there is no parsed record.
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
  const fields = Object.entries(rootFieldsOf(record, registrationSourceOf(record)));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

export type RootFields = Readonly<Record<keyof Registration, Registration[keyof Registration] | undefined>>;

/** The same with every field, undefined where it is unknown. */
export function rootFieldsOf(record: DomainRecord, source: RegistrationSource): RootFields {
  return atRoot(source === 'root' ? record : (record[source] ?? {}));
}

/** The root fields, in root order. RDAP has the registrant's name and organization in the contact alone. */
function atRoot(from: ParsedWhois | ParsedRdap): RootFields {
  const { registrant_contact: registrant } = from;
  return {
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
}

/** A list counts as one field, a contact as many as it has filled. */
function filledFields(fields: RootFields | Contact): number {
  let filled = 0;
  for (const value of Object.values(fields)) {
    if (value === undefined) continue;
    if (typeof value === 'string' || Array.isArray(value)) filled += value.length > 0 ? 1 : 0;
    else filled += filledFields(value);
  }
  return filled;
}

/** A record without a fetch time counts as the oldest. */
function fetchedMs({ fetched }: ParsedWhois | ParsedRdap): number {
  return fetched === undefined ? 0 : Date.parse(fetched) || 0;
}
