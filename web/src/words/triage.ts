import type { ReactNode } from 'react';
import type { DecisionTarget } from '../../../src/http/web/detect/domain-wire.ts';
import { domains, number, phrase } from './language.ts';

export const listWords = {
  new: 'New',
  changed: 'Changed',
  watched: 'Watched',
  ignored: 'Ignored',
  blocked: 'Blocked',
} as const;

type ByTarget = Readonly<Record<DecisionTarget, string>>;

/** What was decided, and what the button says that decides it. */
export const decisionWords = {
  done: {
    watched: 'Watching',
    ignored: 'Ignored',
    blocked: 'Blocked',
    external_safe: 'Submitted',
  } as ByTarget,
  was: { watched: 'watched', ignored: 'ignored', blocked: 'blocked', external_safe: 'submitted' } as ByTarget,
  verbs: { watched: 'Watch', ignored: 'Ignore', blocked: 'Block', external_safe: 'Submit' } as ByTarget,
  doneTo: (done: string, what: ReactNode) => phrase`${done} ${what}`,
  undone: (count: number) => (count === 1 ? 'Undone' : `Undone for ${domains(count)}`),
  nothingToUndo: 'There is nothing to undo.',
  refused: (count: number, why: ReactNode) =>
    count === 1
      ? phrase`One domain was left as before: ${why}`
      : phrase`${domains(count)} were left as before: ${why}`,
  notAllUndone: (why: ReactNode, others: number) =>
    others > 0
      ? phrase`Not all of it could be undone: ${why} (and ${number(others)} more)`
      : phrase`Not all of it could be undone: ${why}`,
  conflict: (by: ReactNode, domain: ReactNode, others: number) =>
    others > 0
      ? phrase`Not undone: ${by} has decided about ${domain} and ${number(others)} more since.`
      : phrase`Not undone: ${by} has decided about ${domain} since.`,
} as const;

export const triageWords = {
  title: 'Triage',
  titleWith: (count: number) => `Triage (${count})`,
  domains: 'Domains',
  countHint: 'Domains of this list that match the filter',
  lists: 'Lists',
  inAll: (count: number) => `${number(count)} in all`,
  sinceVisit: (count: number) => `${number(count)} since your last visit`,
  sinceVisitHint: 'Arrived in this list since your last visit',
  order: 'Order',
  sorts: { risk: 'Risk first', newest: 'Newest first', name: 'By name', changed: 'Last changed' },
  facets: 'Facets',
  facetsHint: 'Facets (f)',
  asList: 'Show as a list',
  asListHint: 'List (v)',
  asWall: 'Show screenshots',
  asWallHint: 'Screenshots (v)',
  decisions: 'Recent decisions',
  decisionsHint: 'Recent decisions (g d)',
  filterNames: 'Filter names',
  filterNamesPlaceholder: 'Filter names  /',
  filterNamesHint:
    "Filters all domains of the list; the browser's own search sees only the rows on the screen",
  theList: 'The list',
  loadingList: 'the list',
  arrived: (count: number) => `${number(count)} new domains. Press n to show them.`,
  new: (count: number) => `${number(count)} new`,
  noMatch: 'No domain matches the filter',
  clearFilter: 'Clear the filter',
  noMonitors: 'Nothing is monitored yet',
  noMonitorsHint:
    'A monitor is a term that you protect, such as the name of a brand. Names that resemble it appear here.',
  noneIn: (list: keyof typeof listWords) => `No domain is ${listWords[list].toLowerCase()}`,
  nothingLeft: 'Nothing left to decide',
  nothingLeftHint: 'New lookalikes appear here as they are found.',
  showChanged: 'Show what has changed',
} as const;

export const toolbarWords = {
  pack: 'Pack',
  packKey: 'p',
  packHint: 'Evidence pack of what is selected: a signed ZIP file for a registrar or a lawyer',
  label: 'Decide',
  selected: (count: number, all: boolean) => `${all ? 'All ' : ''}${number(count)} selected`,
  clear: 'Clear',
  clearKey: 'Esc',
  submitHint: 'Submit to the safe-browsing service',
} as const;

export const rowWords = {
  lookalikes: 'Lookalikes',
  screenshots: 'Screenshots of lookalikes',
  unseen: 'New since your last visit',
  takesMail: 'takes mail',
  notes: (count: number) => (count === 1 ? 'one note' : `${number(count)} notes`),
  assignedTo: (name: string) => `Assigned to ${name}`,
  movedBy: (done: string, by: ReactNode) => phrase`${done} by ${by}`,
  you: 'you',
  decidedBy: (by: ReactNode, ago: ReactNode) => phrase`by ${by}, ${ago}`,
  escalatedBy: (type: string, by: ReactNode, ago: ReactNode) =>
    type === 'blocked' ? phrase`blocked by ${by}, ${ago}` : phrase`submitted by ${by}, ${ago}`,
  noAddress: 'no address',
  selected: 'selected',
  alike: (count: number) => `×${number(count)} alike`,
  selectAlike: 'Select all that have this picture',
} as const;

