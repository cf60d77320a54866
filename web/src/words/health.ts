import type { HealthPart, HealthState } from '../data/health.ts';
import { counted, number } from './language.ts';

type Kind = HealthPart['kind'];

export const stateWords: Readonly<Record<HealthState, string>> = {
  failing: 'Failing',
  late: 'Late',
  starting: 'Starting',
  working: 'Working',
  idle: 'Idle',
  off: 'Off',
};

export const kindWords: Readonly<Record<Kind, string>> = {
  source: 'Source of names',
  list: 'Reputation list',
  sensor: 'Sensor',
  collector: 'Collector',
  stage: 'Stage',
};

export const unitWords: Readonly<Record<HealthPart['unit'], string>> = {
  names: 'names',
  domains: 'domains',
  frames: 'frames',
  probes: 'probes',
  pictures: 'pictures',
  rrsets: 'RRsets',
  addresses: 'addresses',
  deliveries: 'deliveries',
  rounds: 'rounds',
};

const queues: Readonly<Record<string, string>> = {
  collect: 'Domains to collect',
  screenshot: 'Pictures to take',
  score: 'Domains to score',
  'score-neighbours': 'Neighbours of bad domains to score',
  hotlist: 'Domains for the hotlist',
  'score-address': 'Addresses to score',
  'find-addresses': 'Domains whose addresses are to be found',
};

/** Kinds of jobs are ours. */
export const queueWords = (kind: string): string => queues[kind] ?? kind;

const adviceOf: Readonly<Record<Kind, Partial<Record<HealthState, string>>>> = {
  source: {
    failing:
      'Open its URL from the server with curl. If the log or file has moved or retired, change or remove it in sources.* and restart; nothing is lost meanwhile, reading resumes where it stopped.',
    late: 'It has not failed but does not finish either: see whether the backlog shrinks. If it grows, the source delivers faster than this server stores: compare the disk and the processes below.',
  },
  list: {
    failing:
      'Open its location from the server with curl, and check its format against risk.lists. The entries of the last good reading stay in force.',
    late: 'Its download takes longer than its interval. Raise everyMinutes of the list, or see why the connection is slow.',
  },
  sensor: {
    failing:
      'Check that the resolver may reach the socket or port (dnstap.socket, dnstap.port) and that the socket file belongs to the right group.',
    late: 'No frames arrive: see whether the resolver runs and has dnstap switched on.',
  },
  collector: {
    failing:
      'So many failures in a row are rarely the fault of the domains: check that the server reaches its resolvers (collect.resolvers) and the Internet, and that no firewall limits it.',
    late: 'Collecting does not keep up: see the queue of domains to collect and collect.domainsAtOnce.',
    off: 'Pictures need Chromium: install Debian’s package chromium, or set screenshots.browser, and restart.',
  },
  stage: {
    failing: 'The log of the server has the whole error. Work is retried by itself; nothing is lost.',
    late: 'See the processes below: one may be gone, or short of processor time or disk.',
  },
};

const sectionOf: Readonly<Record<Kind, string>> = {
  source: 'docs/troubleshooting.md, “A source fails or is late”',
  list: 'docs/troubleshooting.md, “A reputation list fails”',
  sensor: 'docs/troubleshooting.md, “A sensor is silent”',
  collector: 'docs/troubleshooting.md, “A collector fails”',
  stage: 'docs/troubleshooting.md, “A stage fails, or a process is gone”',
};

export const healthWords = {
  title: 'Health',
  region: 'health of the server',
  what: 'How the server is',
  allWell: 'Everything that should run is running.',
  wrong: (failing: number, late: number): string =>
    [failing > 0 ? `${number(failing)} failing` : '', late > 0 ? `${number(late)} late` : '']
      .filter(Boolean)
      .join(', '),
  noProcess:
    'No process that collects and scores has reported. Start one with nameglass serve, or with --role worker beside this one.',
  gone: (count: number): string =>
    count === 1
      ? 'One process has not reported for over a minute.'
      : `${number(count)} processes have not reported for over a minute.`,
  restarting: (isWorker: boolean): string =>
    isWorker
      ? 'The process that collects and scores is being started again. Everything stored can be read.'
      : 'The process that answers is being started again.',
  previousProcess: 'The one before it',
  storesLack: 'All parts run, but the stores lack something.',
  storeFault: 'The stores:',
  onNode: 'on',
  diskLow: 'Disk space is low: nothing new is stored until some is freed.',
  backup: 'Backup',
  backupLast: 'The last one was made',
  noBackup: 'None was made of this data directory.',
  backupElsewhere:
    'The database and the object store are backed up with their own tools; when that was is not known here.',
  backupOverdue:
    'The last backup is too old, or there is none: make one with nameglass backup DIR. It does not disturb the server.',
  columns: {
    state: 'State',
    part: 'What',
    success: 'Last success',
    rate: 'Last hour',
    perMinute: 'A minute',
    backlog: 'Backlog',
  },
  parts: 'Sources, lists, sensors, collectors, stages',
  queues: 'Queues',
  queueColumns: { name: 'Queue', due: 'Due now', leased: 'Under way', later: 'Later', oldest: 'Waiting for' },
  processes: 'Processes',
  processColumns: {
    name: 'Process',
    node: 'Node',
    role: 'Role',
    version: 'Version',
    started: 'Started',
    seen: 'Last seen',
    restarts: 'Restarts',
    memory: 'Memory',
  },
  processStates: { working: 'Working', gone: 'Gone' },
  disk: 'Disk',
  diskFree: (free: string, all: string, reserve: string): string =>
    `${free} of ${all} free; ingest stops below ${reserve}.`,
  storeColumns: { name: 'Store', size: 'Size' },
  atLeast: (size: string): string => `over ${size}`,
  never: 'never',
  counts: (unit: string): string => `${unit} a minute`,
  failures: (count: number): string => counted(count, 'failure in a row', 'failures in a row'),
  minutes: (seconds: number): string => `${number(Math.ceil(seconds / 60))} min`,
  back: 'All of Health',
  noSuchPart: 'No process reports such a part now',
  lastError: 'Last error',
  noError: 'It has not failed since its process started.',
  todo: 'What to do',
  nothingToDo: 'Nothing: it is as it should be.',
  advice: (kind: Kind, state: HealthState): string | undefined => adviceOf[kind][state],
  section: (kind: Kind): string => sectionOf[kind],
  facts: {
    kind: 'Kind',
    state: 'State',
    success: 'Last success',
    failure: 'Last failure',
    total: 'Counted since the start',
    backlog: 'Backlog',
    process: 'Process',
    off: 'Why it is off',
  },
  perMinuteOf: (name: string): string => `Counted by ${name}`,
  showTable: 'Show as table',
  minuteColumns: { ago: 'Minutes ago', count: 'Counted' },
} as const;
