/** The values that a record is indexed under: those it shows, its TLDs, whether it is active, and those of all its WHOIS records. */
import { valuesOf } from '../../model/record/attributes.ts';
import type { DomainRecord, ParsedWhois } from '../../model/record/domain-record.ts';
import type { SharedValue } from '../domain-store.ts';

/** Attributes of the index alone begin with a dot; those of records never do. */
export const tldAttribute = '.tld';
export const activeAttribute = '.active';

export const historicalAttributes = {
  email: '.historical-email',
  registrant: '.historical-registrant',
} as const;

export function indexedValuesOf(record: DomainRecord): readonly SharedValue[] {
  return [...valuesOf(record), ...hiddenValuesOf(record)];
}

export function hiddenValuesOf(record: DomainRecord): readonly SharedValue[] {
  const tlds = tldsOf(record.domain).map((value) => ({ attribute: tldAttribute, value }));
  const active = record.active === true ? [{ attribute: activeAttribute, value: 'true' }] : [];
  return [...tlds, ...active];
}

/** `uk` and `co.uk` for `example.co.uk`: a TLD may have several labels. */
function tldsOf(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.length === 1 ? labels : labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** Once indexed, these are never removed. */
export function historicalValuesOf(whois: ParsedWhois | undefined): readonly SharedValue[] {
  if (!whois) return [];
  const { registrant_contact: registrant, admin_contact, billing_contact, technical_contact } = whois;
  const emails = [registrant, admin_contact, billing_contact, technical_contact].flatMap(
    (contact) => contact?.email ?? [],
  );
  const registrants = [whois.registrant_name, whois.registrant_org, registrant?.name, registrant?.org];
  return [
    ...[...emails, ...(whois.additional_whois_email ?? [])].map((value) => ({
      attribute: historicalAttributes.email,
      value,
    })),
    ...registrants
      .filter((value) => value !== undefined && value !== '')
      .map((value) => ({ attribute: historicalAttributes.registrant, value: value as string })),
  ];
}
