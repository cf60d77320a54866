/** `nameglass api`: any request to the server, with the key of the profile. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Query, RequestOptions } from '../../client/nameglass-client.ts';
import { escapeForTerminal } from '../../model/escape-for-terminal.ts';
import { openSink } from '../listing/sink.ts';
import type { CliNeeds } from '../needs.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from './remote-command.ts';
import { usageFailure } from './remote-failure.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

interface Options extends RemoteOptions {
  readonly method?: (typeof methods)[number];
  readonly field?: readonly (readonly [string, string])[];
  readonly header?: readonly (readonly [string, string])[];
  readonly input?: string;
  readonly include?: boolean;
  readonly paginate?: boolean;
}

const help = `
The path is that of an API, as in docs/api: with /v1, /pdns or /batchd. Fields are parameters: in the query of a GET, in a JSON
body otherwise; a field that is given several times is a list, and so is name[]=value.

Examples:
  nameglass api /v1/account/
  nameglass api /v1/intel-investigate/ -f registrar='Example Registrar' --paginate --fields domain,create_date
  nameglass api /v1/intel-detect/monitors/ -X POST -f term=acmebank
  nameglass api /pdns/v2/lookup/rrset/name/*.example.com -f limit=5
`;

export function addApi(program: Command, needs: CliNeeds): void {
  const command = program
    .command('api')
    .argument('<path>', 'path of the request, such as /v1/account/')
    .addOption(
      new Option('-X, --method <method>', 'method (default: GET, or POST with --input)').choices(methods),
    )
    .option('-f, --field <name=value>', 'a parameter; may be repeated', collectPairs('='))
    .option('-H, --header <name:value>', 'a header; may be repeated', collectPairs(':'))
    .option('--input <file>', 'send the file as the body; - reads standard input')
    .option('-i, --include', 'print the status and the headers too')
    .option('--paginate', 'request all pages, and print their items');
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, callApi));
}

async function callApi(remote: Remote, path: string): Promise<void> {
  const options = remote.options as Options;
  const request = await requestOf(options);
  if (options.paginate || options.csv || options.fields || options.sort)
    return listItems(path, request, remote);
  const response = await remote.client.request(ownPath(path), request);
  const sink = await openSink(options.output);
  if (options.include) {
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
    await sink.write(`HTTP ${response.status}\n${headers}\n`);
  }
  const isForPeople = process.stdout.isTTY && options.output === undefined;
  if (isForPeople) await sink.write(forTerminal(await response.text(), options.json ?? false));
  else for await (const chunk of response.body ?? []) await sink.write(chunk);
  await sink.end();
}

async function listItems(path: string, request: RequestOptions, { client, listing }: Remote): Promise<void> {
  const output = listing<object>([]);
  for await (const item of client.pages<object>(ownPath(path), request)) await output.add(item);
  await output.end();
}

/** The key goes to the server of the profile alone. */
function ownPath(path: string): string {
  if (/^[a-z]+:\/\//i.test(path))
    throw usageFailure('the path begins with /v1, /pdns or /batchd; --server names the server');
  return path;
}

async function requestOf({ method, field = [], header = [], input }: Options): Promise<RequestOptions> {
  const isRead =
    (method ?? (input === undefined ? 'GET' : 'POST')) === 'GET' || method === 'HEAD' || method === 'DELETE';
  const fields = grouped(field);
  const body = input === undefined ? undefined : await readInput(input);
  const inQuery = isRead || body !== undefined;
  return {
    method,
    headers: Object.fromEntries(header),
    ...(inQuery ? { query: fields } : {}),
    ...(inQuery ? {} : { body: fields }),
    ...(body === undefined ? {} : { body }),
  };
}

/** `name[]`, and a name that occurs several times, are lists. */
function grouped(pairs: readonly (readonly [string, string])[]): Query {
  const values = Map.groupBy(pairs, ([name]) => name.replace(/\[\]$/, ''));
  return Object.fromEntries(
    [...values].map(([name, found]) => {
      const isList = found.length > 1 || found[0]?.[0].endsWith('[]');
      return [name, isList ? found.map(([, value]) => value) : (found[0]?.[1] ?? '')];
    }),
  );
}

async function readInput(input: string): Promise<Uint8Array | string> {
  return input === '-' ? text(process.stdin) : readFileSync(input);
}

/** JSON indented, unless it is to be one line; control characters escaped. */
function forTerminal(body: string, asOneLine: boolean): string {
  const lines = (asOneLine ? body : indented(body)).split('\n');
  return `${lines.map(escapeForTerminal).join('\n').trimEnd()}\n`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

function collectPairs(separator: string) {
  return (given: string, before: readonly (readonly [string, string])[] = []) => {
    const at = given.indexOf(separator);
    if (at < 1) throw new InvalidArgumentError(`Expected NAME${separator}VALUE.`);
    return [
      ...before,
      [
        given.slice(0, at).trim(),
        separator === ':' ? given.slice(at + 1).trim() : given.slice(at + 1),
      ] as const,
    ];
  };
}
