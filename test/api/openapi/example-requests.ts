/** A request for each operation of the API description that the described server answers with success. */
import { hash } from 'node:crypto';
import type { DescribedServer } from './described-server.ts';

type Value = string | number | boolean;

export interface ExampleRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Value | readonly Value[]>>;
  readonly body?: unknown;
}

/** An operation that needs neither of these is called as it is. */
export async function exampleRequests(
  world: DescribedServer,
): Promise<Readonly<Record<string, ExampleRequest>>> {
  return { ...readingRequests, ...(await linkRequests(world)), ...writingRequests(world) };
}

const domain = { query: { domain: 'example.com' } };
const search = { nameserver_host: 'ns1.dns.example' };
const recent = { query: { after: '-3600' } };
const span = { channel: 212, start_time: '2026-03-04 10:00:00', end_time: '2026-03-04 10:05:00' };

const session = { query: { sessionID: 'siem' } };

const readingRequests: Readonly<Record<string, ExampleRequest>> = {
  getDetectMonitors: { query: { include_counts: true, datetime_counts_since: '2026-03-01' } },
  getDetectNewDomains: { query: { include_domain_data: true, limit: 1 } },
  getDetectWatchlist: { path: { state: 'watched' } },
  getDetectDomain: { query: { domain: 'acme-login.example' } },
  getDetectTriage: { path: { list: 'new' }, query: { limit: 1 } },
  getDetectTriageFacets: { path: { list: 'new' }, query: { attribute: 'tld' } },
  getDetectTriageClusters: { path: { list: 'new' } },
  getDetectRequests: { query: { domain: 'acme-login.example' } },
  getIntelEnrich: { query: { domain: ['example.com'] } },
  postIntelEnrich: { body: { domain: ['example.com'] } },
  getRiskScore: domain,
  getRiskEvidence: domain,
  getIntelInvestigate: { query: { ...search, page_size: 1 } },
  postIntelInvestigate: { body: { ...search, page_size: 1 } },
  getInvestigateSearchHash: { query: search },
  getInvestigateFacets: { query: { ...search, attribute: 'registrar' } },
  getDomainHistory: { query: { domain: 'example.com', limit: 2 } },
  getDomainDossier: domain,
  getDomainTags: { query: { domain: ['example.com'] } },
  getNOD: recent,
  getNAD: recent,
  getNOH: recent,
  getDomainDiscovery: recent,
  getDomainRisk: recent,
  getDomainHotlist: recent,
  getIPRisk: recent,
  getIPHotlist: recent,
  getParsedDRDAP: recent,
  getFeedTail: { path: { feed: 'nod' }, ...recent },
  getFeedDownload: { path: { feed: 'nod' }, query: { limit: 2 } },
  queryCof: { path: { value: 'www.example.com' } },
};

/** In the order in which they are sent; the writes of the end undo what the others need. */
function writingRequests({ user, monitorId, domainIds }: DescribedServer): Record<string, ExampleRequest> {
  const apikey = user.batchKey;
  const ids = (name: string) => [domainIds.get(name)];
  return {
    postAccountKey: { body: { username: 'bob', permissions: ['read', 'triage'] } },
    postAccountKeyReset: { body: { username: 'bob' } },
    postDetectMonitor: { body: { term: 'example bank', match_substring_variations: true } },
    putDetectMonitor: { body: { monitor_id: monitorId, text_exclusions: ['fan'] } },
    postDetectMonitorPreview: { body: { term: 'acme', limit: 5 } },
    postDetectMonitorBackTest: { body: { monitor_id: monitorId, text_exclusions: ['login'], limit: 5 } },
    patchDetectDomains: {
      body: { watchlist_domain_ids: ids('acme-login.example'), state: 'watched' },
    },
    getDetectCluster: { query: { id: String(ids('acme-login.example')[0]), list: 'watched' } },
    postDetectNote: { body: { id: ids('acme-login.example')[0], text: 'Wrote to the registrar.' } },
    getDetectNotes: { query: { id: String(ids('acme-login.example')[0]) } },
    postDetectAssignee: { body: { id: ids('acme-login.example')[0] } },
    postDetectEscalations: {
      body: { watchlist_domain_ids: ids('acme-shop.example'), escalation_type: 'blocked' },
    },
    postDetectOwnDomains: { body: { add: ['acme.example'] } },
    postDetectPassiveDomains: { body: { add: ['acme-login.example'] } },
    putDetectBlocklistSelection: { body: { name: 'everything', blocked: true, new_score_min: 90 } },
    deleteDetectBlocklistSelection: { query: { name: 'everything' } },
    postDetectBlocklistAllowed: { body: { add: ['partner.example'] } },
    postDomainTags: { body: { domain: ['example.com'], add: ['phishing'], scope: 'team' } },
    postEvidence: { body: { domain: ['example.com'], recipient: 'registrar' } },
    postChannelLines: { path: { channel: '42' }, body: '{"domain":"a.example"}\n' },
    validate: { body: { apikey } },
    chdetails: { body: { apikey, channels: [212] } },
    chfetch: { body: { apikey, ...span } },
    makeurl: { body: { apikey, ...span } },
    bulk: { body: { queries: [{ id: 'hosts', query: 'lookup/rrset/name/www.example.com' }] } },
    deleteNODSession: session,
    deleteNADSession: session,
    deleteNOHSession: session,
    deleteDomainDiscoverySession: session,
    deleteDomainRiskSession: session,
    deleteDomainHotlistSession: session,
    deleteIPRiskSession: session,
    deleteIPHotlistSession: session,
    deleteDRDAPSession: session,
    postDetectBlocklistsRenew: { body: {} },
    deleteDetectMonitor: { query: { monitor_id: monitorId } },
  };
}

