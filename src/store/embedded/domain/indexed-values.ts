/** Under which values a record is found, beside those that it shows: its TLDs, whether it is active, and what WHOIS ever said. */
import { valuesOf } from '../../../model/record/attributes.ts';
import type { DomainRecord, ParsedWhois } from '../../../model/record/domain-record.ts';
import type { SharedValue } from '../../domain-store.ts';

/** No attribute of a record begins with a dot. */
export const tldAttribute = '.tld';
export const activeAttribute = '.active';

export const historicalAttributes = {
  email: '.historical-email',
  registrant: '.historical-registrant',
} as const;

export function indexedValuesOf(record: DomainRecord): readonly SharedValue[] {
  return [...valuesOf(record), ...unshownValuesOf(record)];
}

/** Beside the values that are shown. */
export function unshownValuesOf(record: DomainRecord): readonly SharedValue[] {
  const tlds = tldsOf(record.domain).map((value) => ({ attribute: tldAttribute, value }));
  const active = record.active === true ? [{ attribute: activeAttribute, value: 'true' }] : [];
  return [...tlds, ...active];
}

/** `uk` and `co.uk` for `example.co.uk`: a TLD may have several labels. */
function tldsOf(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.length === 1 ? labels : labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** These stay for good. */
export function historicalValuesOf(whois: ParsedWhois | undefined): readonly SharedValue[] {
  if (!whois) return [];
  const { registrant_contact: registrant, admin_contact, billing_contact, technical_contact } = whois;
  const emails = [registrant, admin_contact, billing_contact, technical_contact].flatMap(
    (contact) => contact?.email ?? [],
  );
  const holders = [whois.registrant_name, whois.registrant_org, registrant?.name, registrant?.org];
  return [
    ...[...emails, ...(whois.additional_whois_email ?? [])].map((value) => ({
      attribute: historicalAttributes.email,
      value,
    })),
    ...holders
      .filter((value) => value !== undefined && value !== '')
      .map((value) => ({ attribute: historicalAttributes.registrant, value: value as string })),
  ];
}
