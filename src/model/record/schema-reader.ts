/**
 * Reads a value by the schema of a record. The schema is looked at once: what remains is one function for each member. Objects
 * are made of declared members alone, so nothing that comes in ever names a key.
 */
import { type TObject, type TSchema, Type } from 'typebox';
import { DomainRecord, Source } from './domain-record.ts';
import { inForm, type TextForm } from './text-forms.ts';

const listItemsMax = 1000;
const faultsMax = 10;

/** What was read; undefined where there is nothing, or where a fault was added. */
type Read = (value: unknown, path: string, faults: string[]) => unknown;

export function readerOf(schema: TSchema): Read {
  if (Type.IsString(schema)) return textReader((schema as unknown as { form: TextForm }).form);
  if (Type.IsBoolean(schema)) return readBoolean;
  if (Type.IsInteger(schema)) return wholeReader(schema as Bounds);
  if (Type.IsArray(schema)) return listReader(readerOf(schema.items));
  return objectReader(Type.IsObject(schema) ? schema : sourcesSchema());
}

function must(what: string, path: string, faults: string[]): undefined {
  if (faults.length < faultsMax) faults.push(`${path}: must ${what}`);
}

function textReader(form: TextForm): Read {
  return (value, path, faults) => {
    if (typeof value !== 'string') return must('be a text', path, faults);
    const made = inForm(form, value);
    if ('must' in made) return must(made.must, path, faults);
    return made.text === '' ? undefined : made.text;
  };
}

const readBoolean: Read = (value, path, faults) =>
  typeof value === 'boolean' ? value : must('be true or false', path, faults);

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

function wholeReader({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Bounds): Read {
  return (value, path, faults) => {
    const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    // Minus zero is zero.
    return fits
      ? (value as number) + 0
      : must(`be a whole number from ${minimum} to ${maximum}`, path, faults);
  };
}

function listReader(readItem: Read): Read {
  return (value, path, faults) => {
    if (!Array.isArray(value)) return must('be a list', path, faults);
    if (value.length > listItemsMax) return must(`have at most ${listItemsMax} items`, path, faults);
    const items = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      const found = item === null ? undefined : readItem(item, `${path}[${index}]`, faults);
      if (found !== undefined) items.add(found);
    }
    return items.size === 0 ? undefined : [...items];
  };
}

interface MemberReader {
  readonly name: string;
  readonly read: Read;
  readonly isOptional: boolean;
  /** What it is when there is nothing: a list that must be there may be empty. */
  readonly empty: readonly unknown[] | undefined;
}

function objectReader(schema: TObject): Read {
  const members: readonly MemberReader[] = Object.entries(schema.properties).map(([name, member]) => {
    const isOptional = Type.IsOptional(member);
    const empty = Type.IsArray(member) && !isOptional ? [] : undefined;
    return { name, read: readerOf(member), isOptional, empty };
  });
  const names = new Set(members.map(({ name }) => name));
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return must('be an object', path, faults);
    }
    const before = path === '' ? '' : `${path}.`;
    for (const name of Object.keys(value)) {
      if (!names.has(name)) refuse(`${before}${name.slice(0, 64)}: is not a member of a record`, faults);
    }
    return readMembers(value as Record<string, unknown>, members, before, faults);
  };
}

function readMembers(
  value: Readonly<Record<string, unknown>>,
  members: readonly MemberReader[],
  before: string,
  faults: string[],
): object | undefined {
  const object: Record<string, unknown> = {};
  let isEmpty = true;
  for (const { name, read, isOptional, empty } of members) {
    const sent = Object.hasOwn(value, name) ? value[name] : undefined;
    const known = faults.length;
    const found = sent === undefined || sent === null ? undefined : read(sent, before + name, faults);
    const held = found ?? empty;
    if (held !== undefined) {
      object[name] = held;
      isEmpty = false;
    } else if (!isOptional && faults.length === known) refuse(`${before}${name}: is missing`, faults);
  }
  return isEmpty ? undefined : object;
}

function refuse(fault: string, faults: string[]): void {
  if (faults.length < faultsMax) faults.push(fault);
}

/** Who said what: the names are those of members of the record. */
function sourcesSchema(): TObject {
  const members = Object.keys(DomainRecord.properties);
  return Type.Object(Object.fromEntries(members.map((name) => [name, Type.Optional(Source)])));
}
