/** The contacts for abuse in an RDAP answer, wherever they are nested, usually in the registrar. */
import { parseJson } from './parse-json.ts';
import { type RdapEntity, readRdapDomain } from './read-rdap-domain.ts';

export interface AbuseContact {
  /** Whose contact it is: the entity that it is nested in, or its own name. */
  readonly name: string;
  readonly emails: readonly string[];
  readonly phone: string;
}

export function findAbuseContacts(rdap: Buffer): readonly AbuseContact[] {
  const found: AbuseContact[] = [];
  const search = (entities: readonly RdapEntity[], within: string): void => {
    for (const entity of entities) {
      const { name = '', org = '', email = [], phone = '' } = entity.contact.contact() ?? {};
      if (entity.roles.includes('abuse') && (email.length > 0 || phone !== ''))
        found.push({ name: within || org || name, emails: email, phone });
      search(entity.within, org || name || within);
    }
  };
  search(readRdapDomain(parseJson(rdap))?.entities ?? [], '');
  return found;
}
