/** Questions to every product whose answers depend on nothing but what is stored: not on the time, nor on the address of the server. */
import assert from 'node:assert/strict';

export interface AskedServer {
  readonly url: string;
  readonly apiKey: string;
  readonly batchKey: string;
}

/** One list of each kind an hour would not be enough. */
export const unlimited = [
  'limits.detect.monitorsQueriesPerHour=1000',
  'limits.detect.newDomainsQueriesPerHour=1000',
];

type Json = Readonly<Record<string, unknown>>;

const zones = ['brax', 'example', 'lumen', 'nimbo', 'orb', 'quill', 'test', 'velt', 'zon'];
const channels = [204, 212, 213, 214];
const membersOfRecords = [
  'domain',
  'active',
  'registrant_contact',
  'admin_contact',
  'name_server',
  'ip',
  'mx',
  'registrar',
  'create_date',
  'expiration_date',
  'ssl_info',
  'website_title',
  'tags',
];

export async function storedAnswers(server: AskedServer): Promise<Json> {
  const get = async (path: string) => (await answerOf(server, path)).json() as Promise<Json>;
  const { monitors } = (await get('/v1/intel-detect/monitors/')) as { monitors: Json[] };
  const { watchlist_domains: found } = (await get('/v1/intel-detect/domains/new/?limit=100')) as {
    watchlist_domains: Json[];
  };
  const domains = found.map(({ domain }) => String(domain)).sort();
  const list = domains.slice(0, 30).map(encodeURIComponent).join(',');
  return {
    products: await productsOf(get),
    monitors: inOrder(pick(monitors, ['term', 'id', 'state', 'match_substring_variations', 'created_date'])),
    domains: inOrder(pick(found, ['domain', 'id', 'state', 'discovered_date', 'monitor_ids', 'mx_exists'])),
    investigate: await recordsOf(get, `/v1/intel-investigate/?domain=${list}`),
    enrich: await recordsOf(get, `/v1/intel-enrich/?domain=${list}`),
    rrsets: await rrsetsOf(server),
    channels: await channelsOf(server),
  };
}

async function productsOf(get: (path: string) => Promise<Json>): Promise<readonly string[]> {
  const { response } = (await get('/v1/account/')) as { response: { products: { id: string }[] } };
  return response.products.map(({ id }) => id).sort();
}

async function recordsOf(get: (path: string) => Promise<Json>, path: string): Promise<readonly Json[]> {
  const { response } = (await get(path)) as { response: { results: Json[] } };
  return inOrder(pick(response.results, membersOfRecords));
}

async function rrsetsOf(server: AskedServer): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const zone of zones) {
    const path = `/pdns/v2/lookup/rrset/name/*.${zone}?limit=10000`;
    const text = await (await answerOf(server, path)).text();
    lines.push(...text.split('\n').filter((line) => line.includes('"obj"')));
  }
  return lines.sort();
}

async function channelsOf({ url, batchKey }: AskedServer): Promise<unknown> {
  const response = await fetch(`${url}/batchd/v1/batch/chdetails`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apikey: batchKey, channels }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as Json)['channels'];
}

async function answerOf({ url, apiKey }: AskedServer, path: string): Promise<Response> {
  const response = await fetch(url + path, { headers: { 'X-Api-Key': apiKey } });
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return response;
}

function pick(rows: readonly Json[], members: readonly string[]): Json[] {
  return rows.map((row) => Object.fromEntries(members.map((member) => [member, row[member]])));
}

function inOrder(rows: readonly Json[]): readonly Json[] {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .map((text) => JSON.parse(text) as Json);
}
