/** The command line of the benchmarks. */
import { parseArgs } from 'node:util';
import { type BenchOptions, type Size, sizes } from './benchmark.ts';

/** What was typed cannot be run; `isHelp` where it was a request for help. */
export class UsageError extends Error {
  readonly isHelp: boolean;

  constructor(message: string, isHelp = false) {
    super(message);
    this.isHelp = isHelp;
  }
}

export interface CommandLine {
  readonly names: readonly string[];
  /** Whether every benchmark was asked for, so that the page is written. */
  readonly isAll: boolean;
  readonly size: Size;
  readonly json: string | undefined;
  /** What `json` has already is not measured again. */
  readonly resume: boolean;
  readonly compare: string | undefined;
  readonly keep: string | undefined;
  /** Where the page goes. */
  readonly page: string | undefined;
  readonly options: BenchOptions;
}

const usage = `npm run bench -- NAME … [--size tiny|small|full] [--json FILE [--resume]] [--compare FILE] [--keep DIR] [--page FILE]
npm run bench -- all                                     every benchmark; at full size it writes docs/benchmarks.md
npm run bench -- pdns --store distributed                passive DNS of several nodes beside that of one machine
npm run bench -- mixed [--minutes 10] [--kill-worker]    everything at once`;

export function readCommandLine(args: readonly string[], known: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  if (values.help) throw new UsageError(`${usage}\nbenchmarks: ${known.join(', ')}`, true);
  const size = sizes.find((one) => one === values.size);
  if (!size) throw new UsageError(`--size is one of ${sizes.join(', ')}, not ${values.size}`);
  const isAll = positionals.length === 0 || positionals.includes('all');
  const unknown = positionals.filter((name) => name !== 'all' && !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`unknown benchmark ${unknown.join(', ')}; there are: all, ${known.join(', ')}`);
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) throw new UsageError('--minutes is a number above 0');
  if (values.resume && values.json === undefined) throw new UsageError('--resume needs --json FILE');
  return {
    names: isAll ? known : positionals,
    isAll,
    size,
    json: values.json,
    resume: values.resume,
    compare: values.compare,
    keep: values.keep,
    page: values.page,
    options: { minutes, killWorker: values['kill-worker'], store: storeOf(values.store) },
  };
}

/** What somebody types to measure the same; files of one machine are left out. */
export function commandOf({ names, isAll, size, options }: CommandLine): string {
  const { minutes, killWorker, store } = options;
  return [
    'npm run bench --',
    ...(isAll ? ['all'] : names),
    `--size ${size}`,
    ...(minutes === undefined ? [] : [`--minutes ${minutes}`]),
    ...(killWorker ? ['--kill-worker'] : []),
    ...(store === 'distributed' ? ['--store distributed'] : []),
  ].join(' ');
}

function storeOf(text: string): NonNullable<BenchOptions['store']> {
  if (text === 'embedded' || text === 'distributed') return text;
  throw new UsageError(`--store is one of embedded, distributed, not ${text}`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        size: { type: 'string', default: 'full' },
        json: { type: 'string' },
        resume: { type: 'boolean', default: false },
        compare: { type: 'string' },
        keep: { type: 'string' },
        page: { type: 'string' },
        minutes: { type: 'string' },
        store: { type: 'string', default: 'embedded' },
        'kill-worker': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}
