/** `nameglass investigate`: a search by any parameter of the API, each of which is a flag here, or its size and shape alone. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { NameglassError, type Query, type RequestOptions } from '../../client/nameglass-client.ts';
import { namedParameters } from '../../product/investigate/search-parameters.ts';
import { collect, readWhole } from '../argument-readers.ts';
import { type Column, member } from '../listing/column.ts';
import type { CliNeeds } from '../needs.ts';
import { counted } from '../output.ts';
import { hostIn } from './given-names.ts';
import { recordColumns } from './record-columns.ts';
import { type Remote, type RemoteOptions, remoteAction, withRemote } from './remote-command.ts';
import { usageFailure } from './remote-failure.ts';

const path = '/v1/intel-investigate/';
/** What fits a terminal; a pipe gets all. */
const rowsOnTerminal = 100;
const pageSizeMax = 500;

interface Options extends RemoteOptions {
  readonly query?: string;
  readonly count?: boolean;
  readonly by?: readonly string[];
  readonly limit?: number;
  readonly with?: readonly string[];
  readonly component?: readonly string[];
}

const shortNames: Readonly<Record<string, string>> = {
  nameserver_host: 'ns',
  mailserver_host: 'mx',
  website_title: 'title',
};

const parts = ['parsed_whois', 'parsed_domain_rdap', 'screenshots'];

const help = `
Everything given must match. A flag may be repeated. --count asks for the size of the result alone, and with --by for the most
frequent values of attributes among the domains found: try it before a search that may be large.

Examples:
  nameglass investigate --ns ns1.dns.example --risk-score 70
  nameglass investigate --registrar 'Example Registrar' --tld top --count --by name_server.domain,ip.isp
  nameglass investigate --component parsed_whois:registrant_contact.name='Jane Owner' --csv -o jane.csv
  nameglass investigate --query 'domain CONTAINS paypal AND risk_score >= 70'
`;

export function addInvestigate(program: Command, needs: CliNeeds): void {
  const command = program.command('investigate');
  command
    .option('--query <text>', 'a query in the query language; @FILE reads a file, - standard input')
    .option('--count', 'only the number of domains that match')
    .option(
      '--by <attributes...>',
      'with --count: the most frequent values of these, such as registrar',
      collect(String),
    )
    .option(
      '-l, --limit <n>',
      'at most so many domains; 0: all (default: 100 on a terminal, else all)',
      readWhole,
    )
    .option('--with <parts...>', `more of each record: ${parts.join(', ')}`, collect(readPart))
    .option(
      '--component <name=value...>',
      'a component of a parsed record, such as parsed_whois:registrant_contact.name=Jane',
      collectWhole,
    );
  command.optionsGroup('Search:');
  for (const { name, about, role } of searchFlags()) {
    const short = shortNames[name];
    const flags = `${short === undefined ? '' : `--${short}, `}--${dashed(name)} <value>`;
    command.addOption(
      new Option(flags, role === 'filter' ? `filter: ${about}` : about).argParser(collectWhole),
    );
  }
  withRemote(command).addHelpText('after', help).action(remoteAction(needs, investigate));
}

function searchFlags() {
  return [
    ...namedParameters,
    { name: 'search_hash', role: 'base', about: 'a search as one text, from the web UI or the API' } as const,
  ];
}

async function investigate(remote: Remote): Promise<void> {
  const options = remote.options as Options;
  const search = searchOf(options);
  const body = options.query === undefined ? undefined : queryText(await readQuery(options.query));
  if (body === undefined && Object.keys(search).length === 0)
    throw usageFailure(
      'what to search for? For example --registrar NAME, --ns HOST or --query TEXT; --help has all',
    );
  if (body !== undefined && Object.keys(search).length > 0)
    throw usageFailure('--query allows no other search flag: write it into the query');
  const request: RequestOptions = { query: search, ...(body === undefined ? {} : { body }) };
  if (options.by && !options.count) throw usageFailure('--by needs --count');
  if (options.by && body !== undefined) throw usageFailure('--by does not work with --query');
  if (options.by) return listFacets(options.by, search, remote);
  return options.count ? printCount(request, remote) : listRecords(request, remote);
}

interface SearchAnswer {
  readonly response: {
    readonly error?: { readonly message: string };
    readonly total_count?: number;
    readonly missing_domains?: readonly string[];
    readonly values?: readonly object[];
  };
}

