/** Requests for every GET operation, with what a running demonstration itself has answered before: its names, ids and links. */
import assert from 'node:assert/strict';
import type { Json } from '../../api/openapi/description.ts';
import { type ExampleRequest, fromUrl } from '../../api/openapi/example-requests.ts';
import type { Served } from '../../harness/server/command-line.ts';
import { until } from '../../harness/server/world-server.ts';

export interface Demo {
  readonly url: string;
  readonly key: string;
  readonly batchKey: string;
}

/** From what `serve --demo` prints the first time. */
export async function printedDemo({ url, output }: Pick<Served, 'url' | 'output'>): Promise<Demo> {
  return until('the keys', async () => {
    const { out } = output();
    const [key, batchKey] = [/API key +(\S+)\n/, /batch key +(\S+)\n/].map((shape) => shape.exec(out)?.[1]);
    return key !== undefined && batchKey !== undefined ? { url, key, batchKey } : undefined;
  });
}

interface DemoRequests {
  readonly byOperation: Readonly<Record<string, ExampleRequest>>;
  /** Parameters in the paths of passive DNS: each path finds something. */
  readonly pdnsPath: (template: string) => Readonly<Record<string, string>>;
}

/** Waits until the demonstration has something for every operation. */
export async function demoRequests(demo: Demo): Promise<DemoRequests> {
  const record = await foundRecord(demo);
  const [domain, nameserver] = [record.domain, record.name_server[0].host.value as string];
  const one = { query: { domain } };
  const search = { nameserver_host: nameserver };
  const recent = { query: { after: '-3600' } };
  const { blocklists, misp_feed } = await answerOf(demo, '/v1/intel-detect/blocklists/');
  const pack = await answerOf(demo, '/v1/evidence/', { domain: [domain] });
  const campaign = { query: { id: await madeCampaign(demo) } };
  const { watchlist_domain: listed } = await answerOf(
    demo,
    `/v1/intel-detect/domain/?domain=${encodeURIComponent(domain)}`,
  );
  return {
    byOperation: {
      getDetectTriage: { path: { list: 'new' } },
      getDetectTriageFacets: { path: { list: 'new' }, query: { attribute: 'tld' } },
      getDetectTriageClusters: { path: { list: 'new' } },
      getDetectCluster: { query: { id: listed.id, list: 'new' } },
      getDetectNotes: { query: { id: listed.id } },
      getDetectCampaign: campaign,
      getDetectCampaignMembers: campaign,
      getDetectCampaignTimeline: campaign,
      getDetectCampaignStix: campaign,
      getDetectNewDomains: { query: { include_domain_data: true } },
      getDetectWatchlist: { path: { state: 'new' } },
      getDetectDomain: one,
      getDetectRequests: one,
      getEvidencePack: { query: { id: pack.response.id } },
      getEvidenceAnswers: one,
      getEvidenceAnswer: { query: { domain, sha256: await rawAnswer(demo, domain) } },
      getIntelEnrich: { query: { domain: [domain] } },
      getRiskScore: one,
      getRiskEvidence: one,
      getIntelInvestigate: { query: search },
      getInvestigateSearchHash: { query: search },
      getInvestigateFacets: { query: { ...search, attribute: 'registrar' } },
      getDomainHistory: one,
      getDomainDossier: one,
      getDomainTags: { query: { domain: [domain] } },
      ...Object.fromEntries(feedOperations.map((id) => [id, recent])),
      getFeedTail: { path: { feed: 'nod' }, ...recent },
      getFeedDownload: { path: { feed: 'nod' } },
      getFile: noArchive,
      getBlocklist: fromUrl(blocklists[0].url, ['account', 'edition', 'file']),
      getMispFeedFile: fromUrl(`${misp_feed}/manifest.json`, [
        'account',
        'edition',
        'list',
        'signature',
        'file',
      ]),
      getScreenshotImage: fromUrl(record.screenshot.src, []),
      getRange: fromUrl(await rangeUrl(demo), ['channel', 'range']),
      queryCof: { path: { value: domain } },
    },
    pdnsPath: await observedPath(demo),
  };
}

/** The checksum of one: they are stored soon after the record. */
function rawAnswer(demo: Demo, domain: string): Promise<string> {
  return until('a raw answer', async () => {
    const { response } = await answerOf(demo, `/v1/evidence/answers/?domain=${encodeURIComponent(domain)}`);
    return response.answers[0]?.sha256 as string | undefined;
  });
}

