/**
 * Records as JSON, written by their layout without making the objects first: a page has hundreds of records with a hundred members each.
 * Values are wrapped, in Investigate with the number of other domains that have them.
 */
import { type RecordPart, recordParts } from '../../../model/record/attributes.ts';
import { type Layout, type Member, recordLayout } from '../../../model/record/record-layout.ts';
import type { ValueCounts } from '../../../store/domain-store.ts';
import { type CountedBytes, CountPlaces } from './counted-bytes.ts';
import { encoded, JsonBytes } from './json-bytes.ts';
import type { Wrapping } from './record-schema.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * The JSON of a record: `computed` members replace those of `record` of the same name, also where they are undefined. Every call has the
 * same names there. `counts` are those of the included parts.
 */
export type RecordWriter = (record: Members, computed: Members, counts: ValueCounts) => CountedBytes;

interface MemberWriter {
  /** Left out where it is undefined and nothing is shown instead. */
  readonly isOptional: boolean;
  readonly write: (held: unknown) => void;
}

/** Its name, behind a comma. */
type NamedWriter = MemberWriter & { readonly name: string; readonly key: Uint8Array };

/** Used by one record after another. */
const json = new JsonBytes();
const places = new CountPlaces();

const [comma, opening, closing, emptyList] = [encoded(','), encoded('{'), encoded('}'), encoded('[]')];
const [listStart, listEnd, emptyText] = [encoded('['), encoded(']'), encoded('""')];
const [valueStart, countStart, withoutCount] = [
  encoded('{"value":'),
  encoded(',"count":'),
  encoded(',"count":0'),
];

export function recordWriter(wrapping: Wrapping): RecordWriter {
  const writeMember = memberWriter(wrapping);
  const membersWith = (computed: Members) =>
    recordLayout.map((member) => ({
      ...named(member, writeMember(member)),
      isComputed: Object.hasOwn(computed, member.name),
      part: recordParts.find((part): part is RecordPart => part === member.name) ?? 'root',
    }));
  let members: ReturnType<typeof membersWith> | undefined;
  return (record, computed, counts) => {
    members ??= membersWith(computed);
    json.begin();
    places.begin(counts);
    let [isFirst, tagsAt] = [true, 0];
    json.part(opening);
    for (const member of members) {
      const held = (member.isComputed ? computed : record)[member.name];
      if (isLeftOut(member, held)) continue;
      places.part = member.part;
      json.part(member.key, isFirst ? 1 : 0);
      isFirst = false;
      if (member.name === 'tags') tagsAt = json.length;
      member.write(held);
    }
    json.part(closing);
    return { bytes: json.finish(), tagsAt, counts: places.finish() };
  };
}

function named(member: Member, writer: MemberWriter): NamedWriter {
  return { ...writer, name: member.name, key: encoded(`,"${member.name}":`) };
}

function isLeftOut({ isOptional }: MemberWriter, held: unknown): boolean {
  return isOptional && (held === undefined || held === null);
}

function memberWriter(wrapping: Wrapping): (member: Member) => MemberWriter {
  const isCounted = wrapping === 'counted';
  const unknown = encoded(isCounted ? '{"value":"","count":0}' : '{"value":""}');
  const writeWrapped = (value: unknown): void => {
    if (value === '') return json.part(unknown);
    json.part(valueStart);
    json.value(value);
    if (isCounted) {
      json.part(countStart);
      json.count(places.next(json.length));
    }
    json.part(closing);
  };
  const writeOwn = (held: unknown): void => {
    json.part(valueStart);
    json.value(held ?? '');
    if (isCounted) json.part(withoutCount);
    json.part(closing);
  };

  const writeMember = (member: Member): MemberWriter => {
    const isOptional =
      member.kind === 'optional' || (member.kind === 'plain' && member.unknown === undefined);
    return { isOptional, write: writerOf(member) };
  };

  const writerOf = (member: Member): MemberWriter['write'] => {
    switch (member.kind) {
      case 'plain': {
        const instead = encoded(JSON.stringify(member.unknown ?? null));
        return (held) => (held === undefined || held === null ? json.part(instead) : json.value(held));
      }
      case 'own':
        return writeOwn;
      case 'value': {
        const instead = member.unknown === 'plain' ? emptyText : unknown;
        return (held) => (held === undefined ? json.part(instead) : writeWrapped(held ?? ''));
      }
      case 'values':
        return (held) => writeList(held, writeWrapped);
      case 'objects': {
        const write = objectWriter(member.members);
        return (held) => writeList(held, write);
      }
      case 'optional':
        return objectWriter(member.members);
      case 'object': {
        const write = objectWriter(member.members);
        return (held) => write(held ?? {});
      }
    }
  };

  const objectWriter = (layout: Layout): MemberWriter['write'] => {
    const members = layout.map((member) => named(member, writeMember(member)));
    return (held) => {
      let isFirst = true;
      json.part(opening);
      for (const member of members) {
        const own = (held as Members)[member.name];
        if (isLeftOut(member, own)) continue;
        json.part(member.key, isFirst ? 1 : 0);
        isFirst = false;
        member.write(own);
      }
      json.part(closing);
    };
  };

  return writeMember;
}

function writeList(held: unknown, write: (one: unknown) => void): void {
  const list = (held ?? []) as readonly unknown[];
  if (list.length === 0) return json.part(emptyList);
  json.part(listStart);
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) json.part(comma);
    write(list[index]);
  }
  json.part(listEnd);
}
