import type { ReactNode } from 'react';
import { counted, number, phrase } from './language.ts';

const records = (count: number): string => counted(count, 'record', 'records');

export const passiveDnsWords = {
  title: 'Passive DNS',
  what: 'Passive DNS',
  loading: 'passive DNS',
  field: 'Name, address or pattern',
  fieldKey: 'Ask something else',
  example: '*.example.com',
  side: 'Find',
  sides: { names: 'records of it', data: 'records that point to it' },
  type: 'Type',
  anyType: 'any',
  from: 'Seen from',
  to: 'until',
  ask: 'Look up',
  views: { records: 'Records', timeline: 'Timeline', calendar: 'Calendar', summary: 'Summary' },
  viewsLabel: 'Ways to show the answer',
  start: 'Which names had which records, and when?',
  startHint: 'Each answer counts as one lookup of the account’s passive DNS quota.',
  examples: [
    { text: 'example.com', means: 'the records of one name' },
    { text: '*.example.com', means: 'the name and everything below it' },
    { text: 'example.*', means: 'the name under every top-level domain' },
    { text: '192.0.2.1', means: 'names that had the address' },
    { text: '192.0.2.0/24', means: 'names in a network; also a range: 192.0.2.1-192.0.2.20' },
    { text: '*login*', means: 'names that match a glob of * and ?' },
    { text: '/^login-[a-z]+\\.example\\.$/', means: 'names that match a regular expression' },
  ],
  understood: {
    name: (value: ReactNode) => phrase`Records of ${value}`,
    below: (value: ReactNode) => phrase`Records of names at and below ${value}`,
    child: (value: ReactNode) => phrase`Records of names one label below ${value}`,
    prefix: (value: ReactNode) => phrase`Records of names that begin with ${value}`,
    address: (value: ReactNode) => phrase`Names with the address ${value}`,
    network: (value: ReactNode) => phrase`Names with addresses in ${value}`,
    range: (value: ReactNode) => phrase`Names with addresses from ${value}`,
    glob: (value: ReactNode) => phrase`Names that match the glob ${value}`,
    regex: (value: ReactNode) => phrase`Names that match the regular expression ${value}`,
  },
  understoodData: {
    name: (value: ReactNode) => phrase`Records that point to ${value}`,
    below: (value: ReactNode) => phrase`Records that point to names at and below ${value}`,
    child: (value: ReactNode) => phrase`Records that point to names one label below ${value}`,
    prefix: (value: ReactNode) => phrase`Records that point to names that begin with ${value}`,
    glob: (value: ReactNode) => phrase`Data that matches the glob ${value}`,
    regex: (value: ReactNode) => phrase`Data that matches the regular expression ${value}`,
  },
  quota: (remaining: number, limit: number, user: ReactNode) =>
    phrase`${number(remaining)} of ${number(limit)} lookups left, of the key of ${user}`,
  cannotAsk: 'This cannot be asked',
  mistake: (field: string, message: ReactNode) => phrase`${field} ${message}.`,
  none: 'Nothing was seen',
  noneHint: 'No sensor and no zone file has shown such a record, at least not in this time and of this type.',
  columns: {
    name: 'Name',
    type: 'Type',
    data: 'Data',
    count: 'Count',
    first: 'First seen',
    last: 'Last seen',
    source: 'Source',
  },
  origins: { sensor: 'resolvers', zone: 'zone file', any: 'all' },
  moreData: (count: number) => `and ${number(count)} more`,
  label: 'Records',
  order: 'Order',
  orders: { name: 'By name', newest: 'Newest first' },
  raw: 'Each stored period by itself',
  rawHint: 'Sightings are kept by the minute, later by the hour, day, month and year.',
  moreExist: 'More records exist. Narrow the question by type or time, or read on.',
  moreExistNewest: 'More records exist; these are the newest.',
  next: 'Next page',
  firstPage: 'First page',
  shown: records,
} as const;

export const timelineWords = {
  label: 'Records by time',
  what: (shown: number) => `${records(shown)} of this page, each from its first to its last sighting.`,
  zone: 'Striped: listed in zone files.',
  between: (first: string, last: string) => `${first} to ${last}`,
  from: (first: ReactNode, last: ReactNode) => phrase`${first} to ${last}`,
} as const;

export const calendarWords = {
  heading: 'On which days records were seen',
  meaning:
    'A filled square is a day (UTC) on which records were seen for certain, stronger for more of them. A dot is a day between two sightings: older sightings are kept by month and year, so nothing more is known of it.',
  label: (days: number, from: string, to: string) =>
    `Seen on ${counted(days, 'day', 'days')} between ${from} and ${to}`,
  day: (day: string, seen: number, count: number, possible: number) =>
    [
      `${day}: ${seen === 0 ? 'no sighting that is certain' : `${records(seen)} seen`}`,
      count > 0 ? counted(count, 'sighting', 'sightings') : '',
      possible > 0 ? `${number(possible)} possible` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  asTable: 'Show as table',
  asMap: 'Show as calendar',
  columns: { day: 'Day', seen: 'Records seen', count: 'Sightings', possible: 'Possible', first: 'New' },
  part: 'There are more records than were read: the calendar is of the first 50,000 periods.',
  none: 'No day is known in this time',
  noneHint: 'Choose another time above: without one the calendar is of the last 365 days.',
} as const;

export const summaryWords = {
  records: 'Records',
  count: 'Sightings',
  sensor: 'Seen by resolvers',
  zone: 'Listed in zone files',
  never: 'never',
  part: 'There are more: only the first 50,000 records were counted.',
} as const;

export const questionLineWords = {
  heading: 'The same for the command line',
  curl: 'curl',
  dnsdbq: 'dnsdbq',
  copied: 'Copied',
  key: 'Put an API key with passive DNS in the place of KEY.',
  noProfile: 'dnsdbq works too where the operator has set compat.profile to vendor.',
} as const;
