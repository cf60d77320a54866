/** Words of what several pages are made of: states of a region, names, pictures, times, buttons. */
import type { ReactNode } from 'react';
import { counted, number, phrase } from './language.ts';

export const actionWords = {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  save: 'Save',
  saved: 'Saved',
  remove: 'Remove',
  removeOne: (what: string) => `Remove ${what}`,
  tryAgain: 'Try again',
  undo: 'Undo',
} as const;

export const regionWords = {
  loading: (what: string) => `Loading ${what}`,
  notShown: (what: string) => `${what} could not be shown`,
  notRead: (what: string) => `${what} could not be read`,
  tooMany: 'Too many requests',
  notPermitted: 'Not permitted',
  unknownError: 'Unknown error.',
  possibleIn: (seconds: number) => `Possible again in ${seconds} s.`,
  request: (id: string) => `Request ${id}`,
  status: (status: number) => `The server answered with status ${status}.`,
  unreachable: 'The server cannot be reached.',
  needs: (permission: string) => `This needs the permission ${permission}: ask an admin of your account.`,
} as const;

export const nameWords = {
  looksLike: (term: string, how: string) => `looks like ${term}: ${how}`,
  leftOut: (text: string) => `"${text}" left out here`,
} as const;

export const pictureWords = {
  of: (name: string) => `Web page of ${name}`,
  missing: {
    taken: 'No picture.',
    queued: 'A picture is queued.',
    unresolved: 'No picture: the name has no address.',
    failed: 'The page could not be captured.',
    broken: 'The picture could not be loaded.',
    off: 'This server takes no screenshots.',
    none: 'No picture has been requested.',
  },
  since: 'Since ',
  lastAttempt: 'Last attempt ',
} as const;

export const riskWords = {
  none: 'Not scored',
  good: 'Known good',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  bad: 'Known bad',
  provisional: (word: string) => `${word}, provisional`,
  spoken: (score: number | null, word: string) => `risk ${score ?? 'unknown'}, ${word}`,
  noReasons: 'No reasons are known yet: the score is made when the domain has been examined.',
} as const;

export const timeWords = {
  ago: ' ago',
  seconds: (count: number) => `${count} s`,
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  days: (count: number) => `${count} d`,
} as const;

export const valueWords = {
  yes: 'yes',
  no: 'no',
  lines: (count: number) => counted(count, 'line', 'lines'),
  more: (count: number) => `and ${number(count)} more`,
} as const;

export const sparklineWords = {
  day: (label: string, total: number, days: number, most: number): string =>
    `${label}: ${number(total)} in ${days} days, at most ${number(most)} a day`,
  minute: (label: string, total: number, minutes: number, most: number): string =>
    `${label}: ${number(total)} in ${minutes} minutes, at most ${number(most)} a minute`,
} as const;

export const chartWords = {
  bar: (series: string, day: string, count: number): string =>
    `${day}: ${number(count)} ${series.toLowerCase()}`,
  showTable: 'Show as table',
  day: 'Day',
} as const;

const answers = (count: number) => counted(count, 'answer', 'answers');

export const sightingWords = {
  title: 'Resolved by us',
  mark: (count: number) => `Resolved by us: ${answers(count)}`,
  never: 'Our own sensors have not seen it resolved.',
  times: (count: number, first: ReactNode, last: ReactNode) =>
    count === 1
      ? phrase`Somebody inside resolved it ${last}.`
      : phrase`Somebody inside resolved it: ${answers(count)}, first ${first}, last ${last}.`,
  sensors: {
    dnstap: 'dnstap',
    zeek: 'Zeek',
    eve: 'EVE',
    'passive-dns': 'before it was found',
  },
  ofSensor: (count: number, last: ReactNode) => phrase`${answers(count)}, last ${last}`,
  clients: (count: number, day: ReactNode) => phrase`about ${counted(count, 'client', 'clients')} on ${day}`,
} as const;
