import { domains, number } from './language.ts';

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const classSentences: Readonly<Record<string, string>> = {
  exact: 'your name under another ending',
  homoglyph: 'letters that look alike',
  leet: 'digits for letters',
  transposition: 'letters swapped',
  omission: 'a letter left out',
  insertion: 'a letter added',
  repetition: 'a letter doubled',
  replacement: 'a letter exchanged',
  'vowel-swap': 'another vowel',
  'bit-flip': 'one bit different',
  plural: 'plural or singular',
  homophone: 'sounds the same',
  numeral: 'a number written out',
  dot: 'a dot added or left out',
  hyphenation: 'a hyphen added or left out',
  subdomain: 'your name in front of another domain',
  'glued-prefix': 'www or the like glued in front',
  combosquat: 'your name with another word',
  affix: 'your name with something added',
};

/** Classes of lookalikes without the terms of the trade. */
export const classSentence = (name: string): string => classSentences[name] ?? name;

export const reportWords = {
  title: 'Report',
  region: 'report',
  what: 'The report',
  monitor: 'Monitor',
  allMonitors: 'All monitors',
  period: 'Period',
  lastDays: 'Last 30 days',
  chosen: 'As in the link',
  month: (from: string): string => month.format(new Date(from)),
  print: 'Print or save as PDF',
  heading: (term: string | undefined): string =>
    term === undefined ? 'Lookalikes of all your monitors' : `Lookalikes of ${term}`,
  between: (from: string, days: number): string => {
    const first = Date.parse(from);
    return `${longDay.format(first)} to ${longDay.format(first + (days - 1) * 86_400_000)} (UTC)`;
  },
  figures: { found: 'Found', decided: 'Decided', blocked: 'Blocked', open: 'Still open' },
  explained: {
    found: 'names that resemble yours and were seen for the first time',
    decided: 'judged by your team for the first time',
    blocked: 'put on the blocklists',
    open: 'found in this period and not judged yet',
  },
  toDecision: 'from discovery to decision, in half of all cases',
  toBlock: 'from discovery to block, in half of all cases',
  duration: (hours: number): string => {
    if (hours < 1) return `${Math.max(1, Math.round(hours * 60))} min`;
    return hours < 48 ? `${hours} h` : `${(hours / 24).toFixed(1)} days`;
  },
  none: 'none',
  daily: 'Day by day',
  top: {
    classes: 'How they imitate',
    registrars: 'Registrars',
    networks: 'Hosted by',
    countries: 'Countries',
    tlds: 'Top-level domains',
    name_servers: 'Name servers',
  },
  networksOf: (count: number): string => `of the ${domains(count)} with the highest risk`,
  nothing: 'Nothing is known yet.',
  wall: 'What was blocked',
  wallMore: (shown: number, all: number): string => `The latest ${number(shown)} of ${number(all)}.`,
  blockedOn: 'blocked',
  empty: 'Nothing was found in this period',
  emptyHint: 'Choose another period above, or add a monitor.',
  toOpen: (count: number): string => `Decide about ${domains(count)}`,
  made: (at: string): string => `Made ${at}`,
  bars: (label: string, total: number, days: number): string => `${label}: ${number(total)} in ${days} days`,
} as const;
