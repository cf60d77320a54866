import type { ReactNode } from 'react';
import { counted, domains, number, phrase } from './language.ts';

const colours = {
  grey: 'Grey',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  violet: 'Violet',
} as const;

const scopes = { own: 'Only you', team: 'Your team' } as const;

export const tagWords = {
  title: 'Tags',
  all: 'All tags',
  loading: 'tags',
  what: 'The tags',
  more: 'The account has more tags than are listed: those that were used last are here.',
  colours,
  scopes,
  scopesLong: { own: 'Only you see it', team: 'Everybody in the account sees it' },
  onlyYours: 'only yours',
  columns: {
    tag: 'Tag',
    scope: 'Seen by',
    domains: 'Domains',
    risk: 'Average risk',
    expires: 'Expires',
    by: 'Made by',
    used: 'Last used',
    actions: 'Actions',
  },
  never: 'never',
  unknown: 'unknown',
  edit: 'Edit',
  editTag: (label: string) => `Edit the tag ${label}`,
  delete: 'Delete',
  deleteTag: (label: string) => `Delete the tag ${label}`,
  filter: 'Filter tags',
  filterKey: 'Filter tags by label',
  noneMatch: 'No tag has this in its label',
  empty: 'There are no tags yet',
  emptyHint:
    'Tags gather domains: those of a case, of a campaign, of a customer. Give one to a domain on its page, or with the key t in Triage and Search.',
  toTriage: 'To Triage',
  toSearch: 'To Search',
  editTitle: (label: ReactNode) => phrase`Tag ${label}`,
  label: 'Label',
  colour: 'Colour',
  scope: 'Seen by',
  expiry: 'Expires',
  expiryHint: 'At that time it disappears from all domains and searches. Empty: it stays.',
  toTeam: 'Everybody in the account will see it, with its domains.',
  toOwn: 'Your colleagues will no longer have it.',
  changed: 'The tag was changed',
  mergeDialog: 'Merge',
  mergeTitle: (label: ReactNode) => phrase`Merge into ${label}?`,
  mergeHint: (from: ReactNode, moved: number, into: ReactNode, there: number) =>
    phrase`${from} is on ${domains(moved)}, ${into} on ${number(there)}. They become one tag; this cannot be undone.`,
  merge: 'Merge',
  merged: (moved: number, all: number) => `Merged ${domains(moved)}: the tag is on ${number(all)} now`,
  deleteTitle: (label: ReactNode) => phrase`Delete ${label}?`,
  deleteHint: (count: number) =>
    count === 0 ? 'No domain has it.' : `It disappears from ${domains(count)}. This cannot be undone.`,
  deleted: (count: number) => `Deleted from ${domains(count)}`,
} as const;

export const tagDialogWords = {
  title: 'Tags of domains',
  of: (name: ReactNode) => phrase`Tags of ${name}`,
  ofMany: (count: number) => `Tags of ${domains(count)}`,
  loading: 'tags',
  find: 'Find or make a tag',
  some: (has: number, all: number) => `on ${number(has)} of ${number(all)}`,
  make: (label: ReactNode) => phrase`Make ${label}`,
  newSeenBy: 'A new tag is seen by',
  comma: 'A label has no commas.',
  none: 'No tags yet: type a label to make one.',
  missing: (count: number) =>
    `${counted(count, 'domain has', 'domains have')} no record yet and cannot be tagged.`,
  tooMany: (count: number, max: number) =>
    `${number(count)} domains are selected; at most ${number(max)} are tagged at once.`,
  apply: 'Apply',
  applied: 'Tags changed',
  choices: 'Tags',
} as const;

export const tagPageWords = {
  what: 'The tag',
  search: 'Open in Search',
  edit: 'Edit',
  total: (count: number) => domains(count),
  none: 'You have no tag of this label',
  noneHint: 'It may have been renamed, deleted or expired, or it is a tag that only a colleague sees.',
  domains: 'Domains',
  noDomains: 'No domain has it.',
  someOf: (shown: number, all: number) => `${number(shown)} of ${domains(all)}`,
  overlap: 'Also tagged',
  noOverlap: 'These domains have no other tags.',
  overlapPart: 'Only the first 100,000 domains were compared.',
  both: 'Domains with both',
  columns: { tag: 'Tag', domains: 'Domains', share: 'Share' },
  share: (part: number) => `${Math.round(part * 100)} %`,
} as const;

/** Tags on the page of a domain. */
export const tagChipWords = { edit: 'Edit tags' } as const;
