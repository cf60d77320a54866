/** Campaigns: domains that belong together by what they share, over time. */
import type { ReactNode } from 'react';
import type { CampaignLinkKind, TimelineKind } from '../../data/campaign/campaigns.ts';
import { graphWords } from '../investigations.ts';
import { counted, domains, number, phrase } from '../language.ts';

/** What a link is a value of. */
export const linkWords: Readonly<Record<CampaignLinkKind, string>> = graphWords.kinds;

const values = (count: number): string => counted(count, 'shared value', 'shared values');

export const campaignListWords = {
  title: 'Campaigns',
  loading: 'campaigns',
  thing: 'The campaigns',
  make: 'New campaign',
  filter: 'Find a campaign by name, domain or shared value',
  filterKey: 'Find a campaign',
  view: 'Which campaigns',
  views: { active: 'Active', followed: 'Followed', closed: 'Closed' },
  empty: 'No campaigns yet',
  emptyHint:
    'Domains on your lists that share rare values, such as a registrant, a server, a certificate or a page, are put together here by themselves. It takes at least three of them.',
  emptyFollow: 'Follow a campaign to get an alert when a domain joins it.',
  emptyFollowed: 'No campaign is followed',
  emptyClosed: 'No campaign is closed',
  noneMatch: 'No campaign matches',
  showAll: 'Show all active campaigns',
  toTriage: 'To Triage',
  columns: {
    name: 'Campaign',
    members: 'Domains',
    latest: 'Latest member',
    links: 'What links them',
    risk: 'Highest risk',
    followed: 'Followed',
  },
  /** Behind their number, where the table has no head. */
  domains: 'domains',
  past: (count: number) => `${number(count)} past`,
  more: (count: number) => `and ${number(count)} more`,
  andMore: 'and more',
  link: (kind: string, value: ReactNode) => phrase`${kind} ${value}`,
  madeOne: 'made by a person',
  noLinks: 'put together by a person',
  showMore: (left: number) => `Show more (${number(left)} left)`,
} as const;

export const makeCampaignWords = {
  title: 'New campaign',
  name: 'Name',
  domains: 'Domains',
  domainsHint: 'Domains on your lists, one on each line.',
  create: 'Create',
  made: (name: ReactNode) => phrase`The campaign ${name} is made.`,
  open: 'Open',
} as const;

export const campaignWords = {
  kind: 'Campaign',
  titleOf: (name: string) => `${name}, campaign`,
  thing: 'The campaign',
  loading: 'the campaign',
  gone: 'There is no such campaign',
  goneHint: 'It was forgotten, or it became part of another one.',
  toList: 'All campaigns',
  rename: 'Rename',
  nameField: 'Name of the campaign',
  renamed: 'Renamed.',
  follow: 'Follow',
  following: 'Following',
  followHint: 'Get an alert when a domain joins',
  nowFollowed: 'Followed: a domain that joins raises an alert.',
  nowUnfollowed: 'No longer followed.',
  followKey: 'Follow, or stop following',
  close: 'Close',
  closeHint: 'It is over: it leaves the list of active ones and raises no more alerts',
  reopen: 'Reopen',
  closed: 'closed',
  nowClosed: 'The campaign is closed.',
  nowReopened: 'The campaign is active again.',
  pack: 'Evidence pack',
  packHint: 'Signed ZIP file of its latest domains, for a registrar, a lawyer or a takedown service',
  stix: 'STIX',
  stixHint: 'Save as one STIX 2.1 bundle: the campaign, its grouping, indicators and domains',
  stixSaved: (file: string) => `Saved as ${file}.`,
  forget: 'Forget',
  forgetTitle: 'Forget this campaign?',
  forgetText: 'Its name, note and history are deleted for everybody. The domains stay on their lists.',
  forgotten: 'The campaign is forgotten.',
  note: 'Note',
  noteOf: 'Note about the campaign',
  addNote: 'Add a note',
  editNote: 'Change the note',
  noteSaved: 'The note is saved.',
  origin: {
    found: (at: ReactNode) => phrase`found ${at}`,
    made: (by: ReactNode, at: ReactNode) => phrase`made by ${by} ${at}`,
  },
  members: (now: number, past: number) =>
    past === 0 ? domains(now) : `${domains(now)}, ${number(past)} of them past`,
  latest: (at: ReactNode) => phrase`latest member ${at}`,
  since: (at: ReactNode) => phrase`first seen ${at}`,
  highestRisk: 'highest risk of its domains',
  ofMonitors: 'Monitors:',
  tabsLabel: 'Views',
  tabs: { timeline: 'Timeline', graph: 'Graph', members: 'Domains', values: 'Shared values' },
  tabKey: (tab: string) => `Show: ${tab}`,
} as const;

