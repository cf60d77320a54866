/** What the dialog of tags offers: every tag with how many of the domains have it, and what is to change. */
import type { DomainTags as DomainTagsWire, TagView } from '../../../../src/http/web/tag/tag-wire.ts';
import { type Foreign, foreign, plain, type Received } from '../../data/foreign.ts';

export type Tag = Received<TagView>;
export type TagColour = TagView['colour'];
export type TagScope = TagView['scope'];
export type DomainTags = Received<DomainTagsWire>;

export interface TagChoice {
  readonly key: string;
  readonly label: Foreign;
  readonly scope: TagScope;
  readonly colour: TagColour;
  /** How many of the domains have it. */
  readonly has: number;
  readonly isNew: boolean;
}

/** As the server compares labels. */
export const foldLabel = (label: string): string =>
  label.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export const keyOfTag = (label: string, scope: TagScope): string => `${scope} ${foldLabel(label)}`;

/** Those that some of the domains have first, then by label; below them those that were just typed. */
export function tagChoices(
  tags: readonly Tag[],
  of: DomainTags,
  made: readonly { readonly label: string; readonly scope: TagScope }[],
): readonly TagChoice[] {
  const has = new Map<string, number>();
  for (const { tags: given } of of.domains)
    for (const { label, scope } of given) {
      const key = keyOfTag(plain(label), scope);
      has.set(key, (has.get(key) ?? 0) + 1);
    }
  const known = tags.map(({ label, scope, colour }) => {
    const key = keyOfTag(plain(label), scope);
    return { key, label, scope, colour, has: has.get(key) ?? 0, isNew: false };
  });
  const keys = new Set(known.map(({ key }) => key));
  const typed = made
    .map(({ label, scope }) => ({
      key: keyOfTag(label, scope),
      label: foreign(label),
      scope,
      colour: 'grey' as const,
      has: 0,
      isNew: true,
    }))
    .filter(({ key }) => !keys.has(key));
  return [
    ...typed,
    ...known.filter(({ has: count }) => count > 0),
    ...known.filter(({ has: count }) => count === 0),
  ];
}

export type Wanted = ReadonlyMap<string, boolean>;

/** Whether a tag will be on all, on some or on none of the domains. */
export function stateOf({ key, has }: TagChoice, wanted: Wanted, domains: number): 'all' | 'some' | 'none' {
  const chosen = wanted.get(key);
  if (chosen !== undefined) return chosen ? 'all' : 'none';
  if (has === 0) return 'none';
  return has === domains ? 'all' : 'some';
}

/** What is to be sent: only what differs from what is. */
export function tagChangesOf(choices: readonly TagChoice[], wanted: Wanted, domains: number) {
  const chosen = (want: boolean) =>
    choices
      .filter(({ key, has }) => wanted.get(key) === want && (want ? has < domains : has > 0))
      .map(({ label, scope }) => ({ label: plain(label), scope }));
  return { add: chosen(true), remove: chosen(false) };
}
