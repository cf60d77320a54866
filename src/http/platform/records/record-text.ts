/**
 * Records as JSON, written by their layout without making the objects first: a page has hundreds of records with a hundred members each.
 * Values are wrapped, in Investigate with the number of other domains that have them. Counts are stored in the order in which the
 * layout visits the values.
 */
import { recordParts } from '../../../model/record/attributes.ts';
import { type Layout, type Member, recordLayout } from '../../../model/record/record-layout.ts';
import type { ValueCounts } from '../../../store/domain-store.ts';
import type { Wrapping } from './record-schema.ts';

export type Members = Readonly<Record<string, unknown>>;

export interface RecordText {
  readonly text: string;
  /** Where the value of the member `tags` begins. */
  readonly tagsAt: number;
}

/**
 * The JSON of a record: `computed` members replace those of `record` of the same name, also where they are undefined. Every call has the
 * same names there.
 */
export type RecordWriter = (record: Members, computed: Members, counts: ValueCounts) => RecordText;

/** The JSON of what a record has under one name; undefined where the member is left out. */
type WriteMember = (held: unknown, counts: CountCursor) => string | undefined;

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
  return (record, computed, counts) => {
    members ??= membersWith(computed);
    const root = new CountCursor(counts.root);
    let [text, tagsAt] = ['', 0];
    for (const member of members) {
      const held = (member.isComputed ? computed : record)[member.name];
      const cursor = member.part === 'root' ? root : new CountCursor(counts[member.part]);
      const made = member.write(held, cursor);
      if (made === undefined) continue;
      text += (text === '' ? '{' : ',') + member.key;
      if (member.name === 'tags') tagsAt = text.length;
      text += made;
    }
    return { text: `${text}}`, tagsAt };
  };
}

const noCounts = new Uint32Array(0);

/** Reads counts in order, one for each value visited. */
class CountCursor {
  readonly #counts: Uint32Array;
  #index = 0;

  constructor(counts: Uint32Array = noCounts) {
    this.#counts = counts;
  }

  /** The number of other domains that have the value. */
  nextOthers(): number {
    const count = this.#counts[this.#index] ?? 0;
    this.#index += 1;
    return Math.max(0, count - 1);
  }
}

function memberWriter(wrapping: Wrapping): (member: Member) => WriteMember {
  const isCounted = wrapping === 'counted';
  const unknown = isCounted ? '{"value":"","count":0}' : '{"value":""}';
  const wrapped = (value: unknown, counts: CountCursor): string => {
    if (value === '') return unknown;
    return isCounted
      ? `{"value":${jsonText(value)},"count":${counts.nextOthers()}}`
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
        return (held, counts) => {
          if (held === undefined && member.unknown === 'plain') return '""';
          return wrapped(held ?? '', counts);
        };
      case 'values':
        return (held, counts) => listText(held, (one) => wrapped(one, counts));
      case 'objects': {
        const write = writeObject(member.members);
        return (held, counts) => listText(held, (one) => write(one as Members, counts));
      }
      case 'optional': {
        const write = writeObject(member.members);
        return (held, counts) => (held === undefined ? undefined : write(held as Members, counts));
      }
      case 'object': {
        const write = writeObject(member.members);
        const empty = write({}, new CountCursor());
        return (held, counts) =>
          held === undefined || held === null ? empty : write(held as Members, counts);
      }
    }
  };

  const writeObject = (layout: Layout): ((from: Members, counts: CountCursor) => string) => {
    const members = layout.map((member) => ({
      name: member.name,
      key: `"${member.name}":`,
      write: writeMember(member),
    }));
    return (from, counts) => {
      let text = '';
      for (const { name, key, write } of members) {
        const made = write(from[name], counts);
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
