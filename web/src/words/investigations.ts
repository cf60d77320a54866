import type { ReactNode } from 'react';
import type { GraphKind } from '../pages/investigations/graph/graph-model.ts';
import { counted, domains, number, phrase } from './language.ts';

const searches = (count: number): string => counted(count, 'search', 'searches');
const findings = (count: number): string => counted(count, 'finding', 'findings');

export const addWords = {
  title: 'Add to an investigation',
  to: 'Investigation',
  newOne: 'A new one',
  name: 'Name',
  parent: 'Below',
  root: 'Nothing: the beginning of a branch',
  note: 'Note',
  noteHint: 'Why it matters',
  add: 'Add',
  create: 'Create',
  added: (name: ReactNode) => phrase`Added to ${name}.`,
  open: 'Open',
  thing: 'investigations',
} as const;

export const sharingWords = {
  private: 'private',
  view: 'shared: view',
  add: 'shared: add',
  delete: 'shared: delete',
} as const;

export const sharingChoices = {
  private: 'Only you',
  view: 'The account may view it',
  add: 'The account may add to it and write notes',
  delete: 'The account may add, rename and remove',
} as const;

export const listWords = {
  title: 'Investigations',
  loading: 'investigations',
  thing: 'The investigations',
  newOne: 'New',
  importOne: 'Import',
  importHint: 'An investigation that was exported as a file',
  notAFile: 'This file is not JSON.',
  empty: 'Nothing is being investigated',
  emptyHint: 'Search for something, then press s to keep the search here.',
  toSearch: 'To Search',
  name: 'Name',
  content: 'Content',
  sharing: 'Sharing',
  by: 'By',
  changed: 'Changed',
  contentOf: (nodes: number, items: number) => `${searches(nodes)}, ${findings(items)}`,
  changedBy: (name: ReactNode, ago: ReactNode) => phrase`${ago} by ${name}`,
  createTitle: 'New investigation',
  create: 'Create',
} as const;

export const rightWords = {
  viewOnly: (owner: string) => `You may view this investigation; ${owner} can let you add to it.`,
  notYours: 'You may remove what you have added yourself.',
  ownerOnly: (owner: string) => `Only ${owner} and administrators may do this.`,
} as const;

export const pageWords = {
  thing: 'The investigation',
  loading: 'the investigation',
  gone: 'There is no such investigation',
  goneHint: 'It was deleted, or it is private.',
  toList: 'All investigations',
  byWhom: (name: ReactNode, ago: ReactNode) => phrase`by ${name}, changed ${ago}`,
  edit: 'Name and sharing',
  exportFile: 'Export',
  remove: 'Delete',
  searches: 'Searches',
  tabs: { table: 'Table', graph: 'Graph', findings: 'Findings' },
  tabsLabel: 'Views',
  noSearches: 'No search is kept here yet',
  noSearchesHint: 'Open Search, and press s there.',
  addSearch: 'Add a search',
  changedNow: (name: ReactNode) => phrase`${name} has just changed this investigation.`,
} as const;

export const treeWords = {
  label: 'Searches of the investigation',
  star: 'starred',
  inGraph: 'in the graph',
  notCounted: 'not counted',
  counts: (then: string, now: string) => `${then} then, ${now} now`,
  countSame: (count: string) => `${count} then and now`,
  domains,
  number,
  hint: 'Arrows move, x puts a search into the graph, m writes a note, * stars.',
} as const;

export const nodeWords = {
  note: 'Note',
  addNote: 'Add a note',
  editNote: 'Change the note',
  star: 'Star',
  unstar: 'Remove the star',
  openSearch: 'Open in Search',
  branch: 'Branch from here',
  branchTitle: 'Opens the search; what you save next goes below this one',
  countAgain: 'Count again',
  counting: 'Counting …',
  copyHash: 'Copy search hash',
  remove: 'Remove',
  inGraph: 'Keep in the graph',
  saved: (count: string, ago: ReactNode, by: ReactNode) => phrase`${count} when ${by} saved it ${ago}`,
  savedUncounted: (ago: ReactNode, by: ReactNode) => phrase`Saved by ${by} ${ago}, without a count`,
  countedNow: (count: string, ago: ReactNode) => phrase`${count} when counted ${ago}`,
  averageRisk: 'average risk',
  keys: {
    note: 'Write a note',
    star: 'Star, or remove the star',
    graph: 'Into the graph, or out of it',
    tree: 'To the tree',
    table: 'Table',
    view: 'Graph',
    findings: 'Findings',
    search: 'Open in Search',
  },
} as const;