/** Operations that are called by a link from the answer of another. */
async function linkRequests({ server, user }: DescribedServer): Promise<Record<string, ExampleRequest>> {
  const { key } = user;
  const files = (await server.call('GET /v1/download/nod/?limit=2', { key })).json.response.files;
  const sum = files.find(({ name }: { name: string }) => name.endsWith('.sha256'));
  const { blocklists: lists, misp_feed } = (await server.call('GET /v1/intel-detect/blocklists/', { key }))
    .json;
  const record = await server.call('GET /v1/intel-enrich/?domain=example.com&screenshots=1', { key });
  const picture = record.json.response.results[0].screenshot;
  const made = await server.call('POST /batchd/v1/batch/makeurl', {
    body: { apikey: user.batchKey, ...span },
  });
  const { decisions } = (await server.call('GET /v1/intel-detect/decisions/', { key })).json;
  const { suggestions } = (await server.call('GET /v1/intel-detect/suggestions/', { key })).json;
  const dismissed = await server.call('POST /v1/intel-detect/suggestions/', {
    key,
    body: { suggestion_id: suggestions[1].id, answer: 'dismissed' },
  });
  const sha256 = await keepAnswer(server);
  const campaigns = await exampleCampaigns(server, key);
  const packs = await Promise.all(
    [0, 1].map(() => server.call('POST /v1/evidence/', { key, body: { domain: ['example.com'] } })),
  );
  const [kept = '', deleted = ''] = packs.map(({ json }) => json.response.id as string);
  return {
    patchEvidence: { body: { id: kept, sent: '2026-03-02', outcome: 'taken-down' } },
    getEvidencePack: { query: { id: kept } },
    getEvidenceAnswers: domain,
    getEvidenceAnswer: { query: { domain: 'example.com', sha256 } },
    deleteEvidence: { query: { id: deleted } },
    ...campaignRequests(campaigns),
    postDetectSuggestion: { body: { suggestion_id: suggestions[0].id, answer: 'accepted' } },
    postDetectSuggestionUndo: { body: { answer_id: dismissed.json.id } },
    postDetectDecisionUndo: { body: { decision_id: decisions.at(-1).id } },
    getFile: fromUrl(sum.url, ['archive', 'date', 'file']),
    getBlocklist: fromUrl(lists[0].url, ['account', 'edition', 'file']),
    getMispFeedFile: fromUrl(`${misp_feed}/hashes.csv`, ['account', 'edition', 'list', 'signature', 'file']),
    getScreenshotImage: fromUrl(picture.src, []),
    getRange: fromUrl(made.json.url, ['channel', 'range']),
  };
}

/** Returns the ids of two campaigns. */
async function exampleCampaigns(
  server: DescribedServer['server'],
  key: string,
): Promise<readonly [string, string]> {
  const make = async (name: string, domains: readonly string[]): Promise<string> =>
    (await server.call('POST /v1/intel-detect/campaigns/', { key, body: { name, domains } })).json.id;
  return [await make('Parcels', ['acme-login.example']), await make('Shops', ['acme-shop.example'])];
}

function campaignRequests([kept, forgotten]: readonly [string, string]): Record<string, ExampleRequest> {
  const query = { id: kept };
  return {
    getDetectCampaign: { query },
    getDetectCampaignMembers: { query },
    getDetectCampaignTimeline: { query },
    getDetectCampaignStix: { query },
    patchDetectCampaign: { body: { id: kept, name: 'Parcel crew', followed: true } },
    postDetectCampaignMembers: { body: { id: kept, add: ['acme-mail.example'] } },
    postDetectCampaign: { body: { name: 'Mail', domains: ['acme-fan.example'] } },
    deleteDetectCampaign: { query: { id: forgotten } },
  };
}

export function fromUrl(url: string, names: readonly string[]): ExampleRequest {
  const { pathname, searchParams } = new URL(url);
  const [, , ...segments] = pathname.split('/');
  const path = names.map((name, at) => [name, decodeURIComponent(segments[at] as string)] as const);
  return {
    ...(path.length > 0 ? { path: Object.fromEntries(path) } : {}),
    query: Object.fromEntries(searchParams),
  };
}

/** The parameters in the paths of passive DNS, chosen so that each path finds something. */
export function pdnsPath(template: string): Readonly<Record<string, string>> {
  const isRdata = template.includes('/rdata/');
  const isGlob = template.includes('/glob/');
  const byName = /rdata\/name|rdata\/\{pattern/.test(template);
  return {
    owner: 'www.example.com',
    name: 'mail.example.net',
    address: '192.0.2.1',
    hex: isRdata ? 'c0000201' : '03777777076578616d706c6503636f6d00',
    rrtype: byName ? 'MX' : 'A',
    bailiwick: 'example.com',
    pattern: isRdata ? (isGlob ? '*mail*' : 'mail') : isGlob ? 'www.*' : '^www',
  };
}

/** What a server answered about example.com. Returns its SHA-256. */
async function keepAnswer({ rawAnswers, clock }: DescribedServer['server']): Promise<string> {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nserver: nginx\r\n\r\n');
  const asked = 'http://example.com/';
  const probe = { domain: 'example.com', collector: 'web', asked, request: `GET ${asked}` };
  const answer = { kind: 'http-head', address: '192.0.2.1', mediaType: 'text/plain', bytes } as const;
  await rawAnswers.saveAnswers([{ ...probe, ...answer, atMs: clock.now(), isTruncated: false }], {
    domainBytesMax: 1e6,
    totalBytesMax: 1e6,
  });
  return hash('sha256', bytes);
}