/** Of a domain that is on a list now. */
async function madeCampaign(demo: Demo): Promise<string> {
  const { watchlist_domains: listed } = await answerOf(demo, '/v1/intel-detect/watchlist/new/');
  const body = { name: 'Of the tests', domains: [listed[0].domain] };
  return (await answerOf(demo, '/v1/intel-detect/campaigns/', body)).id;
}

const feedOperations = [
  'getNOD',
  'getNAD',
  'getNOH',
  'getDomainDiscovery',
  'getDomainRisk',
  'getDomainHotlist',
  'getIPRisk',
  'getIPHotlist',
  'getParsedDRDAP',
];

/** The first archive is made when a full hour is over. */
const noArchive: ExampleRequest = {
  path: { archive: 'nod', date: '2026-01-01', file: 'nod-2026-01-01T00.gz' },
  query: { Expires: '1', Signature: 'none' },
};

async function answerOf({ url, key }: Demo, path: string, body?: object): Promise<Json> {
  const headers = { 'x-api-key': key };
  const response = await fetch(
    url + path,
    body
      ? {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
      : { headers },
  );
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return JSON.parse(text);
}

/** A lookalike with a picture, a score and name servers. */
function foundRecord(demo: Demo): Promise<Json> {
  // The preview has the newest ones, and a picture takes its time.
  const seen = new Set<string>();
  const find = async () => {
    const { watchlist_domains: found } = await answerOf(demo, '/v1/intel-detect/domains/new/?preview=1');
    for (const { domain } of found) seen.add(domain);
    if (seen.size === 0) return undefined;
    const oldest = [...seen].slice(0, 50).join();
    const { response } = await answerOf(demo, `/v1/intel-enrich/?domain=${oldest}&screenshots=1`);
    return response.results.find(
      ({ screenshot, name_server: servers, domain_risk: risk }: Json) =>
        screenshot?.src && servers?.length > 0 && risk?.risk_score !== undefined,
    );
  };
  // The preview may be asked for 30 times a minute.
  return until('a lookalike with a picture', find, 2500, 600_000);
}

/** A link to what a channel got in its first minute. */
async function rangeUrl({ url, batchKey: apikey }: Demo): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/batchd/v1/batch/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apikey, ...body }),
    });
    return (await response.json()) as Json;
  };
  const { channels } = await post('chdetails', { channels: [212] });
  const { earliest: start, latest: end } = channels.ch212;
  return (await post('makeurl', { channel: 212, start_time: start, end_time: end })).url;
}

async function observedPath(demo: Demo): Promise<DemoRequests['pdnsPath']> {
  // In any zone: of some of them nobody asks for anything within minutes.
  const [site, delegation] = await Promise.all([
    observed(demo, 'lookup/rdata/ip/127.80.0.0,12'),
    observed(demo, 'regex/rdata/%5Ens/NS'),
  ]);
  const host = await observed(demo, `lookup/rrset/name/${site.rrname}/A`);
  const [owner, address] = [withoutDot(host.rrname), host.rdata[0] as string];
  const name = withoutDot(delegation.rdata);
  const [ownerLabel, nameLabel] = [owner, name].map((text) => text.split('.')[0] as string);
  return (template) => {
    const isRdata = template.includes('/rdata/');
    const label = isRdata ? nameLabel : ownerLabel;
    return {
      owner,
      name,
      address,
      hex: isRdata ? Buffer.from(address.split('.').map(Number)).toString('hex') : wireForm(owner),
      rrtype: /rdata\/name|rdata\/\{pattern/.test(template) ? 'NS' : 'A',
      bailiwick: withoutDot(host.bailiwick),
      pattern: template.includes('/glob/') ? `*${label}*` : (label as string),
    };
  };
}

/** What the sensor has reported. */
function observed({ url, key }: Demo, query: string): Promise<Json> {
  return until(query, async () => {
    const response = await fetch(`${url}/pdns/v2/${query}?limit=1`, { headers: { 'x-api-key': key } });
    const row = (await response.text()).split('\n').find((line) => line.includes('"obj"'));
    return row === undefined ? undefined : JSON.parse(row).obj;
  });
}

const withoutDot = (name: string) => name.replace(/\.$/, '');

function wireForm(name: string): string {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]).toString('hex');
}
