/** `nameglass feed`: polls a feed, by a session that the server keeps or by a time range, or follows it. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Query } from '../../client/nameglass-client.ts';
import { type FeedName, feedProducts } from '../../model/product-catalogue.ts';
import { collect, readPositive } from '../argument-readers.ts';
import { riskColour } from '../listing/colour.ts';
import { type Column, member } from '../listing/column.ts';
import type { CliNeeds } from '../needs.ts';
import { counted } from '../output.ts';
import { readPastTime } from './past-time.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from './remote-command.ts';
import { usageFailure } from './remote-failure.ts';
import { serverSentEvents } from './server-sent-events.ts';

interface Options extends RemoteOptions {
  readonly session?: string;
  readonly fromBeginning?: boolean;
  readonly delete?: boolean;
  readonly after?: number;
  readonly before?: number;
  readonly domain?: readonly string[];
  readonly top?: number;
  readonly filter?: readonly string[];
  readonly follow?: boolean;
}

const names = Object.keys(feedProducts);

const help = `
With --session the server remembers what was delivered: every call returns what is new since the last one, and the first one the
last hour. With --after it returns a time range. --follow prints records as they are written, until Ctrl-C.

Examples:
  nameglass feed nod --session siem >> nod.ndjson
  nameglass feed domainrisk --after 1h --filter overall_min=90
  nameglass feed nod --follow --domain '*bank*'
`;

export function addFeed(program: Command, needs: CliNeeds): void {
  const command = program
    .command('feed')
    .argument('<name>', names.join(', '), readFeed)
    .option('--session <name>', 'continue the session of this name, or begin it')
    .option('--from-beginning', 'begin a new session with the oldest record')
    .option('--delete', 'delete the session')
    .addOption(
      new Option('--after <time>', 'from this time on: a date, or 1h, 2d ago').argParser(readPastTime),
    )
    .addOption(new Option('--before <time>', 'up to this time').argParser(readPastTime))
    .option('--domain <pattern...>', 'only these names; a* and *a and *a* are patterns', collect(String))
    .option('--top <n>', 'at most so many records, the newest or riskiest first', readPositive)
    .option(
      '--filter <name=value...>',
      'another parameter of the feed, such as overall_min=90',
      collect(readFilter),
    )
    .option('--follow', 'print records as they are written, until Ctrl-C');
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, feed));
}

const columns: Readonly<Partial<Record<FeedName, readonly string[]>>> = {
  domainrisk: [
    'timestamp',
    'domain',
    'overall_risk',
    'phishing_risk',
    'malware_risk',
    'spam_risk',
    'proximity_risk',
  ],
  domainhotlist: [
    'timestamp',
    'domain',
    'overall_risk',
    'phishing_risk',
    'malware_risk',
    'spam_risk',
    'expires',
  ],
  domainrdap: ['timestamp', 'domain'],
};

function columnsOf(name: FeedName): readonly Column<object>[] {
  const found = columns[name] ?? (name.startsWith('ip') ? [] : ['timestamp', 'domain']);
  return found.map((each) =>
    each.endsWith('_risk')
      ? member(each, { title: each.replace('_risk', '').toUpperCase(), right: true, colour: riskColour })
      : member(each),
  );
}

async function feed(remote: Remote, name: FeedName): Promise<void> {
  const options = remote.options as Options;
  const { session, after, before, fromBeginning } = options;
  const path = `/v1/feed/${name}/`;
  if (options.delete) return deleteSession(path, remote);
  if (options.follow) return follow(`${path}tail/`, name, remote);
  if (session === undefined && after === undefined && before === undefined)
    throw usageFailure('--session NAME, --after TIME or --follow says what to return');
  const query: Query = {
    ...filtersOf(options),
    sessionID: session,
    after: instant(after),
    before: instant(before),
    top: options.top,
    ...(fromBeginning ? { fromBeginning: true } : {}),
  };
  const output = remote.listing(columnsOf(name));
  for await (const record of remote.client.pages<object>(path, { query })) await output.add(record);
  await output.end();
  remote.total(`${counted(output.count, 'record')}.`);
}

async function deleteSession(path: string, { client, options, note }: Remote): Promise<void> {
  const { session } = options as Options;
  if (session === undefined) throw usageFailure('--delete needs --session NAME');
  await client.request(path, { method: 'DELETE', query: { sessionID: session } });
  note(`Deleted the session ${session}.`);
}

async function follow(path: string, name: FeedName, { client, options, listing }: Remote): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const given = options as Options;
  const query = { ...filtersOf(given), after: instant(given.after) };
  const output = listing(columnsOf(name));
  try {
    const response = await client.request(path, { query, signal: stop.signal });
    for await (const record of serverSentEvents(response)) {
      await output.add(record);
      await output.flush();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  await output.end();
}

function filtersOf({ domain, filter = [] }: Options): Query {
  const pairs = filter.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return { ...Object.fromEntries(pairs), domain };
}

/** Seconds ago, or the form that feeds take. */
function instant(seconds: number | undefined): string | number | undefined {
  if (seconds === undefined || seconds < 0) return seconds;
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

function readFeed(text: string): FeedName {
  if (names.includes(text)) return text as FeedName;
  throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
}

function readFilter(text: string): string {
  if (/^\w+=/.test(text)) return text;
  throw new InvalidArgumentError('Expected NAME=VALUE, such as overall_min=90.');
}
