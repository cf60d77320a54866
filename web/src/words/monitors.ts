import type { ReactNode } from 'react';
import { counted, domains, number, phrase } from './language.ts';

export const monitorWords = {
  title: 'Monitors',
  one: 'Monitor',
  theMonitors: 'The monitors',
  loading: 'monitors',
  theMonitor: 'The monitor',
  loadingOne: 'the monitor',
  none: 'There is no monitor yet',
  noneHint: 'A monitor watches for names that resemble a term of yours, such as the name of your brand.',
  newOne: 'New monitor',
  term: 'Term',
  state: 'State',
  new: 'New',
  watched: 'Watched',
  blocked: 'Blocked',
  foundIn30: 'Found in 30 days',
  found: 'Found',
  actions: 'Actions',
  paused: 'paused',
  active: 'active',
  fromFile: (file: ReactNode) => phrase`from ${file}`,
  changedSince: (settings: readonly string[]) => `changed since: ${settings.join(', ')}`,
  settings: {
    state: 'paused or active',
    match_substring_variations: 'variations inside names',
    text_exclusions: 'excluded texts',
    nameserver_exclusions: 'excluded name servers',
    passive_only: 'passive only',
  } as Readonly<Record<string, string>>,
  declaredHint: (file: ReactNode) =>
    phrase`Declared in ${file}: a change here lasts until the files are applied again.`,
  searching: (percent: number) => `searching known names, ${percent} %`,
  pause: 'Pause',
  resume: 'Resume',
  pauseOf: (term: string) => `Pause ${term}`,
  resumeOf: (term: string) => `Resume ${term}`,
  madeBy: (by: ReactNode, at: ReactNode, found: number) =>
    phrase`Made by ${by}, ${at}; matches ${domains(found)}.`,
  delete: 'Delete',
  deleteTitle: 'Delete the monitor',
  deleteQuestion: (term: ReactNode) => phrase`Delete the monitor of ${term}?`,
  deletesNothing: 'Every domain it matches is matched by another monitor, too: nothing leaves your lists.',
  deletes: (leaving: number, decided: number) =>
    `${domains(leaving)} leave your lists with it. What was decided about ${number(decided)} of them is remembered, and holds again if the term comes back.`,
  keepBlocks: (count: number) =>
    `Keep ${number(count)} blocked ${count === 1 ? 'domain' : 'domains'} on the blocklist`,
  deleteIt: 'Delete it',
  deleted: (removed: number, blocked: number) =>
    `Deleted: ${domains(removed)} left your lists, ${number(blocked)} stay blocked`,
} as const;

export const editorWords = {
  term: 'Term',
  termHint: 'the name of your brand',
  atLeast: (count: number) => `At least ${count} characters.`,
  variations: 'Also variations inside longer names',
  passiveOnly: 'Passive only: ask nothing of the servers of what it finds',
  texts: 'Leave out names with these texts',
  textsHint: 'jobs, careers',
  nameServers: 'Leave out domains with these name servers',
  nameServersHint: 'ns1.example.com',
  watchForIt: 'Watch for it',
  watching: (term: ReactNode) => phrase`Watching for ${term}; known names are being searched`,
  preview: 'Preview',
  thePreview: 'The preview',
  loading: 'the preview',
  typeTerm: 'Type a term',
  typeTermHint: 'What it would have found in the last 90 days appears here.',
  waiting: 'Other previews are running: this one is waiting.',
} as const;

export const previewWords = {
  found: (days: number, total: ReactNode, count: number) =>
    phrase`In the last ${days} days: ${total} ${count === 1 ? 'name' : 'names'}`,
  excluded: (count: number) => `, ${number(count)} left out by exclusions`,
  watched: (count: number) => `, ${number(count)} of them watched`,
  escalated: (count: number) => `, ${number(count)} escalated`,
  incomplete: (count: number) =>
    `Only the newest ${counted(count, 'name was', 'names were')} searched; older ones may match, too.`,
  none: 'No name of these days matches',
  leftOutBy: (exclusion: ReactNode) => phrase`left out by ${exclusion}`,
  excludeText: 'Exclude text',
  excludeTextHint: (text: string) => `Leaves out names with "${text}"`,
  excludeNameServers: 'Exclude name servers',
  excludeNameServersHint: (hosts: readonly string[]) => `Leaves out domains with ${hosts.join(' or ')}`,
} as const;

export const backTestWords = {
  title: 'What this change would have meant',
  loading: 'the effect of the change',
  effect: 'The effect of the change',
  nothing: (days: number) => `Nothing: in the last ${days} days the same names would have been found.`,
  appearing: (count: number) => `${counted(count, 'name', 'names')} would have been found in addition`,
  disappearing: (count: number) => `${counted(count, 'name', 'names')} would not have been found`,
  decided: ({ watched, ignored, escalated }: Readonly<Record<'watched' | 'ignored' | 'escalated', number>>) =>
    [
      watched > 0 && `${number(watched)} watched`,
      ignored > 0 && `${number(ignored)} ignored`,
      escalated > 0 && `${number(escalated)} escalated`,
    ]
      .filter((part) => part !== false)
      .join(', '),
  more: (count: number) => `and ${number(count)} more`,
  incomplete: 'The oldest names of these days were not searched.',
} as const;

export const ownDomainWords = {
  title: 'Your own domains',
  hint: 'They and the names below them are never reported.',
  loading: 'own domains',
  yours: 'Your domains',
  addOne: 'Add a domain',
  example: 'example.com',
  add: 'Add',
} as const;

export const learningWords = {
  title: 'What your decisions say',
  loading: 'what your decisions say',
  theDecisions: 'What your decisions say',
  none: 'No domain on your lists is decided. Watch or ignore some, and how often each monitor was right appears here.',
  summary: (watched: number, ignored: number) =>
    `Of ${counted(watched + ignored, 'decided domain', 'decided domains')}, ${number(watched)} were worth attention and ${number(ignored)} were ignored.`,
  suggestions: 'Suggestions',
  suggestionsHint: 'Each would have left out what you ignored. Nothing changes until you accept it.',
  noSuggestions: 'There is nothing to suggest.',
  change: (kind: string, term: ReactNode, value: ReactNode) => {
    if (kind === 'exclude-name-servers') return phrase`${term}: leave out domains on ${value}`;
    if (kind === 'exclude-text') return phrase`${term}: leave out names with ${value}`;
    return phrase`${term}: no variations inside longer names`;
  },
  reason: (ignored: number, watched: number) =>
    `${number(ignored)} of ${number(ignored + watched)} were ignored`,
  declared: (file: ReactNode) =>
    phrase`Put it into ${file} too, or it lasts until the files are applied again.`,
  accept: 'Accept',
  dismiss: 'Dismiss',
  effect: 'What it would have meant',
  accepted: 'Accepted: the monitor is changed',
  dismissed: 'Dismissed',
  takeBack: 'Take back',
  takenBack: 'Taken back',
  answers: 'Earlier answers',
  answered: (outcome: string, by: ReactNode, at: ReactNode) => phrase`${outcome} by ${by}, ${at}`,
  takenBackBy: (by: ReactNode) => phrase`taken back by ${by}`,
  precision: 'Precision',
  precisionHint: 'The share of decided domains that you watch or have escalated.',
  watched: 'Watched',
  ignored: 'Ignored',
  escalated: 'Escalated',
  attributes: {
    monitor: 'Monitor',
    class: 'Kind of lookalike',
    registrar: 'Registrar',
    name_server: 'Name servers',
  },
  share: (share: number) => `${number(Math.round(share * 100))} %`,
} as const;
