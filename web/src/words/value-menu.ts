/** Operations on a value, wherever one is shown. */
import type { PagedKind } from '../query/value-kind.ts';
import { domains } from './language.ts';

const open: Readonly<Record<PagedKind, string>> = {
  domain: 'Open the domain',
  ip: 'Open the address',
  name_server: 'Open the name server',
  email: 'Open the e-mail address',
  certificate: 'Open the certificate',
};

export const valueMenuWords = {
  title: 'Operations (.)',
  operations: 'Operations',
  whichValue: 'Which value?',
  open,
  pivot: 'Search for it',
  narrow: 'Narrow the search to it',
  exclude: 'Exclude it from the search',
  noParameter: 'No search parameter finds this value.',
  copy: 'Copy',
  copyDefanged: 'Copy defanged',
  copied: 'Copied as it is',
  copiedDefanged: 'Copied, defanged',
  passiveDns: 'Passive DNS of it',
  tag: 'Tag it …',
  add: 'Add to an investigation …',
  counted: (total: number, tooMany: boolean) => (tooMany ? `${domains(total)}, too many` : domains(total)),
  counting: '…',
} as const;

/** The preview of a search before it is run. */
export const previewWords = {
  search: (count: string) => `Search: ${count}`,
  noneYet: 'Counting …',
  failed: 'It could not be counted.',
  riskiest: 'The riskiest:',
} as const;

export const pivotKeyWords = {
  next: 'To the next shared value',
  previous: 'To the shared value before',
} as const;
