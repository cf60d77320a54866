/**
 * Collects contacts by role from the entries of a WHOIS record: from sections, from paragraphs referenced by a handle, and from
 * single keys.
 */
import { ContactDraft } from '../contact-draft.ts';
import { readAddressLines, splitLocality } from './read-address-lines.ts';
import type { Entry } from './read-entries.ts';
import type { Meaning, Role } from './whois-keys.ts';

export type ContactsByRole = Readonly<Record<Role, ContactDraft>>;

interface Mention {
  readonly role: Role;
  readonly text: string;
}

interface ReadState {
  readonly contacts: ContactsByRole;
  readonly byHandle: Map<string, ContactDraft>;
  readonly mentions: Mention[];
}

type FieldName = Extract<Meaning, { is: 'field' }>['field'];

const handleLike = /^[A-Z]{0,8}\d{2,}[A-Z0-9-]*$|^\S+-[A-Z]{2,8}$|^https?:/i;

const roleWords: readonly (readonly [pattern: RegExp, role: Role])[] = [
  [/^(?:administrative|admin)/i, 'admin'],
  [/^tech/i, 'technical'],
  [/^bill/i, 'billing'],
  [/^(?:registrant|owner|holder)/i, 'registrant'],
];

export function readContacts(entries: readonly Entry[]): ContactsByRole {
  const state: ReadState = { contacts: emptyContacts(), byHandle: new Map(), mentions: [] };
  for (let from = 0; from < entries.length; ) {
    let to = from + 1;
    while (to < entries.length && entries[to]?.paragraph === entries[from]?.paragraph) to += 1;
    // The contact of a heading on its own is in the next paragraph.
    const heading = entries[to - 1];
    const isWaiting =
      heading?.meaning?.is === 'role' &&
      heading.beside === '' &&
      heading.below.length === 0 &&
      to - from === 1;
    if (isWaiting)
      while (to < entries.length && entries[to]?.paragraph === (entries[from + 1] as Entry).paragraph)
        to += 1;
    readParagraph(entries.slice(from, to), state);
    from = to;
  }
  for (const draft of [...state.byHandle.values(), ...Object.values(state.contacts)]) splitLocality(draft);
  // A referenced handle provides the name; other text beside the role is then the organization.
  for (const { role, text } of state.mentions) resolveHandle(role, text, state);
  for (const { role, text } of state.mentions)
    if (!state.byHandle.has(text.toLowerCase())) addMentionedName(role, text, state);
  return state.contacts;
}

function emptyContacts(): ContactsByRole {
  return {
    registrant: new ContactDraft(),
    admin: new ContactDraft(),
    technical: new ContactDraft(),
    billing: new ContactDraft(),
    zone: new ContactDraft(),
    registrar: new ContactDraft(),
    provider: new ContactDraft(),
    none: new ContactDraft(),
  };
}

function readParagraph(entries: readonly Entry[], state: ReadState): void {
  if (entries.some(({ meaning }) => meaning?.is === 'host')) return;
  const handle = findHandle(entries);
  const isDomain = entries.some(({ meaning }) => meaning?.is === 'domain');
  const own = new ContactDraft();
  let section: Role | undefined;
  for (const { meaning, beside, below } of entries) {
    if (meaning?.is === 'contact') {
      section = readContactKey(beside, below, own, state) ?? section;
    } else if (meaning?.is === 'role' && handle === undefined) {
      // Keys after "registrar: X" belong to the domain where they share its paragraph.
      if (beside === '' || !(isDomain || meaning.role === 'none')) section = meaning.role;
      readRoleKey(meaning.role, beside, below, state);
    } else if (meaning?.is === 'domain' && beside === '' && below.length === 0) section = 'none';
    else if (meaning?.is === 'field' || meaning?.is === 'state') {
      const role = (meaning.is === 'field' ? meaning.role : undefined) ?? section;
      const draft = role === undefined || handle !== undefined ? own : state.contacts[role];
      // "state" in the paragraph of the domain is its status, not part of an address.
      if (meaning.is === 'state' && draft === own && isDomain) continue;
      readFieldKey(meaning.is === 'field' ? meaning.field : 'state', [beside, ...below], draft);
      // "Registrar Handle: X" may be all that is said of the registrar.
      if (
        meaning.is === 'field' &&
        meaning.field === 'handle' &&
        meaning.role === 'registrar' &&
        beside !== ''
      )
        state.mentions.push({ role: 'registrar', text: beside });
    }
  }
  if (handle !== undefined) {
    if (!state.byHandle.has(handle)) state.byHandle.set(handle, own);
  } else if (!own.isEmpty && (isDomain || state.contacts.registrant.isEmpty))
    state.contacts.registrant.fillFrom(own);
}

/** "contact: administrative" starts a contact, "contact: X" names one, and "Contact:" continues the registrant. */
function readContactKey(
  beside: string,
  below: readonly string[],
  own: ContactDraft,
  { contacts }: ReadState,
): Role | undefined {
  const role = roleWords.find(([pattern]) => pattern.test(beside))?.[1];
  if (role !== undefined) return role;
  if (beside !== '') own.add('name', beside);
  if (below.length > 0) readAddressLines(below, 'name', contacts.registrant);
  return beside === '' ? 'registrant' : undefined;
}

/** A handle without a role identifies its paragraph. */
function findHandle(entries: readonly Entry[]): string | undefined {
  const named = entries.find(
    ({ meaning, beside }) =>
      meaning?.is === 'field' && meaning.field === 'handle' && meaning.role === undefined && beside !== '',
  );
  const isSection = entries.some(
    ({ meaning, beside }) => meaning?.is === 'role' && beside === '' && meaning.role !== 'none',
  );
  const isDomain = entries.some(({ meaning }) => meaning?.is === 'domain');
  return isSection || isDomain ? undefined : named?.beside.toLowerCase();
}

function readRoleKey(
  role: Role,
  beside: string,
  below: readonly string[],
  { contacts, mentions }: ReadState,
): void {
  if (role === 'none') return;
  if (beside !== '') mentions.push({ role, text: beside });
  const draft = contacts[role];
  if (below.length === 0) return;
  const firstIs = ['registrant', 'registrar', 'provider'].includes(role) ? 'org' : 'name';
  const lines = beside === '' || /^\d+$/.test(beside) ? below : [beside, ...below];
  if (draft.isEmpty) readAddressLines(lines, firstIs, draft);
  else if (!draft.has('name')) draft.add('name', lines[0] ?? '');
}

function readFieldKey(field: FieldName, values: readonly string[], draft: ContactDraft): void {
  if (field === 'handle') return;
  const [first = ''] = values;
  if (field === 'given-name') draft.add('name', first);
  else if (field === 'family-name') draft.extend('name', first);
  else if (field === 'street' && values.length > 2) readAddressLines(values, 'street', draft);
  else for (const value of values) draft.add(field, value);
}

/** "registrant: X" may be the handle of another paragraph. */
function resolveHandle(role: Role, text: string, { contacts, byHandle }: ReadState): void {
  const meant = byHandle.get(text.toLowerCase());
  if (meant !== undefined) contacts[role].fillFrom(meant);
}

function addMentionedName(role: Role, text: string, { contacts }: ReadState): void {
  const draft = contacts[role];
  if (role === 'registrar' || role === 'provider') draft.add('name', text);
  else if (!handleLike.test(text) && draft.first('name') !== text) {
    draft.add(draft.has('name') ? 'org' : 'name', text);
  }
}
