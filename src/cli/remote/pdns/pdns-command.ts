/** `nameglass pdns`: passive DNS by name or data, with the flags of dnsdbq where they agree. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Query } from '../../../client/nameglass-client.ts';
import { readWhole } from '../../argument-readers.ts';
import { type Column, member, memberAt } from '../../listing/column.ts';
import type { CliNeeds } from '../../needs.ts';
import { counted } from '../../output.ts';
import { givenValues } from '../given-names.ts';
import { readDuration, readPastTime } from '../past-time.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from '../remote-command.ts';
import { usageFailure } from '../remote-failure.ts';
import { type Kind, type Question, questionOf } from './lookup-path.ts';

interface Options extends RemoteOptions {
  readonly rrset?: string;
  readonly name?: string;
  readonly ip?: string;
  readonly type?: string;
  readonly limit?: number;
  readonly after?: number;
  readonly before?: number;
  readonly since?: number;
  readonly complete?: boolean;
  readonly newest?: boolean;
  readonly summary?: boolean;
}

/** What fits a terminal; a pipe gets what the server gives by default. */
const recordsOnTerminal = 100;

const help = `
A name asks for its records; *.example.com for those of everything below it too. An address, a prefix (192.0.2.0/24) or a range
asks which names pointed to it. Times are dates, epoch seconds, or 30d, 12h, 1w2d for so long ago.

Examples:
  nameglass pdns www.example.com
  nameglass pdns '*.example.com' -t A --since 30d
  nameglass pdns 192.0.2.0/24 --summary
  nameglass pdns -n ns1.dns.example -t NS -l 1000 --json
`;

export function addPdns(program: Command, needs: CliNeeds): void {
  const command = program
    .command('pdns')
    .argument('[values...]', 'names, addresses, prefixes; - or nothing reads standard input')
    .option('-r, --rrset <name>', 'records of this name, or NAME/TYPE/BAILIWICK')
    .option('-n, --name <name>', 'records whose data is this name')
    .option('-i, --ip <address>', 'records whose data is this address, prefix or range')
    .option('-t, --type <rrtype>', 'only this type, such as A, MX or TXT', readType)
    .option('-l, --limit <n>', 'at most so many records; 0: as many as the key allows', readWhole)
    .option('-A, --after <time>', 'seen at this time or later', readPastTime)
    .option('-B, --before <time>', 'seen at this time or earlier', readPastTime)
    .option('-c, --complete', 'with -A and -B: only what was seen entirely within them')
    .addOption(
      new Option('--since <duration>', 'seen in the last 30d, 12h …; short for -A').argParser(readDuration),
    )
    .option('-k, --newest', 'newest first')
    .option('--summary', 'only how many records and observations there are, and when')
    .addOption(new Option('-j', 'as --json').implies({ json: true }));
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, pdns));
}

interface Rrset {
  readonly rrname: string;
  readonly rrtype: string;
  readonly rdata: string | readonly string[];
  readonly count: number;
  readonly time_first?: number;
  readonly time_last?: number;
  readonly zone_time_first?: number;
  readonly zone_time_last?: number;
}

const dayAt =
  (...paths: readonly string[]) =>
  (row: object) => {
    const seconds = paths.map((path) => memberAt(row, path)).find((value) => value !== undefined);
    return typeof seconds === 'number'
      ? new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
      : undefined;
  };

const first: Column<object> = { name: 'first_seen', value: dayAt('time_first', 'zone_time_first') };
const last: Column<object> = { name: 'last_seen', value: dayAt('time_last', 'zone_time_last') };

const recordColumns: readonly Column<object>[] = [
  first,
  last,
  member('count', { right: true }),
  { name: 'name', value: (row) => withoutDot((row as Rrset).rrname) },
  { name: 'type', value: (row) => (row as Rrset).rrtype },
  { name: 'data', value: (row) => [(row as Rrset).rdata].flat().map(withoutDot) },
  {
    name: 'source',
    value: (row) => ((row as Rrset).zone_time_first === undefined ? 'sensor' : 'zone'),
    hidden: true,
  },
];

const summaryColumns: readonly Column<object>[] = [
  member('query'),
  member('num_results', { title: 'RECORDS', right: true }),
  member('count', { title: 'OBSERVATIONS', right: true }),
  first,
  last,
];

async function pdns(remote: Remote, values: readonly string[]): Promise<void> {
  const options = remote.options as Options;
  const query = queryOf(options);
  const output = remote.listing(options.summary ? summaryColumns : recordColumns);
  const verb = options.summary ? 'summarize' : 'lookup';
  const limit =
    options.limit ?? (output.format === 'table' && !options.summary ? recordsOnTerminal : undefined);
  const limited: string[] = [];
  for await (const { path, text } of questions(values, options)) {
    const records = remote.client.lines<object>(`/pdns/v2/${verb}/${path}`, {
      query: { ...query, limit },
      onEnd: ({ cond }) => void (cond === 'limited' && !options.summary && limited.push(text)),
    });
    for await (const record of records)
      await output.add(options.summary ? { query: text, ...record } : record);
  }
  await output.end();
  if (limited.length > 0)
    remote.note(`There are more records of ${limited.join(', ')}; --limit 0 asks for all.`);
  else if (!options.summary) remote.total(`${counted(output.count, 'record')}.`);
}

async function* questions(values: readonly string[], options: Options): AsyncGenerator<Question> {
  const { rrset, name, ip, type } = options;
  const flagged = Object.entries({ rrset, name, ip }).filter(([, value]) => value !== undefined);
  if (flagged.length > 1) throw usageFailure('use one of -r, -n and -i');
  const [kind, value] = flagged[0] ?? [];
  if (value !== undefined) {
    if (values.length > 0) throw usageFailure(`${values[0]}: -r, -n and -i have the value already`);
    yield questionOf(value, kind as Kind, type);
    return;
  }
  for await (const given of givenValues(values, 'names or addresses'))
    yield questionOf(given, undefined, type);
}

function queryOf({ after, before, since, complete, newest }: Options): Query {
  if (since !== undefined && after !== undefined) throw usageFailure('use --since or -A, not both');
  const from = since === undefined ? after : -since;
  return {
    ...(from === undefined ? {} : { [complete ? 'time_first_after' : 'time_last_after']: from }),
    ...(before === undefined ? {} : { [complete ? 'time_last_before' : 'time_first_before']: before }),
    ...(newest ? { sort: 'time_last' } : {}),
  };
}

function withoutDot(text: string): string {
  return text.length > 1 && text.endsWith('.') ? text.slice(0, -1) : text;
}

function readType(text: string): string {
  if (/^[a-z0-9-]{1,32}$/i.test(text)) return text.toUpperCase();
  throw new InvalidArgumentError('Expected a type such as A, MX or TXT.');
}
