import type { Comparison } from '../query/condition.ts';
import { counted, domains, number } from './language.ts';

const signs: Readonly<Record<Comparison, readonly [is: string, isNot: string]>> = {
  '=': ['=', '≠'],
  contains: ['contains', 'does not contain'],
  '>': ['>', 'not >'],
  '>=': ['≥', 'not ≥'],
  '<': ['<', 'not <'],
  '<=': ['≤', 'not ≤'],
  within: ['within', 'not within'],
};

export const searchWords = {
  title: 'Search',
  thing: 'The search',
  result: 'Domains found',
  loading: 'domains',
  sign: (comparison: Comparison, not: boolean) => signs[comparison][not ? 1 : 0],
  keys: {
    edit: 'Edit the search',
    facets: 'Facets',
    save: 'Save to an investigation',
    export: 'Export',
    copyDefanged: 'Copy names, defanged',
    copy: 'Copy names as they are',
    tag: 'Tag the domains',
    clear: 'Clear the selection',
    table: 'To the table',
  },
  keyNames: { facets: 'f', save: 's', export: 'E', copyDefanged: 'y', tag: 't' },
  facets: 'Facets',
  save: 'Save',
  export: 'Export',
  copyHash: 'Copy search hash',
  hashCopied: 'Copied: the search hash works in the API and in Find (Ctrl K)',
  asText: 'As text',
  asChips: 'As chips',
  notChips: 'A query with OR or NOT before a bracket cannot be chips.',
  conditions: 'Conditions of the search',
  base: 'selects',
  filter: 'filters',
  add: 'Add a condition: a parameter, or paste names, an address, a hash',
  addMore: 'Narrow by …',
  valueOf: (field: string) => `Value of ${field}`,
  comparisonOf: (field: string) => `How ${field} is compared`,
  editCondition: (text: string) => `${text}: change`,
  removeCondition: (text: string) => `Remove ${text}`,
  searchFor: (text: string) => `Search for ${text}`,
  names: (count: number) => counted(count, 'name', 'names'),
  notUnderstood:
    'This is neither a parameter nor a name, address, e-mail address or hash. Choose a parameter first.',
  wouldFind: (count: number) => `${domains(count)} with this`,
  clear: 'Clear',
  query: 'Query',
  queryHint:
    'Conditions joined by AND, OR, NOT and brackets, such as registrar = "Example" AND risk_score >= 70',
  run: 'Run',
  runKeys: 'Ctrl ⏎',
  endOfQuery: 'here it ends',
  goToMistake: 'Go to the mistake',
  columns: { domain: 'Domain', risk: 'Risk', tags: 'Tags', firstSeen: 'First seen' },
  sharedBy: (count: number) => `Shared by ${domains(count)}`,
  moreValues: (count: number) => `+${number(count)}`,
  inactive: 'does not resolve',
  next: (count: number) => `Show the next ${number(count)}`,
  loaded: (shown: number, total: number) => `${number(shown)} of ${number(total)} are loaded`,
  loadingNext: 'Loading …',
  missing: (count: number) => `${counted(count, 'name has', 'names have')} no record:`,
  limits: (used: number, limit: number, window: string) =>
    `${number(used)} of ${number(limit)} this ${window}`,
  limitsTitle: 'Requests to Investigate that the account has made; the API draws on the same limit',
  selected: (count: number) => `${number(count)} selected`,
  copyDefanged: 'Copy defanged',
  copied: (count: number) => `${counted(count, 'name', 'names')} copied as they are`,
  copiedDefanged: (count: number) => `${counted(count, 'name', 'names')} copied, defanged`,
  tag: 'Tag',
  none: 'No domain matches',
  noneHint: 'Remove a condition, or open the facets of a wider search.',
  openHash: 'The search of the hash',
} as const;

export const facetWords = {
  title: 'Narrow down',
  close: 'Close the facets',
  what: 'These values',
  noValues: 'No values',
  narrow: (value: string) => `Narrow to ${value}`,
  exclude: (value: string) => `Exclude ${value}`,
  plus: '+',
  minus: '−',
  averageRisk: (risk: number | null) => `Average risk of all domains with it: ${risk ?? 'not scored'}`,
  guided: 'worth following: shared by few',
  hint: '+ narrows to a value, − excludes it, > searches for it alone',
  tooMany: 'Too many domains for facets: narrow down first.',
  inAll: (count: number) => `${domains(count)} in all`,
} as const;

export const tooManyWords = {
  title: (total: number) => `${domains(total)} match`,
  why: (max: number) => `A search lists at most ${number(max)}. These narrow it best:`,
  estimate: 'Numbers are estimates from a sample.',
  nothing: 'Add a condition, such as registrar, name server or creation date.',
} as const;

export const exportWords = {
  title: 'Export',
  what: (total: number) => domains(total),
  format: 'Format',
  formats: {
    csv: 'CSV, safe for spreadsheets',
    ndjson: 'NDJSON, one whole record a line',
    stix: 'STIX 2.1 bundle',
    txt: 'Plain text, one name a line',
  },
  defang: 'Defanged: example[.]com',
  notForStix: 'STIX patterns hold names as they are.',
  download: 'Download',
  preparing: 'Preparing …',
  overLimit: (max: number) => `An export holds at most ${number(max)} domains: narrow the search.`,
  done: (file: string) => `Saved as ${file}`,
} as const;

export const startWords = {
  intro:
    'Search everything that is known of domains: by registrar, name server, address, certificate, contact, tracking code and more.',
  examples: 'Try one of these',
  recent: 'Your recent searches',
  recentHint: 'Kept in this browser only.',
  clearRecent: 'Forget them',
  demo: {
    registrar: 'A registrar that verifies nothing',
    nameServers: 'Name servers of a phishing crew',
    combined: 'The domains of that registrar without those that are parked',
  },
  anywhere: {
    registered: 'Registered in the last 7 days',
    risky: 'First seen in the last day, with a high risk',
    active: 'Active domains that were first seen in the last hour',
  },
} as const;
