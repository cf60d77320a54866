/** Programs that call every GET operation through a generated client. TypeScript checks them before they run. */
import type { ExampleRequest } from '../../api/openapi/example-requests.ts';

export interface GeneratedCall {
  readonly id: string;
  /** The template. */
  readonly path: string;
  readonly contentType: string;
  readonly request: ExampleRequest;
}

interface ProgramOptions {
  readonly url: string;
  readonly key: string;
}

/** Notes the status of each response, of errors too; a stream of events is left once it has begun. */
const preamble = ({ url, key }: ProgramOptions) => `
const [url, key] = [${JSON.stringify(url)}, ${JSON.stringify(key)}];
const statuses: Record<string, number> = {};
let [current, begun]: [string, () => void] = ['', () => undefined];
const noting: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  statuses[current] = response.status;
  begun();
  return response;
};
async function call(id: string, work: (signal: AbortSignal) => Promise<unknown>, isStream: boolean): Promise<void> {
  const abort = new AbortController();
  current = id;
  const started = new Promise<void>((resolve) => { begun = resolve; });
  const done = work(abort.signal).catch((error: unknown) => {
    if (!abort.signal.aborted && !((statuses[id] ?? 0) >= 400)) throw error;
  });
  await (isStream ? started : done);
  if (isStream) abort.abort();
}
`;

const ending = `
console.log(JSON.stringify(statuses));
process.exit(0);
`;

const isStream = ({ contentType }: GeneratedCall) => contentType === 'text/event-stream';
const parsedAs = ({ contentType }: GeneratedCall) => (contentType === 'application/json' ? 'json' : 'text');

function parametersOf({ request }: GeneratedCall): string {
  const { path, query } = request;
  return Object.entries({ path, query })
    .filter(([, values]) => Object.keys(values ?? {}).length > 0)
    .map(([name, values]) => `${name}: ${JSON.stringify(values)}`)
    .join(', ');
}

export function openapiFetchProgram(calls: readonly GeneratedCall[], options: ProgramOptions): string {
  const lines = calls.map((each) => {
    const parseAs = isStream(each) ? 'stream' : parsedAs(each);
    const request = `client.GET('${each.path}', { params: { ${parametersOf(each)} }, parseAs: '${parseAs}', signal })`;
    return `await call('${each.id}', (signal) => ${request}, ${isStream(each)});`;
  });
  return `import createClient from 'openapi-fetch';
import type { paths } from './description.js';
${preamble(options)}
const client = createClient<paths>({ baseUrl: url, headers: { 'X-Api-Key': key }, fetch: (request) => noting(request) });
${lines.join('\n')}
${ending}`;
}

/** `functions`: the name of the function of each path. */
export function heyApiProgram(
  calls: readonly GeneratedCall[],
  functions: ReadonlyMap<string, string>,
  options: ProgramOptions,
): string {
  const lines = calls.map((each) => {
    const parameters = [
      parametersOf(each),
      'signal',
      'throwOnError: true',
      isStream(each) ? '' : `parseAs: '${parsedAs(each)}'`,
    ];
    const request = `sdk.${functions.get(each.path)}({ ${parameters.filter(Boolean).join(', ')} })`;
    const stream = `(async () => { for await (const _ of (await ${request}).stream) break; })()`;
    return `await call('${each.id}', (signal) => ${isStream(each) ? stream : request}, ${isStream(each)});`;
  });
  return `import { client } from './generated/client.gen.js';
import * as sdk from './generated/sdk.gen.js';
${preamble(options)}
client.setConfig({ baseUrl: url, auth: () => key, fetch: noting });
${lines.join('\n')}
${ending}`;
}

/** From the generated source: which function requests which path by GET. */
export function functionsOf(sdk: string): ReadonlyMap<string, string> {
  const found = sdk.matchAll(/export const (\w+) = [^;]*?\.get<[^;]*?url: '([^']+)'/g);
  return new Map([...found].map(([, name, path]) => [path as string, name as string]));
}

/** By name: the type of our client, and the schema of the description. */
const comparedTypes = [
  ['AccountAnswer', 'GetAccountInfoAnswer'],
  ['EnrichAnswer', 'GetIntelEnrichAnswer'],
  ['InvestigateAnswer', 'GetIntelInvestigateAnswer'],
  ['RiskEvidenceAnswer', 'GetRiskEvidenceAnswer'],
  ['EvidenceAnswer', 'GetEvidenceAnswer'],
  ['EvidenceCase', 'EvidenceCase'],
  ['Monitor', 'Monitor'],
  ['Campaign', 'Campaign'],
  ['CampaignMember', 'CampaignMember'],
  ['WatchlistDomain', 'WatchlistDomain'],
  ['PdnsRecord', 'PdnsRow'],
  ['PdnsRateAnswer', 'GetRateLimitAnswer'],
  ['ChannelDetailsAnswer', 'ChdetailsAnswer'],
] as const;

/** Compiles if what is described may be read by our types, and these have no other members. */
export const answerComparison = `import type * as own from './answers.js';
import type { components } from './description.js';
type Described = components['schemas'];
type Change = components['schemas']['GetDomainHistoryAnswer']['response']['changes'][number];
type SameMembers<A, B> = [Exclude<keyof A, keyof B>, Exclude<keyof B, keyof A>] extends [never, never] ? true : never;
export const change = (given: Change): own.RecordChange => given;
${comparedTypes
  .map(
    ([type, schema]) =>
      `export const of${type} = (given: Described['${schema}']): own.${type} => given;
export const members${type}: SameMembers<own.${type}, Described['${schema}']> = true;`,
  )
  .join('\n')}
`;