/** What happened, as the name of a row. */
export const eventWords: Readonly<Record<TimelineKind, string>> = {
  registered: 'Registered',
  discovered: 'Discovered',
  joined: 'Joined the campaign',
  sighted: 'Resolved by us',
  watched: 'Watched',
  escalated: 'Escalated',
  ignored: 'Ignored',
  link_first_seen: 'Value first used',
  link_last_seen: 'Value last used',
};

export const timelineWords = {
  label: 'Timeline of the campaign',
  loading: 'the timeline',
  thing: 'The timeline',
  nothing: 'Nothing has happened yet',
  hint: 'Each row is what happened, or a value and when it was in use. A dot is a domain; a number, several of them. Arrow keys move between dots.',
  domains: 'What happened to domains',
  values: 'Values that they share',
  column: (days: string) => `One column is ${days}.`,
  minutes: (count: number) => counted(count, 'minute', 'minutes'),
  hours: (count: number) => counted(count, 'hour', 'hours'),
  days: (count: number) => counted(count, 'day', 'days'),
  earlierTick: (time: string) => `← ${time}`,
  manyMark: '999+',
  between: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  inUse: (from: string, to: string) => `in use ${from === to ? from : `${from} to ${to}`}`,
  dot: (row: string, count: number, when: string) => `${row}: ${domains(count)}, ${when}`,
  choose: 'Point at a dot, or move to it with the arrow keys, to see its domains.',
  chosen: (row: ReactNode, count: number, when: string) => phrase`${row}: ${domains(count)}, ${when}`,
  more: (count: number) => `and ${number(count)} more`,
  showAll: (count: number) => `Show all ${values(count)}`,
  showFewer: 'Show fewer',
  truncated: 'The campaign has more events than are shown here: the newest are left out.',
  onlySome: (shown: number, all: number) =>
    `The rows of values have the ${number(shown)} newest of ${domains(all)}.`,
  table: 'Show as table',
  columns: { date: 'When', what: 'What', which: 'Domain or value' },
  tableMore: (shown: number, all: number) => `The first ${number(shown)} of ${number(all)} events.`,
} as const;

export const memberWords = {
  label: 'Domains of the campaign',
  loading: 'the domains',
  thing: 'The domains',
  nothing: 'The campaign has no domains',
  columns: {
    domain: 'Domain',
    risk: 'Risk',
    state: 'List',
    joined: 'Joined',
    first: 'First seen',
    links: 'What links it',
    actions: 'Actions',
  },
  states: { new: 'new', watched: 'watched', ignored: 'ignored' },
  past: 'past',
  pastHint: 'It is on no list any more',
  added: 'added by a person',
  add: 'Add domains',
  addLabel: 'Domains to add',
  addHint: 'Domains on your lists, separated by spaces or commas',
  addedNow: (count: number) => `${domains(count)} added.`,
  remove: (name: string) => `Remove ${name} from the campaign`,
  removed: (name: ReactNode) => phrase`${name} is removed, and does not come back by itself.`,
  inTriage: 'Open in Triage',
  showMore: (left: number) => `Show more (${number(left)} left)`,
} as const;

export const campaignValueWords = {
  label: 'Values that the domains share',
  nothing: 'The domains share no value that says anything',
  columns: {
    kind: 'Kind',
    value: 'Value',
    domains: 'Of its domains',
    known: 'Of all known',
    first: 'First used',
    last: 'Last used',
  },
  knownHint: 'All known domains that have the value: the fewer, the more it says',
} as const;

export const campaignGraphWords = {
  loading: 'the graph',
  thing: 'The graph',
  nothing: 'The domains share nothing that could be drawn',
  some: (shown: number, all: number) => `The ${number(shown)} newest of ${domains(all)} are drawn.`,
  showAll: 'Show all',
  more: (count: number) => `and ${number(count)} more`,
  chooseHint: 'Choose a dot: the domains that it stands for, or that share the value, are listed here.',
} as const;
