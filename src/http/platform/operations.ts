/**
 * Every operation of the platform contract, in one table: where it is, which product it belongs to, and who may call it.
 * `offer.ts` mounts them; a product supplies what they do. Ids are the contract's own; the three of key administration
 * are ours, because the contract leaves that area to the web UI, and so are the live tail of a feed, the one that brings data in,
 * what leads on from a search (search hashes, facets, tags and the history of a domain), and the risk of one domain.
 */
import { dailyArchives } from '../../model/archive-names.ts';
import type { Permission } from '../../model/permission.ts';
import { type FeedName, feedProducts, type ProductId } from '../../model/product-catalogue.ts';

export type Family = 'Account' | 'Detect' | 'Enrich' | 'Investigate' | 'Feeds' | 'Batch';

/** The content type of a family's JSON, errors included, to the letter. */
export function jsonType(family: Family): string {
  return family === 'Detect' ? 'application/json' : 'application/json;charset=utf-8';
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Route = `${Method} /${string}`;

export interface Operation {
  /** Method, and path below `/v1`. */
  readonly route: Route;
  readonly family: Family;
  /** Where one operation serves several products, its path tells which; undefined: none of ours. */
  readonly product: ProductId | 'any' | ((path: Readonly<Record<string, string>>) => ProductId | undefined);
  readonly permission: Permission | 'owner';
  readonly summary: string;
  /** The body is data, whatever its content type says, and parameters are in the query alone. */
  readonly bodyIsData?: boolean;
}

function downloadProduct({ feed = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  const name = Object.hasOwn(dailyArchives, feed) ? dailyArchives[feed] : feed;
  return name && Object.hasOwn(feedProducts, name) ? `${feedProducts[name as FeedName]}-(s3)` : undefined;
}

function feedProduct({ feed = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  return Object.hasOwn(feedProducts, feed) ? `${feedProducts[feed as FeedName]}-(api)` : undefined;
}

function account(route: Route, permission: Operation['permission'], summary: string): Operation {
  return { route, family: 'Account', product: 'any', permission, summary };
}

function detect(
  method: Method,
  path: string,
  product: string,
  permission: Permission,
  summary: string,
): Operation {
  return {
    route: `${method} /intel-detect/${path}/`,
    family: 'Detect',
    product: `intel-detect-${product}` as ProductId,
    permission,
    summary,
  };
}

function lookup(method: 'GET' | 'POST', family: 'Enrich' | 'Investigate', summary: string): Operation {
  const product = family === 'Enrich' ? 'intel-enrich' : 'intel-investigate';
  return { route: `${method} /${product}/`, family, product, permission: 'read', summary };
}

/** Ours, beyond the contract: what leads on from a search. */
function investigate(route: Route, permission: Permission, summary: string): Operation {
  return { route, family: 'Investigate', product: 'intel-investigate', permission, summary };
}

/** The risk of one domain: a lookup that older clients know, under the product of records by name. */
function risk(path: string, summary: string): Operation {
  return { route: `GET /${path}/`, family: 'Enrich', product: 'intel-enrich', permission: 'read', summary };
}

function feedOperation(method: 'GET' | 'DELETE', name: FeedName): Operation {
  return {
    route: `${method} /feed/${name}/`,
    family: 'Feeds',
    product: `${feedProducts[name]}-(api)`,
    permission: 'read',
    summary: `${method === 'GET' ? 'Streams' : 'Ends a session of'} the feed ${name}`,
  };
}

export const operations = {
  getAccountInfo: account('GET /account/', 'read', 'Account summary and provisioned products'),
  getAccountKeys: account('GET /account/keys/', 'admin', 'Lists the API users of the account'),
  postAccountKey: account('POST /account/keys/', 'admin', 'Creates an API user; its key is shown once'),
  postAccountKeyReset: account(
    'POST /account/keys/reset/',
    'owner',
    'Replaces a key for good; the old one is dead',
  ),

  getDetectMonitors: detect('GET', 'monitors', 'monitors', 'read', 'Lists monitors'),
  postDetectMonitor: detect('POST', 'monitors', 'monitors', 'manage', 'Creates a monitor of a term'),
  putDetectMonitor: detect('PUT', 'monitors', 'monitors', 'manage', 'Updates a monitor'),
  deleteDetectMonitor: detect('DELETE', 'monitors', 'monitors', 'manage', 'Deletes a monitor for good'),
  getDetectNewDomains: detect('GET', 'domains/new', 'new-domains', 'read', 'Lists newly discovered domains'),
  getDomainsWatched: detect('GET', 'domains/watched', 'watched-domains', 'read', 'Lists watched domains'),
  getDetectIgnored: detect('GET', 'domains/ignored', 'ignored-domains', 'read', 'Lists ignored domains'),
  patchDetectDomains: detect(
    'PATCH',
    'domains',
    'manage-watchlist-domains',
    'triage',
    'Watches or ignores domains',
  ),
  postDetectEscalations: detect('POST', 'escalations', 'escalate-domains', 'escalate', 'Escalates domains'),
  getDetectEscalations: detect(
    'GET',
    'escalations',
    'escalate-domains',
    'read',
    'Lists escalations and what became of their submission',
  ),
  postDetectMonitorPreview: detect(
    'POST',
    'monitors/preview',
    'monitors',
    'manage',
    'What a monitor would have found, without creating it',
  ),
  getDetectOwnDomains: detect(
    'GET',
    'own-domains',
    'monitors',
    'read',
    'Lists domains of the account that are never reported',
  ),
  postDetectOwnDomains: detect(
    'POST',
    'own-domains',
    'monitors',
    'manage',
    'Adds and removes domains that are never reported',
  ),
  getDetectBlocklists: detect(
    'GET',
    'blocklists',
    'escalate-domains',
    'read',
    'Links to blocklists of what was escalated as blocked',
  ),
  postDetectBlocklistsRenew: detect(
    'POST',
    'blocklists/renew',
    'escalate-domains',
    'manage',
    'Makes new links to blocklists; earlier ones are dead',
  ),
  getDetectEvents: detect(
    'GET',
    'events',
    'watched-domains',
    'read',
    'Follows what happens on the watchlist, as server-sent events',
  ),

  getIntelEnrich: lookup('GET', 'Enrich', 'Records of domains'),
  postIntelEnrich: lookup('POST', 'Enrich', 'Records of domains'),
  getRiskScore: risk('risk', 'The risk score of a domain, known or not'),
  getRiskEvidence: risk('risk/evidence', 'The same with threats, evidence, and what each score is made of'),
  getIntelInvestigate: lookup('GET', 'Investigate', 'Pivot search over domain records'),
  postIntelInvestigate: lookup('POST', 'Investigate', 'Pivot search over domain records'),
  getInvestigateSearchHash: investigate(
    'GET /intel-investigate/search-hash/',
    'read',
    'A search as one text, to be run again with search_hash',
  ),
  getInvestigateFacets: investigate(
    'GET /intel-investigate/facets/',
    'read',
    'The most frequent values of an attribute among the domains of a search',
  ),
  getDomainHistory: investigate('GET /domain-history/', 'read', 'What changed in the record of a domain'),
  getDomainTags: investigate('GET /domain-tags/', 'read', 'Tags of domains'),
  postDomainTags: investigate('POST /domain-tags/', 'triage', 'Adds and removes tags of domains'),

  getDomainDiscovery: feedOperation('GET', 'domaindiscovery'),
  deleteDomainDiscoverySession: feedOperation('DELETE', 'domaindiscovery'),
  getDomainHotlist: feedOperation('GET', 'domainhotlist'),
  deleteDomainHotlistSession: feedOperation('DELETE', 'domainhotlist'),
  getDomainRisk: feedOperation('GET', 'domainrisk'),
  deleteDomainRiskSession: feedOperation('DELETE', 'domainrisk'),
  getIPRisk: feedOperation('GET', 'iprisk'),
  deleteIPRiskSession: feedOperation('DELETE', 'iprisk'),
  getIPHotlist: feedOperation('GET', 'iphotlist'),
  deleteIPHotlistSession: feedOperation('DELETE', 'iphotlist'),
  getParsedDRDAP: feedOperation('GET', 'domainrdap'),
  deleteDRDAPSession: feedOperation('DELETE', 'domainrdap'),
  getNAD: feedOperation('GET', 'nad'),
  deleteNADSession: feedOperation('DELETE', 'nad'),
  getNOD: feedOperation('GET', 'nod'),
  deleteNODSession: feedOperation('DELETE', 'nod'),
  getNOH: feedOperation('GET', 'noh'),
  deleteNOHSession: feedOperation('DELETE', 'noh'),
  getFeedTail: {
    route: 'GET /feed/:feed/tail/',
    family: 'Feeds',
    product: feedProduct,
    permission: 'read',
    summary: 'Follows a feed: records as they come, as server-sent events',
  },
  getFeedDownload: {
    route: 'GET /download/:feed/',
    family: 'Feeds',
    product: downloadProduct,
    permission: 'read',
    summary: 'Lists the files of a feed archive',
  },

  postChannelLines: {
    route: 'POST /channels/:channel/lines/',
    family: 'Batch',
    product: 'any',
    permission: 'ingest',
    summary: 'Appends lines to a channel',
    bodyIsData: true,
  },
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
