/**
 * Parses a WHOIS record of any registry into the contract's fields. Unrecognised lines are dropped; the text is stored beside the
 * fields. Runs in time linear to the length of the text.
 */
import type { Registration } from '../../record/domain-record.ts';
import { oneLine } from '../contact-draft.ts';
import { findDay, orderOf } from '../day.ts';
import { isDisclosed } from '../disclosed.ts';
import { findMailAddresses } from '../find-mail-addresses.ts';
import { findRegistrar } from './find-registrar.ts';
import { readContacts } from './read-contacts.ts';
import { type Entry, readEntries, textLengthMax } from './read-entries.ts';

const statusesMax = 50;

export function parseWhois(whole: string, entries = readEntries(whole)): Registration {
  const text = whole.slice(0, textLengthMax);
  const byRole = readContacts(entries);
  const registrant = byRole.registrant.contact();
  const contacts = {
    registrant_contact: registrant,
    admin_contact: byRole.admin.contact(),
    billing_contact: byRole.billing.contact(),
    technical_contact: byRole.technical.contact(),
  };
  const theirs = new Set(Object.values(contacts).flatMap((contact) => contact?.email ?? []));
  const members: Registration = {
    ...contacts,
    additional_whois_email: findMailAddresses(text).filter((address) => !theirs.has(address)),
    registrar: findRegistrar(byRole, valuesOf(entries, 'description')),
    ...datesOf(entries),
    registrant_name: registrant?.name,
    registrar_status: statusesOf(entries),
    registrant_org: registrant?.org,
  } as Registration;
  const known = Object.entries(members).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(known);
}

function valuesOf(entries: readonly Entry[], ...kinds: readonly string[]): string[] {
  const found = entries.filter(({ meaning }) => meaning !== undefined && kinds.includes(meaning.is));
  return found.flatMap(({ beside, below }) => (beside === '' ? below : [beside]));
}

function datesOf(entries: readonly Entry[]): Pick<Registration, 'create_date' | 'expiration_date'> {
  const created = valuesOf(entries, 'created');
  const createdHere = valuesOf(entries.filter(isOfDomain(entries)), 'created', 'created-here');
  const expires = valuesOf(entries, 'expires');
  // Some registries put it into the status: "Connected (2024/03/31)", "OK-UNTIL 20240331120000".
  const ends = valuesOf(entries, 'state', 'status').flatMap(
    (text) => /\((\d{4}\/\d\d\/\d\d)\)|-until (\d{8})/i.exec(text)?.slice(1).find(Boolean) ?? [],
  );
  // "changed: somebody 19990605 (Assigned)"
  const assigned = valuesOf(entries.filter(isOfDomain(entries)), 'changed').filter((text) =>
    /\((?:assigned|created|registered)\)/i.test(text),
  );
  const order = orderOf([...created, ...createdHere, ...expires]);
  const firstDay = (texts: readonly string[]) => {
    for (const text of texts) {
      const day = findDay(text, order);
      if (day !== undefined) return day;
    }
    return undefined;
  };
  const [create, expiration] = [
    firstDay([...createdHere, ...created, ...assigned]),
    firstDay([...expires, ...ends]),
  ];
  return { ...(create && { create_date: create }), ...(expiration && { expiration_date: expiration }) };
}

/** A bare "created" in the paragraph of a contact or registrar is not the domain's. */
function isOfDomain(entries: readonly Entry[]): (entry: Entry) => boolean {
  const others = new Set<number>();
  const own = new Set<number>();
  for (const { meaning, paragraph, beside } of entries) {
    if (meaning?.is === 'domain') own.add(paragraph);
    const isHeading = meaning?.is === 'role' && meaning.role !== 'none' && beside === '';
    const isHandle = meaning?.is === 'field' && meaning.field === 'handle' && meaning.role === undefined;
    if (isHeading || isHandle || meaning?.is === 'contact') others.add(paragraph);
  }
  return ({ paragraph }) => own.has(paragraph) || !others.has(paragraph);
}

function statusesOf(entries: readonly Entry[]): string[] {
  const inDomain = isOfDomain(entries);
  const found = [
    ...valuesOf(entries, 'status'),
    ...valuesOf(entries.filter(inDomain), 'state').filter(
      (text) => text.includes(',') || /registered|delegated|connected|active|ok/i.test(text),
    ),
  ];
  const statuses = found
    .slice(0, statusesMax)
    .flatMap((text) => text.slice(0, 300).split(/, ?(?![^(]*\))/))
    .map(statusOf);
  return [...new Set(statuses)].filter((status) => status !== '').slice(0, statusesMax);
}

/** Without URL and explanation. */
function statusOf(text: string): string {
  const line = oneLine(text)
    .replace(/ \(?https?:.*$/i, '')
    .replace(/ ?[-–](?: .*)?$/, '')
    .replace(/^\d{3} /, '')
    .replace(/\([^)]*\)?/g, '')
    .replace(/\.$/, '')
    .trim();
  return line.length > 100 || !isDisclosed(line) ? '' : line.replaceAll(' ', '').toLowerCase();
}
