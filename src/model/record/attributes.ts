/** The values of a record that lead to other domains, each with the attribute that has it. */
import type { Attribute } from './condition.ts';
import type { DomainRecord } from './domain-record.ts';
import { type Layout, recordLayout } from './record-layout.ts';
import { shownRecord } from './shown-record.ts';

export interface SharedValue {
  readonly attribute: Attribute;
  readonly value: string;
}

/** Every pair once, as it is shown: not folded. Numbers are texts of digits, a certificate's days are YYYYMMDD. */
export function valuesOf(record: DomainRecord): readonly SharedValue[] {
  return valuesIn(shownRecord(record));
}

/** The same of a record that has been made ready to be shown. */
export function valuesIn(shown: Members): readonly SharedValue[] {
  const found: Found = { values: [], known: new Set() };
  gather(shown, recordLayout, found);
  return found.values;
}

/** All attributes that a record can have values of. */
export const attributes: readonly Attribute[] = attributesOf(recordLayout);

function attributesOf(layout: Layout): Attribute[] {
  return layout.flatMap((member) => {
    if ('attribute' in member) return [member.attribute];
    return 'members' in member ? attributesOf(member.members) : [];
  });
}

type Members = Readonly<Record<string, unknown>>;

interface Found {
  readonly values: SharedValue[];
  readonly known: Set<string>;
}

function gather(from: Members, layout: Layout, found: Found): void {
  for (const member of layout) {
    const held = from[member.name];
    if (held === undefined) continue;
    if (member.kind === 'value') add(member.attribute, held, found);
    else if (member.kind === 'values') for (const one of held as unknown[]) add(member.attribute, one, found);
    else if (member.kind === 'objects')
      for (const one of held as Members[]) gather(one, member.members, found);
    else if ('members' in member) gather(held as Members, member.members, found);
  }
}

function add(attribute: Attribute, held: unknown, { values, known }: Found): void {
  const value = String(held);
  const pair = `${attribute} ${value}`;
  if (value === '' || known.has(pair)) return;
  known.add(pair);
  values.push({ attribute, value });
}
