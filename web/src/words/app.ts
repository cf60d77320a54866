import type { ReactNode } from 'react';
import { number, phrase } from './language.ts';

/** The names of pages in the rail and in the palette. */
export const pageNames = {
  triage: 'Triage',
  monitors: 'Monitors',
  campaigns: 'Campaigns',
  search: 'Search',
  investigations: 'Investigations',
  tags: 'Tags',
  blocklists: 'Blocklists',
  alerts: 'Alerts',
  feeds: 'Feeds',
  passiveDns: 'Passive DNS',
  report: 'Report',
  evidence: 'Evidence',
  keys: 'Keys and quota',
  health: 'Health',
} as const;

export const pageGroups = {
  detect: 'Detect',
  investigate: 'Investigate',
  account: 'Account and server',
} as const;

export const shellWords = {
  product: 'Nameglass',
  pages: 'Pages',
  skip: 'Skip to the page',
  newInAll: (count: number) => `${number(count)} new in all monitors`,
  manyNew: '999+',
  more: 'More',
  morePages: 'More pages',
  find: 'Find',
  findKeys: 'Ctrl K',
  keys: 'Keys',
  settings: 'Settings',
  settingsOf: 'Settings of ',
  owner: 'owner',
  goKey: (key: string) => `g ${key}`,
  noSuchPage: 'There is no such page',
  toTriage: 'To Triage',
  whoYouAre: 'Who you are',
  dismiss: 'Dismiss',
} as const;

/** What the keys of every page do. */
export const keyWords = {
  title: 'Keys',
  hint: 'Keys are off while you type. Single keys can be switched off in the settings.',
  allKeys: 'All keys',
  palette: 'Palette: paste or type anything',
  settings: 'Settings',
  decisions: 'Recent decisions',
  groups: {
    Move: 'Move',
    Select: 'Select',
    Decide: 'Decide',
    Domain: 'Domain',
    Lists: 'Lists',
    Go: 'Go to',
    General: 'General',
  },
  shown: { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', Enter: '⏎', 'Mod+k': 'Ctrl K' },
} as const;

export const paletteWords = {
  title: 'Palette',
  hint: 'Type a command, or paste a name, URL, address or hash',
  choices: 'Choices',
  nothing: 'Nothing here shows that. Try a name, an address, or a command.',
  openDomain: 'Open the domain',
  openAddress: 'Open the address',
  openNameServer: 'Open the name server',
  openEmail: 'Open the e-mail address',
  openCertificate: 'Open the certificate',
  openSearchHash: 'Open the search of the hash',
  searchFor: 'Search for',
  searchNames: (count: number) => `Search for all ${number(count)} names`,
  searchAddresses: (count: number) => `Search for all ${number(count)} addresses`,
  passiveDns: 'Passive DNS of',
  newWithName: 'New lookalikes with the name',
  watchedWithName: 'Watched domains with the name',
  newWithNameServer: 'New lookalikes with the name server',
  newAtAddress: 'New lookalikes at the address',
  watchedAtAddress: 'Watched domains at the address',
  newWithPicture: 'New lookalikes with the picture',
} as const;

export const sessionWords = {
  ended: 'Your session has ended',
  again: 'Please sign in again',
  nothingLost: 'Sign in to continue where you are. Nothing is lost.',
  recentNeeded: 'This change needs a recent sign-in.',
} as const;

export const settingsWords = {
  title: 'Settings',
  account: (name: ReactNode, permissions: string) => phrase`Account ${name}, may ${permissions}`,
  theme: 'Theme',
  themes: { system: 'system', light: 'light', dark: 'dark' },
  rows: 'Rows',
  densities: { comfortable: 'comfortable', compact: 'compact' },
  times: 'Times in',
  zones: { local: 'local', utc: 'UTC' },
  singleKeys: 'Single keys decide and move',
  notSaved: 'The setting could not be saved.',
  version: (version: string) => `Nameglass ${version}`,
  signingIn: 'Signing in',
  signOut: 'Sign out',
} as const;
