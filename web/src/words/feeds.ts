import type { Feed } from '../data/feeds.ts';
import { counted, number } from './language.ts';

export const feedNames: Readonly<Record<Feed['feed'], string>> = {
  nod: 'Newly observed domains',
  nad: 'Newly active domains',
  noh: 'Newly observed hosts',
  domaindiscovery: 'Discovered domains',
  domainrdap: 'Registration data',
  domainrisk: 'Domains with risk',
  domainhotlist: 'Hot domains',
  iprisk: 'Addresses with risk',
  iphotlist: 'Hot addresses',
};

export const feedSentences: Readonly<Record<Feed['feed'], string>> = {
  nod: 'Domains that passive DNS has seen for the first time.',
  nad: 'Domains that are seen again after days of silence.',
  noh: 'Host names that passive DNS has seen for the first time.',
  domaindiscovery: 'Domains that any source has named for the first time.',
  domainrdap: 'Answers of registries about domains, as they were fetched.',
  domainrisk: 'Domains whose risk score is 70 or more, with every change.',
  domainhotlist: 'Risky domains that sensors see now.',
  iprisk: 'Addresses of many bad domains, with every change of their score.',
  iphotlist: 'Risky addresses that sensors see now.',
};

export const feedWords = {
  title: 'Feeds',
  region: 'feeds',
  what: 'The feeds',
  kept: (days: number, archiveDays: number): string =>
    `Feeds keep ${counted(days, 'day', 'days')} of lines for polling, and hourly archives for ${counted(archiveDays, 'day', 'days')}.`,
  columns: {
    feed: 'Feed',
    lastHour: 'Last hour',
    lines: 'Lines kept',
    newest: 'Newest',
    sessions: 'Sessions',
    archives: 'Archives',
  },
  notProvisioned: 'not part of the account',
  nothingYet: 'nothing yet',
  channels: 'Channels of the batch API',
  channelColumns: { number: 'Channel', description: 'Holds', size: 'Size' },
  noChannels: 'The account has no channels.',
  back: 'All feeds',
  noSuchFeed: 'There is no such feed',
  tail: 'Live',
  showTail: 'Show lines as they come',
  hideTail: 'Close the live view',
  pause: 'Pause',
  resume: 'Go on',
  states: { connecting: 'Connecting', open: 'Live', lost: 'Connection lost, trying again' },
  paused: 'Paused',
  waiting: 'Nothing has come in the last ten minutes. New lines appear here by themselves.',
  shownLines: (count: number): string => `the newest ${number(count)}`,
  sessions: 'Sessions',
  noSessions: 'No client polls it under a session name. A session begins with the first poll that names one.',
  sessionColumns: { id: 'Session', used: 'Last poll', behind: 'Behind', actions: 'Actions' },
  upToDate: 'up to date',
  behind: (lines: number): string => `about ${counted(lines, 'line', 'lines')}`,
  end: 'End',
  endTitle: 'End this session?',
  endWhy:
    'Its next poll begins anew: with the last hour, or with what its parameters say. Clients that rely on it may get lines twice or miss some.',
  ended: 'The session has ended',
  archives: 'Archives',
  noArchives: 'No hour is complete yet. Archives are made for whole hours.',
  noArchiveProduct: 'Downloads of archives are not part of the account.',
  fileColumns: { name: 'File', size: 'Size', made: 'Made' },
  curl: 'Poll it',
  curlHint:
    'With a key of yours in place of YOUR_KEY. Under a session name each poll resumes where the last one ended.',
  downloadHint: 'List and download archives:',
  copy: 'Copy',
  copied: 'The command was copied',
  poll: (origin: string, feed: string): string =>
    `curl -H 'X-Api-Key: YOUR_KEY' '${origin}/v1/feed/${feed}/?sessionID=my-siem'`,
  download: (origin: string, feed: string): string =>
    `curl -H 'X-Api-Key: YOUR_KEY' '${origin}/v1/download/${feed}/'`,
} as const;
