/**
 * Merges the answers of registry and registrars, the registry's first: the registry is authoritative for dates and status, the
 * registrar for contacts.
 */
import type { Registration } from '../../record/domain-record.ts';

const contacts = ['registrant_contact', 'admin_contact', 'billing_contact', 'technical_contact'] as const;

export function mergeWhois(answers: readonly Registration[]): Registration {
  const [registry = {}, ...registrars] = answers;
  const merged: Registration = { ...Object.assign({}, ...registrars.toReversed()), ...registry };
  for (const member of [...contacts, 'registrant_name', 'registrant_org'] as const) {
    const found = [...registrars, registry].find((answer) => answer[member] !== undefined)?.[member];
    if (found !== undefined) Object.assign(merged, { [member]: found });
  }
  const theirs = new Set(contacts.flatMap((member) => merged[member]?.email ?? []));
  const addresses = answers.flatMap((answer) => answer.additional_whois_email ?? []);
  const additional = [...new Set(addresses)].filter((address) => !theirs.has(address));
  const { additional_whois_email: _, ...others } = merged;
  return { ...others, ...(additional.length > 0 && { additional_whois_email: additional }) };
}
