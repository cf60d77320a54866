/**
 * Records as JSON, written by their layout without making the objects first: a page has hundreds of records with a hundred members each.
 * Values are wrapped, in Investigate with the number of other domains that have them; here these are 0, and `counted-bytes.ts` puts
 * them in.
 */
import { type RecordPart, recordParts } from '../../../model/record/attributes.ts';
import { type Layout, type Member, recordLayout } from '../../../model/record/record-layout.ts';
import type { Wrapping } from './record-schema.ts';

export type Members = Readonly<Record<string, unknown>>;

export interface RecordText {
  /** With a `countMark` where the count of a value belongs. */
  readonly text: string;
  /** Where the value of the member `tags` begins. */
  readonly tagsAt: number;
  /** The part whose value each mark counts, in the order of the text. Within a part this is the order in which counts are stored. */
  readonly countedParts: readonly RecordPart[];
}

/** One byte that is nowhere else in JSON, which escapes it. */
export const countMark = '\u0001';

/**
 * The JSON of a record: `computed` members replace those of `record` of the same name, also where they are undefined. Every call has the
 * same names there.
 */
export type RecordWriter = (record: Members, computed: Members) => RecordText;

/** The JSON of what a record has under one name; undefined where the member is left out. */
type WriteMember = (held: unknown, marks: Marks) => string | undefined;

export function recordWriter(wrapping: Wrapping): RecordWriter {
  const write = memberWriter(wrapping);
  const membersWith = (computed: Members) =>
    recordLayout.map((member) => ({
      name: member.name,
      key: `"${member.name}":`,
      isComputed: Object.hasOwn(computed, member.name),
      part: recordParts.find((part) => part === member.name) ?? 'root',
      write: write(member),
    }));
  let members: ReturnType<typeof membersWith> | undefined;
  return (record, computed) => {
    members ??= membersWith(computed);
    const marks = new Marks();
    let [text, tagsAt] = ['', 0];
    for (const member of members) {
      const held = (member.isComputed ? computed : record)[member.name];
      marks.part = member.part;
      const made = member.write(held, marks);
      if (made === undefined) continue;
      text += (text === '' ? '{' : ',') + member.key;
      if (member.name === 'tags') tagsAt = text.length;
      text += made;
    }
    return { text: `${text}}`, tagsAt, countedParts: marks.parts };
  };
}

/** Notes the part of each value that is counted. */
class Marks {
  readonly parts: RecordPart[] = [];
  /** Of the member that is being written. */
  part: RecordPart = 'root';

  next(): string {
    this.parts.push(this.part);
    return countMark;
  }
}

function memberWriter(wrapping: Wrapping): (member: Member) => WriteMember {
  const isCounted = wrapping === 'counted';
  const unknown = isCounted ? '{"value":"","count":0}' : '{"value":""}';
  const wrapped = (value: unknown, marks: Marks): string => {
    if (value === '') return unknown;
    return isCounted
      ? `{"value":${jsonText(value)},"count":${marks.next()}}`
      : `{"value":${jsonText(value)}}`;
  };
  const own = (value: unknown): string => `{"value":${jsonText(value)}${isCounted ? ',"count":0' : ''}}`;

  const writeMember = (member: Member): WriteMember => {
    switch (member.kind) {
      case 'plain': {
        const without = member.unknown === undefined ? undefined : JSON.stringify(member.unknown);
        return (held) => (held === undefined || held === null ? without : jsonText(held));
      }
      case 'own':
        return (held) => own(held ?? '');
      case 'value':
        return (held, marks) => {
          if (held === undefined && member.unknown === 'plain') return '""';
          return wrapped(held ?? '', marks);
        };
      case 'values':
        return (held, marks) => listText(held, (one) => wrapped(one, marks));
      case 'objects': {
        const write = writeObject(member.members);
        return (held, marks) => listText(held, (one) => write(one as Members, marks));
      }
      case 'optional': {
        const write = writeObject(member.members);
        return (held, marks) => (held === undefined ? undefined : write(held as Members, marks));
      }
      case 'object': {
        const write = writeObject(member.members);
        const empty = write({}, new Marks());
        return (held, marks) => (held === undefined || held === null ? empty : write(held as Members, marks));
      }
    }
  };

  const writeObject = (layout: Layout): ((from: Members, marks: Marks) => string) => {
    const members = layout.map((member) => ({
      name: member.name,
      key: `"${member.name}":`,
      write: writeMember(member),
    }));
    return (from, marks) => {
      let text = '';
      for (const { name, key, write } of members) {
        const made = write(from[name], marks);
        if (made !== undefined) text += (text === '' ? '{' : ',') + key + made;
      }
      return text === '' ? '{}' : `${text}}`;
    };
  };

  return writeMember;
}

function listText(held: unknown, write: (one: unknown) => string): string {
  let text = '';
  for (const one of (held ?? []) as readonly unknown[]) text += (text === '' ? '[' : ',') + write(one);
  return text === '' ? '[]' : `${text}]`;
}

/** What JSON escapes; of surrogates only those without their other half, which `JSON.stringify` decides. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are escaped
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

function jsonText(value: unknown): string {
  return typeof value === 'string' && !escaped.test(value) ? `"${value}"` : JSON.stringify(value);
}