async function printCount({ query, ...request }: RequestOptions, { client, listing }: Remote): Promise<void> {
  const { response } = await client.json<SearchAnswer>(path, {
    ...request,
    query: { ...query, count_only: true },
  });
  const output = listing([member<object>('total_count', { title: 'DOMAINS', right: true })]);
  await output.add({ total_count: response.total_count ?? 0 });
  await output.end();
}

async function listRecords({ query, ...request }: RequestOptions, remote: Remote): Promise<void> {
  const options = remote.options as Options;
  const output = remote.listing(recordColumns);
  const limit = options.limit ?? (output.format === 'table' ? rowsOnTerminal : 0);
  const asked: Query = {
    ...query,
    ...serverSort(options),
    ...Object.fromEntries((options.with ?? []).map((part) => [part, true])),
    ...(limit > 0 && limit < pageSizeMax ? { page_size: limit } : {}),
  };
  let isCut = false;
  for await (const record of remote.client.pages<object>(path, { ...request, query: asked })) {
    isCut = limit > 0 && output.count === limit;
    if (isCut) break;
    await output.add(record);
  }
  await output.end();
  if (isCut)
    remote.note(
      `The first ${counted(limit, 'domain')}; --limit 0 lists all, --count says how many there are.`,
    );
  else remote.total(`${counted(output.count, 'domain')}.`);
}

/** Where only some are requested, they are the first by the order that was asked for. */
function serverSort({ sort }: RemoteOptions): Query {
  const byServer: Readonly<Record<string, string>> = {
    domain: 'domain',
    risk_score: 'risk_score',
    created: 'create_date',
    create_date: 'create_date',
    first_seen: 'first_seen_since',
  };
  const known = sort && byServer[sort.field];
  return known ? { sort_by: known, sort_direction: sort.descending ? 'dsc' : 'asc' } : {};
}

const facetColumns: readonly Column<object>[] = [
  member('attribute'),
  member('value'),
  member('domains', { right: true }),
  member('total_domains', { title: 'IN ALL', right: true }),
  member('average_risk_score', { title: 'AVERAGE RISK', right: true }),
];

async function listFacets(attributes: readonly string[], search: Query, remote: Remote): Promise<void> {
  const output = remote.listing(facetColumns);
  let total: number | undefined;
  for (const attribute of attributes) {
    const query = { ...search, attribute };
    const { response } = await remote.client
      .json<SearchAnswer>(`${path}facets/`, { query })
      .catch((error: unknown) => {
        const isOfAttribute = error instanceof NameglassError && error.message.startsWith('attribute: ');
        throw isOfAttribute
          ? usageFailure(`--by ${attribute}: ${error.message.slice('attribute: '.length)}`)
          : error;
      });
    if (response.error) throw usageFailure(response.error.message);
    total = response.total_count;
    for (const value of response.values ?? []) await output.add({ attribute, ...value });
  }
  await output.end();
  if (total !== undefined) remote.total(`${counted(total, 'domain')} in the search.`);
}

function searchOf(options: Options): Query {
  const given = options as Readonly<Record<string, unknown>>;
  const search: Record<string, readonly string[]> = {};
  for (const { name } of searchFlags()) {
    const values = given[camelCase(name)] as readonly string[] | undefined;
    if (values)
      search[name] = name === 'domain' ? values.flatMap((value) => value.split(',')).map(hostIn) : values;
  }
  for (const pair of options.component ?? []) {
    const at = pair.indexOf('=');
    if (at < 1) throw usageFailure(`--component: expected NAME=VALUE, not ${pair}`);
    const name = pair.slice(0, at);
    search[name] = [...(search[name] ?? []), pair.slice(at + 1)];
  }
  return search;
}

async function readQuery(given: string): Promise<string> {
  if (given === '-') return text(process.stdin);
  return given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given;
}

function queryText(query: string): string {
  return query.trimStart().startsWith('#') ? query : `# NameglassQL-1.0\n${query}`;
}

function readPart(part: string): string {
  if (parts.includes(part)) return part;
  throw new InvalidArgumentError(`Expected one or more of ${parts.join(', ')}.`);
}

/** Values may contain commas and spaces. */
function collectWhole(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function dashed(name: string): string {
  return name.replaceAll('_', '-');
}

/** As commander names the value of an option. */
function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
