/** Who is who in a record: the fields of its entries gathered by role, from sections, from paragraphs that a handle names, from single keys. */
import { ContactDraft } from '../contact-draft.ts';
import type { Meaning, Role } from './key-meaning.ts';
import { readAddressLines, settlePlace } from './read-address-lines.ts';
import type { Entry } from './read-entries.ts';

export type People = Readonly<Record<Role, ContactDraft>>;

interface Mention {
  readonly role: Role;
  readonly text: string;
}

interface Walk {
  readonly people: People;
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

export function readPeople(entries: readonly Entry[]): People {
  const walk: Walk = { people: nobodyYet(), byHandle: new Map(), mentions: [] };
  for (let from = 0; from < entries.length; ) {
    let to = from + 1;
    while (to < entries.length && entries[to]?.paragraph === entries[from]?.paragraph) to += 1;
    // Somebody whose heading stands alone is told of in the next paragraph.
    const heading = entries[to - 1];
    const isWaiting =
      heading?.meaning?.is === 'role' &&
      heading.beside === '' &&
      heading.below.length === 0 &&
      to - from === 1;
    if (isWaiting)
      while (to < entries.length && entries[to]?.paragraph === (entries[from + 1] as Entry).paragraph)
        to += 1;
    readParagraph(entries.slice(from, to), walk);
    from = to;
  }
  for (const draft of [...walk.byHandle.values(), ...Object.values(walk.people)]) settlePlace(draft);
  // Who a handle stands for has a name; what is told beside it is the house then.
  for (const { role, text } of walk.mentions) settleHandle(role, text, walk);
  for (const { role, text } of walk.mentions)
    if (!walk.byHandle.has(text.toLowerCase())) settleName(role, text, walk);
  return walk.people;
}

function nobodyYet(): People {
  return {
    registrant: new ContactDraft(),
    admin: new ContactDraft(),
    technical: new ContactDraft(),
    billing: new ContactDraft(),
    registrar: new ContactDraft(),
    nobody: new ContactDraft(),
  };
}

function readParagraph(entries: readonly Entry[], walk: Walk): void {
  if (entries.some(({ meaning }) => meaning?.is === 'host')) return;
  const handle = findHandle(entries);
  const isDomain = entries.some(({ meaning }) => meaning?.is === 'domain');
  const own = new ContactDraft();
  let section: Role | undefined;
  for (const { meaning, beside, below } of entries) {
    if (meaning?.is === 'contact') {
      section = takeContact(beside, below, own, walk) ?? section;
    } else if (meaning?.is === 'role' && handle === undefined) {
      // Keys behind "registrar: X" are the domain's where that stands among them.
      if (beside === '' || !(isDomain || meaning.role === 'nobody')) section = meaning.role;
      takeRole(meaning.role, beside, below, walk);
    } else if (meaning?.is === 'domain' && beside === '' && below.length === 0) section = 'nobody';
    else if (meaning?.is === 'field' || meaning?.is === 'state') {
      const role = (meaning.is === 'field' ? meaning.role : undefined) ?? section;
      const draft = role === undefined || handle !== undefined ? own : walk.people[role];
      // The domain's own paragraph has a state that is none of a contact.
      if (meaning.is === 'state' && draft === own && isDomain) continue;
      takeField(meaning.is === 'field' ? meaning.field : 'state', [beside, ...below], draft);
    }
  }
  if (handle !== undefined) {
    if (!walk.byHandle.has(handle)) walk.byHandle.set(handle, own);
  } else if (!own.isEmpty && (isDomain || walk.people.registrant.isEmpty))
    walk.people.registrant.fillFrom(own);
}

/** "contact: administrative" begins somebody, "contact: X" names them, and "Contact:" goes on with the owner. */
function takeContact(
  beside: string,
  below: readonly string[],
  own: ContactDraft,
  { people }: Walk,
): Role | undefined {
  const role = roleWords.find(([pattern]) => pattern.test(beside))?.[1];
  if (role !== undefined) return role;
  if (beside !== '') own.add('name', beside);
  if (below.length > 0) readAddressLines(below, 'name', people.registrant);
  return beside === '' ? 'registrant' : undefined;
}

/** A handle of its own names a paragraph; one of a role does not. */
function findHandle(entries: readonly Entry[]): string | undefined {
  const named = entries.find(
    ({ meaning, beside }) =>
      meaning?.is === 'field' && meaning.field === 'handle' && meaning.role === undefined && beside !== '',
  );
  const isSection = entries.some(
    ({ meaning, beside }) => meaning?.is === 'role' && beside === '' && meaning.role !== 'nobody',
  );
  const isDomain = entries.some(({ meaning }) => meaning?.is === 'domain');
  return isSection || isDomain ? undefined : named?.beside.toLowerCase();
}

function takeRole(role: Role, beside: string, below: readonly string[], { people, mentions }: Walk): void {
  if (role === 'nobody') return;
  if (beside !== '') mentions.push({ role, text: beside });
  const draft = people[role];
  if (below.length === 0) return;
  const firstIs = role === 'registrant' || role === 'registrar' ? 'org' : 'name';
  const lines = beside === '' || /^\d+$/.test(beside) ? below : [beside, ...below];
  if (draft.isEmpty) readAddressLines(lines, firstIs, draft);
  else if (!draft.has('name')) draft.add('name', lines[0] ?? '');
}

function takeField(field: FieldName, values: readonly string[], draft: ContactDraft): void {
  if (field === 'handle') return;
  const [first = ''] = values;
  if (field === 'given-name') draft.add('name', first);
  else if (field === 'family-name') draft.extend('name', first);
  else if (field === 'street' && values.length > 2) readAddressLines(values, 'street', draft);
  else for (const value of values) draft.add(field, value);
}

/** "registrant: X" may be a handle that another paragraph explains. */
function settleHandle(role: Role, text: string, { people, byHandle }: Walk): void {
  const meant = byHandle.get(text.toLowerCase());
  if (meant !== undefined) people[role].fillFrom(meant);
}

function settleName(role: Role, text: string, { people }: Walk): void {
  const draft = people[role];
  if (role === 'registrar') {
    if (!draft.has('name') && !draft.has('org')) draft.add('name', text);
  } else if (!handleLike.test(text) && draft.first('name') !== text) {
    draft.add(draft.has('name') ? 'org' : 'name', text);
  }
}
