/**
 * Compiles the schema of a record into a reader that validates and normalises input. Objects are built from declared members alone, so
 * input never decides a key (no prototype pollution).
 */
import { type TObject, type TSchema, Type } from 'typebox';
import { DomainRecord, Source } from './domain-record.ts';
import { normaliseText, type TextFormat } from './normalise-text.ts';

const listItemsMax = 1000;
const faultsMax = 10;

/** Gives the normalised value; undefined where there is none, or where a fault was added. */
type Read = (value: unknown, path: string, faults: string[]) => unknown;

export function createReader(schema: TSchema): Read {
  if (Type.IsString(schema)) return textReader((schema as unknown as { form: TextFormat }).form);
  if (Type.IsBoolean(schema)) return readBoolean;
  if (Type.IsInteger(schema)) return integerReader(schema as Bounds);
  if (Type.IsArray(schema)) return listReader(createReader(schema.items));
  return objectReader(Type.IsObject(schema) ? schema : sourcesSchema());
}

function must(what: string, path: string, faults: string[]): undefined {
  if (faults.length < faultsMax) faults.push(`${path}: must ${what}`);
}

function textReader(form: TextFormat): Read {
  return (value, path, faults) => {
    if (typeof value !== 'string') return must('be a string', path, faults);
    const made = normaliseText(form, value);
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

function integerReader({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Bounds): Read {
  return (value, path, faults) => {
    const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    // Adding zero normalises negative zero.
    return fits ? (value as number) + 0 : must(`be an integer from ${minimum} to ${maximum}`, path, faults);
  };
}

function listReader(readItem: Read): Read {
  return (value, path, faults) => {
    if (!Array.isArray(value)) return must('be an array', path, faults);
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
  /** The default of a required list. */
  readonly empty: readonly unknown[] | undefined;
}

function objectReader(schema: TObject): Read {
  const members: readonly MemberReader[] = Object.entries(schema.properties).map(([name, member]) => {
    const isOptional = Type.IsOptional(member);
    const empty = Type.IsArray(member) && !isOptional ? [] : undefined;
    return { name, read: createReader(member), isOptional, empty };
  });
  const names = new Set(members.map(({ name }) => name));
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return must('be an object', path, faults);
    }
    const before = path === '' ? '' : `${path}.`;
    for (const name of Object.keys(value)) {
      if (!names.has(name)) addFault(`${before}${name.slice(0, 64)}: is not a member of a record`, faults);
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
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const known = faults.length;
    const found = given === undefined || given === null ? undefined : read(given, before + name, faults);
    const content = found ?? empty;
    if (content !== undefined) {
      object[name] = content;
      isEmpty = false;
    } else if (!isOptional && faults.length === known) addFault(`${before}${name}: is missing`, faults);
  }
  return isEmpty ? undefined : object;
}

function addFault(fault: string, faults: string[]): void {
  if (faults.length < faultsMax) faults.push(fault);
}

/** One optional source per member of the record. */
function sourcesSchema(): TObject {
  const members = Object.keys(DomainRecord.properties);
  return Type.Object(Object.fromEntries(members.map((name) => [name, Type.Optional(Source)])));
}
