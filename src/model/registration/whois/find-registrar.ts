/**
 * The registrar in a WHOIS record: the one that a key names, or else the provider. Where a registry names neither, it is the
 * organization that pays for the registration or operates it, unless that is the registrant itself.
 */
import { findBaseDomain } from '../../base-domain.ts';
import type { ContactDraft } from '../contact-draft.ts';
import type { ContactsByRole } from './read-contacts.ts';

const standInRoles = ['billing', 'zone', 'technical'] as const;
const companyForm =
  /\b(?:inc|llc|ltd|limited|corp|corporation|company|co|gmbh|ag|kg|ab|as|asa|oy|oyj|aps|a\/s|bv|b\.v|nv|n\.v|sa|s\.a|srl|s\.r\.l|spa|s\.p\.a|sarl|sas|ltda|lda|d\.o\.o|doo|a\.s|s\.r\.o|sro|kft|sia|uab|ehf|hf|plc|pty|pte|pvt|sdn bhd|k\.k)\.?$/i;

/** `descriptions`: lines that describe the registrant where it has no contact of its own. */
export function findRegistrar(contacts: ContactsByRole, descriptions: readonly string[]): string | undefined {
  const named = nameOf(contacts.registrar) ?? nameOf(contacts.provider);
  if (named !== undefined) return named;
  const registrant = [...namesOf(contacts.registrant), ...descriptions];
  // An unnamed registrant may be the administrative contact.
  const holders = registrant.length > 0 ? registrant : namesOf(contacts.admin);
  const theirs = new Set(holders.map(fold));
  for (const role of standInRoles) {
    const names = namesOf(contacts[role]);
    const isHolder = names.some((name) => theirs.has(fold(name)));
    const organization = isHolder ? undefined : organizationOf(contacts[role]);
    if (organization !== undefined) return organization;
  }
  return undefined;
}

/** In Latin script if there is such a name: some registries answer in two languages. */
function nameOf(draft: ContactDraft): string | undefined {
  const names = namesOf(draft).map(bareName).filter(isName);
  return names.find((name) => /\p{Script=Latin}{2}/u.test(name)) ?? names[0];
}

function namesOf(draft: ContactDraft): readonly string[] {
  return [...draft.texts('org'), ...draft.texts('name')];
}

function bareName(text: string): string {
  const address = text.search(/https?:\/\//i);
  return (address < 0 ? text : text.slice(0, address).trimEnd().replace(/\($/, ''))
    .replace(/\[Tag = [^\]]*\]$/i, '')
    .trimEnd()
    .replace(/,$/, '')
    .trim();
}

/** Neither a number nor a sentence: notices follow the registrar. */
function isName(text: string): boolean {
  const isSentence =
    text.split(' ').length > 6 && /\b(?:may|please|you|your|is|are|be|this|provided)\b/i.test(text);
  return /\p{L}/u.test(text) && !isSentence;
}

/** The organization of a contact. A name without one is a person's, unless it has a company's form or is that of its mail domain. */
function organizationOf(draft: ContactDraft): string | undefined {
  const org = draft.first('org');
  if (org !== undefined) return bareName(org);
  const name = draft.first('name');
  if (name === undefined) return undefined;
  const mailLabels = (draft.contact()?.email ?? []).map(
    (address) => findBaseDomain(address.slice(address.indexOf('@') + 1))?.split('.')[0] ?? '',
  );
  const isOrganization =
    companyForm.test(name) ||
    mailLabels.some((label) => label.length > 3 && fold(name).includes(fold(label)));
  return isOrganization ? bareName(name) : undefined;
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
