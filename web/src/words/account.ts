/** Keys, quota, people and the audit log. */
import type { ReactNode } from 'react';
import { counted, number, phrase } from './language.ts';

const requests = (count: number): string => counted(count, 'request', 'requests');

export const accountWords = {
  sections: 'Sections of the account',
  tabs: {
    keys: 'Keys',
    quota: 'Quota',
    people: 'People',
    signIn: 'Sign-in',
    audit: 'Audit log',
  },
  adminsOnly: 'This is for administrators',
  copy: 'Copy',
  done: 'Done',
} as const;

/** What a product is called; feeds have two, their endpoint and their archives. */
const products: Readonly<Record<string, string>> = {
  'account-information': 'Account information',
  'intel-enrich': 'Enrich',
  'intel-investigate': 'Investigate',
  'intel-detect-monitors': 'Detect: monitors',
  'intel-detect-new-domains': 'Detect: new domains',
  'intel-detect-watched-domains': 'Detect: watched domains',
  'intel-detect-ignored-domains': 'Detect: ignored domains',
  'intel-detect-escalate-domains': 'Detect: escalations',
  'intel-detect-manage-watchlist-domains': 'Detect: triage',
  'newly-observed-domains-feed': 'Feed: newly observed domains',
  'newly-active-domains-feed': 'Feed: newly active domains',
  'newly-observed-hosts-feed': 'Feed: newly observed hosts',
  'domain-registration-data-access-protocol-feed': 'Feed: RDAP',
  'real-time-domain-discovery-feed': 'Feed: discovery',
  'real-time-domain-risk': 'Feed: domain risk',
  'real-time-domain-hotlist': 'Feed: domain hotlist',
  'real-time-ip-risk': 'Feed: address risk',
  'real-time-ip-hotlist': 'Feed: address hotlist',
  pdns: 'Passive DNS',
  batch: 'Batch channels',
  free: 'Free of charge',
  refused: 'Refused',
};

export function productName(id: string): string {
  const archive = id.endsWith('-(s3)');
  const name = products[id.replace(/-\((?:api|s3)\)$/, '')] ?? id;
  return archive ? `${name}, archives` : name;
}

export const permissionWords: Readonly<Record<string, string>> = {
  read: 'read everything',
  triage: 'decide about lookalikes, tag and investigate',
  escalate: 'block and submit domains',
  manage: 'manage monitors and alerts',
  ingest: 'append data to channels',
  admin: 'everything, with keys and people',
};

export const roleWords = {
  legend: 'Role',
  names: {
    viewer: 'Viewer',
    analyst: 'Analyst',
    lead: 'Lead',
    integrator: 'Integrator',
    admin: 'Admin',
    custom: 'Own choice',
  },
  hints: {
    viewer: 'sees everything, changes nothing',
    analyst: 'decides about lookalikes',
    lead: 'decides, blocks and manages monitors',
    integrator: 'reads, and appends data',
    admin: 'also manages keys and people',
    custom: 'single permissions',
  },
  permissions: 'Permissions',
} as const;

export const keyWords = {
  title: 'Keys',
  loading: 'keys',
  what: 'The keys',
  newKey: 'New key',
  testKey: 'Test a key',
  owner: 'API owner',
  ownerIs: (name: ReactNode) => phrase`Only the API owner, ${name}, resets keys.`,
  noOwner: 'This account has no API owner; the operator of the server can make one.',
  ownersKey: 'The key of the API owner is managed by the API owner alone.',
  ownerStays:
    'The key of the API owner cannot be deleted here; the operator can make another user the owner.',
  you: 'You are the API owner: you alone reset keys.',
  expiredChip: 'expired',
  boundChip: 'bound to addresses',
  noPrefix: 'key not readable',
  prefix: (start: ReactNode) => phrase`${start}…`,
  facts: {
    may: 'May',
    products: 'Products',
    expires: 'Expires',
    addresses: 'Works from',
    used: 'Last used',
    days: '30 days',
    made: 'Made',
    refused: 'Last refused',
  },
  allProducts: 'all of the account',
  someProducts: (count: number) => counted(count, 'product', 'products'),
  pdnsOwn: 'passive DNS',
  pdnsShared: 'passive DNS (shared quota)',
  batchAll: 'batch channels: all',
  batchSome: (channels: string) => `batch channels: ${channels}`,
  never: 'never',
  everywhere: 'everywhere',
  neverUsed: 'never',
  usedFrom: (ago: ReactNode, address: ReactNode) => phrase`${ago} from ${address}`,
  refusedFrom: {
    address: (ago: ReactNode, address: ReactNode) => phrase`${ago} from ${address}: not an allowed address`,
    expired: (ago: ReactNode, address: ReactNode) => phrase`${ago} from ${address}: expired`,
  },
  madeBy: (ago: ReactNode, by: ReactNode) => phrase`${ago} by ${by}`,
  requests: 'Requests',
  change: 'Change',
  changeOf: (name: string) => `Change the key ${name}`,
  reset: 'Reset',
  resetOf: (name: string) => `Reset the key ${name}`,
  delete: 'Delete',
  deleteOf: (name: string) => `Delete the key ${name}`,
} as const;

