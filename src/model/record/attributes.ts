/** The values of a record that can be shared with other domains, each with its attribute. */
import type { Attribute } from './condition.ts';
import type { DomainRecord } from './domain-record.ts';
import { type Layout, recordLayout } from './record-layout.ts';
import { shownRecord } from './shown-record.ts';

export interface SharedValue {
  readonly attribute: Attribute;
  readonly value: string;
}

/** The parts of a record that are shown: the root always, the parsed records on request. */
export const recordParts = ['root', 'parsed_whois', 'parsed_domain_rdap'] as const;
export type RecordPart = (typeof recordParts)[number];

export const partLayouts: Readonly<Record<RecordPart, Layout>> = {
  root: recordLayout.filter(({ kind }) => kind !== 'optional'),
  parsed_whois: recordLayout.filter(({ name }) => name === 'parsed_whois'),
  parsed_domain_rdap: recordLayout.filter(({ name }) => name === 'parsed_domain_rdap'),
};

/** Distinct pairs, as shown: not folded. Numbers are strings of digits, the days of a certificate YYYYMMDD. */
export function valuesOf(record: DomainRecord): readonly SharedValue[] {
  const values: SharedValue[] = [];
  const known = new Set<string>();
  visitValues(shownRecord(record), recordLayout, (attribute, value) => {
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

/** Visits the values of a shown record in the order of the layout, repeated ones included. An empty text is not a value. */
export function visitValues(
  shown: Members,
  layout: Layout,
  visit: (attribute: Attribute, value: string) => void,
): void {
  for (const member of layout) {
    const content = shown[member.name];
    if (content === undefined) continue;
    if (member.kind === 'value') {
      if (content !== '') visit(member.attribute, String(content));
    } else if (member.kind === 'values') {
      for (const one of content as unknown[]) if (one !== '') visit(member.attribute, String(one));
    } else if (member.kind === 'objects') {
      for (const one of content as Members[]) visitValues(one, member.members, visit);
    } else if ('members' in member) visitValues(content as Members, member.members, visit);
  }
}