export const clusterWords = {
  by: {
    name_server: 'name server',
    certificate: 'certificate',
    picture: 'picture',
    ip: 'address',
    analytics: 'analytics code',
  },
  share: (count: ReactNode, by: string, value: ReactNode) => phrase`${count} share the ${by} ${value}`,
  alike: (count: number) => `${number(count)} alike`,
  rest: (count: number) => `The other ${number(count)}`,
  none: 'No other domain of this list shares a name server, certificate, picture or address with it.',
} as const;

export const facetWords = {
  title: 'Facets',
  narrow: 'Narrow down',
  close: 'Close the facets',
  whyMatched: 'Why matched',
  all: 'all',
  filters: 'Filters',
  removeFilter: 'Remove this filter',
  clear: 'Clear',
  conditions: {
    monitor: 'monitor',
    class: 'matched by',
    tld: 'suffix',
    risk: 'risk',
    registrar: 'registrar',
    name_server: 'name server',
    ip: 'address',
    country: 'country',
    picture: 'picture',
    assignee: 'assigned to',
    mx: 'takes mail',
    resolved: 'resolved by us',
    q: 'name has',
    since: 'since',
  },
  titles: {
    monitor: 'Monitor',
    registrar: 'Registrar',
    name_server: 'Name server',
    ip: 'Address',
    country: 'Country',
    tld: 'Suffix',
    picture: 'Like pictures',
  },
  risk: 'Risk',
  mail: 'Mail',
  takesMail: { yes: 'Takes mail', no: 'Takes no mail' },
  resolved: 'Sightings',
  isResolved: { yes: 'Resolved by us', no: 'Not resolved by us' },
  values: 'These values',
  noValues: 'No values',
  moreValues: (count: number) => `${number(count)} more`,
  narrowFirst: 'There are more: narrow down first.',
  averageRisk: 'Average risk',
} as const;

export const cardWords = {
  label: (name: string) => `Card of ${name}`,
  copyDefanged: 'Copy defanged',
  openPage: 'Open the page of the domain',
  openPageHint: 'Everything about it (Shift-O)',
  close: 'Close the card',
  captured: (ago: ReactNode) => phrase`captured ${ago}`,
  from: (address: ReactNode) => phrase` from ${address}`,
  visit: 'Visit with care',
  risk: 'Risk',
  rest: 'The rest of this card',
  loading: 'the card',
  ownSuffix: 'itself, under a suffix that is not yours.',
  moreReasons: (count: number) => (count === 1 ? ' and 1 more reason' : ` and ${number(count)} more reasons`),
  shared: 'Shared with others',
  nothingShared: 'Nothing that is known of it occurs elsewhere.',
  what: 'What',
  value: 'Value',
  averageRisk: 'Average risk',
  averageRiskHint: 'Average risk of the domains that share it',
  domains: 'Domains',
  guided: 'Shared by few: worth following',
  changes: 'Changes',
  decisions: 'Decisions',
  decision: (was: ReactNode, by: ReactNode) => phrase`${was} by ${by}`,
  undoneBy: (by: ReactNode) => phrase` undone by ${by}`,
  notes: 'Notes',
  assign: 'Assign',
  addNote: 'Add a note (m)',
  newNote: 'New note',
  save: 'Save',
  saveKeys: 'Ctrl ⏎',
  noteBy: (by: ReactNode, ago: ReactNode) => phrase`${by}, ${ago}`,
} as const;

export const confirmWords = {
  label: (verb: string) => `${verb} all that match`,
  question: (verb: string, count: number) => `${verb} all ${number(count)} that match?`,
  explanation:
    'The decision is for every domain that the filter matches now, also those further down. It can be undone as one.',
  type: (count: number) => `Type ${count} to confirm`,
  confirm: (verb: string, count: number) => `${verb} ${number(count)}`,
} as const;

export const assignWords = {
  title: 'Assign',
  heading: (domain: ReactNode) => phrase`Assign ${domain}`,
  to: 'To',
  toNobody: 'To nobody',
  assign: 'Assign',
} as const;

export const copyWords = {
  refused: 'The browser did not allow to copy. Copying works on https and on this machine.',
  defanged: 'Copied, defanged',
  live: 'Copied as it is: a live name',
  liveAddress: 'Copied as it is: a live address',
} as const;