export const dialogWords = {
  name: 'Name',
  note: 'Note',
  sharing: 'Who else',
  save: 'Save',
  cancel: 'Cancel',
  edit: 'Name and sharing',
  noteTitle: 'Note',
  onlyOwner: (name: string) => `Only ${name} and administrators may change this.`,
  removeTitle: 'Delete this investigation?',
  removeText: (nodes: number, items: number) =>
    `Its ${searches(nodes)} and ${findings(items)} are deleted for everybody. That cannot be undone; an export can be imported again.`,
  removeNodeTitle: 'Remove this search?',
  removeNodeText: (below: number) =>
    below === 0 ? 'Its note goes with it.' : `The ${searches(below)} below it and all notes go with it.`,
  remove: 'Remove',
  conflict: (name: ReactNode) => phrase`${name} has changed the same thing in the meantime.`,
  theirs: 'Now it says',
  nothing: '(nothing)',
  keepMine: 'Save mine anyway',
  takeTheirs: 'Keep theirs',
  doAnyway: 'Do it anyway',
  failed: 'The change was not made.',
} as const;

export const findingWords = {
  kinds: {
    domain: 'domain',
    ip: 'address',
    name_server: 'name server',
    email: 'e-mail',
    certificate: 'certificate',
    text: 'text',
  },
  kind: 'Kind',
  value: 'Value',
  note: 'Note',
  by: 'Added by',
  add: 'Add',
  addTitle: 'Add a finding',
  hint: 'A name, an address, a sentence',
  label: 'Findings',
  empty: 'No findings yet',
  emptyHint: 'Add one here, or with the operations of any value (key .).',
  removeOf: (value: string) => `Remove ${value}`,
  noteOf: (value: string) => `Note about ${value}`,
} as const;

const kinds: Readonly<Record<GraphKind, string>> = {
  domain: 'domain',
  ip: 'address',
  name_server: 'name server',
  registrar: 'registrar',
  email: 'e-mail',
  certificate: 'certificate',
  analytics: 'tracking code',
  registrant: 'registrant',
  soa_email: 'SOA e-mail',
  picture: 'picture',
  page: 'page',
  naming: 'naming pattern',
};

export const graphWords = {
  kinds,
  thing: 'The graph',
  loading: 'the graph',
  canvas: 'Graph of domains and the values that they share. The table beside it has the same domains.',
  noGl: 'This browser cannot draw graphs (it has no WebGL). The table has all domains of the graph.',
  common: 'CDN, parking and very common values',
  lock: 'Lock the layout',
  png: 'PNG',
  gexf: 'GEXF',
  fit: 'Fit',
  saveAs: 'Save as',
  legend: 'Legend',
  table: 'Domains of the graph',
  alike: (count: number, kind: GraphKind) => `${number(count)} ${kinds[kind]}s alike`,
  of: (shown: number, values: number) =>
    `${domains(shown)}, ${counted(values, 'shared value', 'shared values')}`,
  leftOut: (count: number) => `${domains(count)} with a lower risk are left out`,
  valuesLeftOut: (count: number) => `${counted(count, 'shared value', 'shared values')} left out`,
  tooMany: (count: number) => `${searches(count)} match too many domains for a graph`,
  nothing: 'These searches match no domains.',
  laying: 'Finding a layout …',
  selected: (count: number) => `${number(count)} selected`,
  columns: { domain: 'Domain', risk: 'Risk', shared: 'Shared values', registrar: 'Registrar' },
  zoomIn: 'Closer',
  zoomOut: 'Farther',
} as const;
