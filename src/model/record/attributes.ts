/** The values of a record that lead to other domains, each with the attribute that has it. */
import type { Attribute } from './condition.ts';
import type { DomainRecord } from './domain-record.ts';
import { type Layout, recordLayout } from './record-layout.ts';
import { shownRecord } from './shown-record.ts';

export interface SharedValue {
  readonly attribute: Attribute;
  readonly value: string;
}

/** What of a record is shown together: its root always, the parsed records where somebody asks for them. */
export const recordParts = ['root', 'parsed_whois', 'parsed_domain_rdap'] as const;
export type RecordPart = (typeof recordParts)[number];

export const partLayouts: Readonly<Record<RecordPart, Layout>> = {
  root: recordLayout.filter(({ kind }) => kind !== 'asked'),
  parsed_whois: recordLayout.filter(({ name }) => name === 'parsed_whois'),
  parsed_domain_rdap: recordLayout.filter(({ name }) => name === 'parsed_domain_rdap'),
};

/** Every pair once, as it is shown: not folded. Numbers are texts of digits, a certificate's days are YYYYMMDD. */
export function valuesOf(record: DomainRecord): readonly SharedValue[] {
  const values: SharedValue[] = [];
  const known = new Set<string>();
  walkValues(shownRecord(record), recordLayout, (attribute, value) => {
    const pair = `${attribute} ${value}`;
    if (known.has(pair)) return;
    known.add(pair);
    values.push({ attribute, value });
  });
  return values;
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

/**
 * Meets the values of a record that was made ready to be shown, in the order of the layout, each as often as it is there. An
 * empty text is no value.
 */
export function walkValues(
  shown: Members,
  layout: Layout,
  meet: (attribute: Attribute, value: string) => void,
): void {
  for (const member of layout) {
    const held = shown[member.name];
    if (held === undefined) continue;
    if (member.kind === 'value') {
      if (held !== '') meet(member.attribute, String(held));
    } else if (member.kind === 'values') {
      for (const one of held as unknown[]) if (one !== '') meet(member.attribute, String(one));
    } else if (member.kind === 'objects') {
      for (const one of held as Members[]) walkValues(one, member.members, meet);
    } else if ('members' in member) walkValues(held as Members, member.members, meet);
  }
}
