/**
 * The contract's fields from the RDAP answers of registry and, if any, registrar. The registrar is authoritative for contacts, the
 * registry for dates and for the name of the registrar.
 */
import { findBaseDomain } from '../../base-domain.ts';
import type { ParsedRdap } from '../../record/domain-record.ts';
import { normaliseText } from '../../record/normalise-text.ts';
import { ContactDraft } from '../contact-draft.ts';
import { findDay } from '../day.ts';
import type { RdapDomain, RdapEntity } from './read-rdap-domain.ts';

const addressesMax = 50;

export function rdapRegistration(answers: readonly RdapDomain[]): ParsedRdap {
  const contact = (role: string) => contactOf(answers, role).contact();
  const contacts = {
    registrant_contact: contact('registrant'),
    admin_contact: contact('administrative'),
    billing_contact: contact('billing'),
    technical_contact: contact('technical'),
  };
  const theirs = Object.values(contacts).flatMap((found) => found?.email ?? []);
  const all = addressesOf(answers);
  const registrar = registrarOf(answers);
  const members = {
    ...contacts,
    additional_whois_email: all.filter((address) => !theirs.includes(address)),
    registrar: registrar?.contact.first('org') ?? registrar?.contact.first('name'),
    create_date: dayOf(answers, 'registration'),
    expiration_date: dayOf(answers, 'expiration') ?? dayOf(answers, 'registrar expiration'),
    registrant_name: contacts.registrant_contact?.name,
    registrar_status: statusesOf(answers).map((status) => status.replaceAll(' ', '').toLowerCase()),
    registrar_iana_id: registrar?.ianaId,
    email_domain: [...new Set(hostsOf(all).flatMap((host) => findBaseDomain(host) ?? []))],
  };
  const known = Object.entries(members).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(known);
}

/** With all nested entities. */
export function entitiesOf(entities: readonly RdapEntity[]): RdapEntity[] {
  return entities.flatMap((entity) => [entity, ...entitiesOf(entity.within)]);
}

export function registrarOf(answers: readonly RdapDomain[]): RdapEntity | undefined {
  const registrars = answers
    .flatMap(({ entities }) => entitiesOf(entities))
    .filter(({ roles }) => roles.includes('registrar'));
  const named = registrars.find(({ contact }) => contact.has('name') || contact.has('org')) ?? registrars[0];
  const ianaId = registrars.find((registrar) => registrar.ianaId !== undefined)?.ianaId;
  return named && { ...named, ianaId: named.ianaId ?? ianaId };
}

/** Of all contacts, those of the registrar included. */
export function addressesOf(answers: readonly RdapDomain[]): string[] {
  const entities = answers.flatMap((answer) => entitiesOf(answer.entities));
  const addresses = entities.flatMap(({ contact }) => contact.contact()?.email ?? []);
  return [...new Set(addresses)].slice(0, addressesMax);
}

/** The hosts of mail addresses, in punycode. */
export function hostsOf(addresses: readonly string[]): string[] {
  const hosts = addresses.flatMap((address) => {
    const host = normaliseText('host', address.slice(address.lastIndexOf('@') + 1));
    return 'text' in host && host.text !== '' ? host.text : [];
  });
  return [...new Set(hosts)];
}

/** As written, without duplicates. */
export function statusesOf(answers: readonly RdapDomain[]): string[] {
  const byName = new Map<string, string>();
  for (const status of answers.flatMap(({ statuses }) => statuses))
    if (!byName.has(status.toLowerCase())) byName.set(status.toLowerCase(), status);
  return [...byName.values()];
}

function contactOf(answers: readonly RdapDomain[], role: string): ContactDraft {
  const draft = new ContactDraft();
  for (const { entities } of answers.toReversed()) {
    // Entities nested in a registrar belong to the registrar.
    const own = entities.filter(({ roles }) => !roles.includes('registrar') || roles.includes(role));
    const found = [...own, ...own.flatMap(({ within }) => entitiesOf(within))].filter(({ roles }) =>
      roles.includes(role),
    );
    for (const { contact } of found) if (draft.isEmpty) draft.fillFrom(contact);
  }
  return draft;
}

function dayOf(answers: readonly RdapDomain[], action: string): string | undefined {
  for (const { events } of answers) {
    const day = findDay(events.get(action) ?? '');
    if (day !== undefined) return day;
  }
  return undefined;
}
