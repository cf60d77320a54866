/**
 * The meaning of WHOIS keys across registries: a date, a status, or a field of a contact. Most keys consist of a role and a field
 * ("Admin Contact Phone Number", `registrant_email`), each with its own table.
 */
import { type Fact, facts, fields, type Meaning, roles } from './whois-keys.ts';

const byFact = tableOf(facts as Readonly<Record<Fact, readonly string[]>>);
const byRole = tableOf(roles);
const byField = tableOf(fields);
const roleWordsMax = 6;
const keyLengthMax = 160;
/** Words after a role that add no meaning. */
const fillers = new Set([
  'contact',
  'contacts',
  'information',
  'details',
  'data',
  'contact information',
  'contact details',
  'c',
  'info',
  's',
]);

const remembered = new Map<string, Meaning | undefined>();
const rememberedMax = 4000;

/** Undefined for an unknown key. Cached, because few distinct keys occur. */
export function meaningOf(written: string): Meaning | undefined {
  if (written.length > keyLengthMax) return undefined;
  const known = remembered.get(written);
  if (known !== undefined || remembered.has(written)) return known;
  if (remembered.size >= rememberedMax) remembered.clear();
  // "Data de registo / Creation Date": a key in two languages.
  const meaning =
    findMeaning(plainKey(written)) ??
    written
      .split(' / ', 2)
      .map((part) => findMeaning(plainKey(part)))
      .find((found) => found !== undefined);
  remembered.set(written, meaning);
  return meaning;
}

/** Lower case, single spaces, without accents, trailing numbers and parenthesised remarks. */
function plainKey(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll(/\([^()]*\)|'s\b|’s\b/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ ?\d{1,2}$/, '');
}

function findMeaning(key: string): Meaning | undefined {
  const fact = byFact.get(key);
  if (fact !== undefined) return { is: fact } as Meaning;
  const words = key.split(' ');
  for (let count = Math.min(words.length, roleWordsMax); count > 0; count -= 1) {
    const role = byRole.get(words.slice(0, count).join(' '));
    if (role === undefined) continue;
    const rest = words.slice(count).join(' ');
    if (rest === '' || fillers.has(rest)) return { is: 'role', role };
    const field = byField.get(rest) ?? byField.get(rest.replace(/^contacts? /, ''));
    if (field !== undefined) return { is: 'field', role, field };
    if (role === 'none') return { is: 'role', role };
  }
  const field = byField.get(key);
  return field && { is: 'field', field };
}

function tableOf<Name extends string>(
  lists: Readonly<Record<Name, readonly string[]>>,
): ReadonlyMap<string, Name> {
  const all = Object.entries(lists) as [Name, readonly string[]][];
  return new Map(all.flatMap(([name, list]) => list.map((key) => [key, name] as const)));
}