export const keyFormWords = {
  newTitle: 'New key',
  changeTitle: (name: ReactNode) => phrase`Change the key ${name}`,
  name: 'Name',
  nameHint: 'Letters, digits and . _ @ -; it appears wherever the key did something.',
  namePlaceholder: 'siem-prod',
  preset: 'What for',
  presets: {
    siem: 'SIEM, read only',
    detect: 'Detect automation',
    pdns: 'Passive DNS',
    batch: 'Batch channels',
    full: 'Full',
  },
  presetHints: {
    siem: 'reads records, lookalikes and feeds',
    detect: 'reads, decides about lookalikes and blocks',
    pdns: 'passive DNS alone',
    batch: 'a batch key alone',
    full: 'everything but keys and people',
  },
  expiry: 'Expires',
  expiries: { 30: 'in 30 days', 90: 'in 90 days', 365: 'in 365 days', date: 'on a date', never: 'never' },
  date: 'Last day',
  more: 'Permissions, products and addresses',
  permissions: 'Permissions',
  products: 'Products',
  allProducts: 'All products of the account, also later ones',
  pdns: 'Passive DNS, on the quota of the API owner',
  noPdns: 'Passive DNS: the API owner has none to share',
  batch: 'A batch key',
  noBatch: 'A batch key: the API owner has none',
  channels: 'Channels',
  channelsHint: 'Numbers separated by commas; empty: all that the account may have.',
  addresses: 'Works only from',
  addressesHint: 'Addresses or prefixes such as 192.0.2.0/24, one per line; empty: from everywhere.',
  myAddress: (address: ReactNode) => phrase`Add mine, ${address}`,
  create: 'Create key',
  creating: 'Creating …',
  saved: 'The key was changed',
} as const;

export const shownKeyWords = {
  created: (name: ReactNode) => phrase`The key ${name}`,
  once: 'It is shown this once. Copy it now: nobody can read it later, not even the operator.',
  apiKey: 'API key',
  batchKey: 'Batch key',
  curl: 'Try it in a shell',
  batchCurl: 'The batch key in a shell',
  copied: 'Key copied',
  curlCopied: 'Command copied',
  test: 'Test this key',
  testing: 'Testing …',
  done: 'I have it',
} as const;

export const keyTestWords = {
  title: 'Test a key',
  hint: 'Calls GET /v1/account/ with the key, from your address and without your session.',
  key: 'API key',
  run: 'Test',
  right: (milliseconds: number) => `200: the key works from here (${milliseconds} ms)`,
  wrong: (status: number) => `${status}: the key is refused`,
  answer: 'Answer',
} as const;

export const keyResetWords = {
  title: (name: ReactNode) => phrase`Reset the key ${name}?`,
  label: 'Reset a key',
  dead: 'The key is dead at once. This cannot be undone.',
  lastUsed: (ago: ReactNode, address: ReactNode) => phrase`Last used ${ago} by ${address}.`,
  neverUsed: 'It was never used.',
  type: (name: ReactNode) => phrase`Type ${name} to confirm`,
  reset: 'Reset the key',
} as const;

export const keyDeleteWords = {
  title: (name: ReactNode) => phrase`Delete ${name}?`,
  label: 'Delete a key',
  hint: 'All its keys are dead at once, and its name becomes free. What it did stays in the logs.',
  delete: 'Delete the key',
  deleted: 'The key was deleted',
} as const;

const windows: Readonly<Record<string, string>> = {
  minute: 'this minute',
  hour: 'this hour',
  month: 'this month',
  absolute: 'in all',
  quota: 'of the quota',
};

export const quotaWords = {
  title: 'Quota',
  loading: 'quota',
  what: 'The quota',
  products: 'Products',
  of: (used: number, size: number, window: string) =>
    `${number(used)} of ${number(size)} ${windows[window] ?? window}`,
  resets: (moment: ReactNode) => phrase`starts again ${moment}`,
  slides: 'frees up request by request',
  isBlock: 'is not refilled',
  today: (count: number) => `${number(count)} today`,
  month: (count: number) => `${number(count)} this month`,
  ends: (day: string) => `ends with ${day}`,
  projected: (count: number) => `About ${number(count)} by the end of the month`,
  reached: (moment: ReactNode) => phrase`The limit would be reached ${moment}`,
  howProjected: (days: number) =>
    `Projection: what the month has so far, and for the days to come the average of the last ${days} whole days (since the first request). It knows nothing of weekends.`,
  unused: (count: number) => `${counted(count, 'product', 'products')} without a request in 30 days`,
  pdns: 'Passive DNS',
  pdnsUnlimited: 'unlimited',
  pdnsExpires: (moment: ReactNode) => phrase`ends ${moment}`,
  series: 'The last 30 days',
  by: 'Requests by',
  byProduct: 'product',
  byUser: 'user',
  asTable: 'Show as table',
  asBars: 'Show as bars',
  day: 'Day (UTC)',
  unknownUser: 'not recorded',
  none: 'No requests in the last 30 days.',
  total: (count: number) => requests(count),
  barTitle: (day: string, count: number) => `${day}: ${number(count)}`,
  chart: (name: string, total: number, most: number) =>
    `${name}: ${requests(total)} in 30 days, at most ${number(most)} a day`,
  seriesHint:
    'Days are UTC. Requests of people in this web UI count for them. A crash of the server may lose the last seconds here, never in a limit.',
} as const;

export const peopleWords = {
  title: 'People',
  loading: 'people',
  what: 'The people',
  invite: 'Invite',
  you: 'you',
  owner: 'API owner',
  operator: 'operator',
  disabled: 'disabled',
  facts: { role: 'Role', signsIn: 'Signs in with', sessions: 'Signed in', added: 'Added', email: 'E-mail' },
  noEmail: 'none',
  linkOnly: 'a link only',
  password: 'password',
  passwordAndCode: 'password and code',
  passkeys: (count: number) => counted(count, 'passkey', 'passkeys'),
  signOn: 'single sign-on',
  notSignedIn: 'nowhere',
  sessions: (count: number, seen: ReactNode) =>
    phrase`in ${counted(count, 'browser', 'browsers')}, last seen ${seen}`,
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
  changed: 'Changed',
  link: 'New link',
  linkOf: (name: string) => `New link for ${name}`,
  signOut: 'Sign out',
  signOutOf: (name: string) => `Sign out ${name}`,
  signedOut: (count: number) => `${counted(count, 'session', 'sessions')} ended`,
  factors: 'Reset passkeys and codes',
  factorsOf: (name: string) => `Reset passkeys and codes of ${name}`,
  factorsTitle: (name: ReactNode) => phrase`Reset how ${name} signs in?`,
  factorsHint:
    'Passkeys, authenticator app and recovery codes are removed, and all sessions end. The way back in is the password, or a new link.',
  factorsDone: 'Passkeys and codes are removed',
  disable: 'Disable',
  disableOf: (name: string) => `Disable ${name}`,
  disabledNow: 'Disabled: all sessions and links have ended',
  enable: 'Enable',
  enableOf: (name: string) => `Enable ${name}`,
  enabledNow: 'Enabled',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: ReactNode) => phrase`Remove ${name}?`,
  removeHint:
    'All sessions end at once and the name becomes free. What the person did stays in the logs. An API key of the same name stays.',
  removed: 'Removed',
  ownerOnly: 'The API owner is managed by the API owner alone.',
  operatorOnly: 'Operators of the server are managed by operators alone.',
  notYourself: 'Somebody else must do this to you.',
  inviteTitle: 'Invite a person',
  changeTitle: (name: ReactNode) => phrase`Change ${name}`,
  name: 'Name',
  nameHint: 'To sign in with, and shown to colleagues.',
  email: 'E-mail address',
  emailMailed: 'Optional. The link is sent there.',
  emailKept: 'Optional. This server sends no mail (mail.host): pass the link on yourself.',
  makeLink: 'Make the link',
  linkTitle: (name: ReactNode) => phrase`The link for ${name}`,
  linkHint: (until: ReactNode) =>
    phrase`It signs in once, until ${until}, and is shown this once. Anybody who has it can use it.`,
  linkField: 'Link',
  copied: 'Link copied',
  mailed: 'It was also sent by mail.',
} as const;

export const auditWords = {
  title: 'Audit log',
  loading: 'audit log',
  what: 'The audit log',
  checking: 'Checking the chain …',
  whole: (count: number, ago: ReactNode) =>
    phrase`Whole: checked ${counted(count, 'entry', 'entries')} of this account ${ago}`,
  broken: (n: number) =>
    `Broken at entry ${number(n)}: it was changed or removed outside Nameglass. Ask the operator of the server.`,
  chainWhat: 'Whether the log is whole',
  filter: 'Filter',
  actor: 'By',
  anyone: 'anyone',
  kind: 'What',
  anything: 'anything',
  show: 'Show',
  columns: { at: 'When', actor: 'By', action: 'What', whom: 'Whom', detail: 'Details', number: 'Entry' },
  operator: 'operator (command line)',
  none: 'No entry matches',
  noneHint: 'Choose another person or another kind of entry.',
  reset: 'Show all',
  older: 'Older',
  newest: 'Newest',
  kinds: {
    user: 'keys made, changed, deleted',
    key: 'keys reset',
    person: 'people',
    session: 'sign-ins',
    'sign-in-link': 'sign-in links',
    password: 'passwords',
    passkey: 'passkeys',
    totp: 'authenticator apps',
    'recovery-code': 'recovery codes',
    'second-factors': 'second factors reset',
    'identity-provider': 'single sign-on',
    investigation: 'investigations',
    product: 'products',
    account: 'account',
    channel: 'channels',
  },
} as const;
