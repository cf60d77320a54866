/** The head of a domain's page: record, risk, list, tags and picture at a glance. Charged like one request to Enrich. */
import { domainToUnicode } from 'node:url';
import { type Static, Type } from 'typebox';
import type { WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import { tldOf } from '../../../model/record/tld.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { listTags, type TagNeeds } from '../../../product/investigate/tags.ts';
import {
  type AssessNeeds,
  type ExplainedAssessment,
  explain,
  getScoredDomain,
} from '../../../product/risk/assess.ts';
import { findPictures, type PictureNeeds } from '../../../product/screenshot/picture-state.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { matchOnWire } from '../../platform/detect/match-wire.ts';
import { sightingsOnWire } from '../../platform/detect/sighting-wire.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import { tagOfDomainOnWire } from '../tag/tag-on-wire.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { DomainOverview, type RecordSummary } from './domain-wire.ts';
import { pictureView } from './picture-view.ts';
import { reasonsOf } from './risk-reasons.ts';

export interface OverviewNeeds extends AssessNeeds, PictureNeeds, ChargeProductNeeds {
  readonly domains: AssessNeeds['domains'] & TagNeeds['domains'] & Pick<DomainStore, 'findRecords'>;
  readonly watchlist: Pick<WatchlistStore, 'findDomainNamed'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor' | 'listOwnDomains'>;
  readonly settings: AssessNeeds['settings'] & PictureNeeds['settings'] & Pick<Settings, 'limits'>;
}

export const DomainParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 2000 }) });

/** Names on the wire of the web UI: Unicode for people, punycode for addresses. */
export function namesOf(punycode: string) {
  return { domain: domainToUnicode(punycode) || punycode, punycode };
}

export function overviewOperation(needs: OverviewNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name',
    access: 'read',
    product: 'intel-enrich',
    summary: 'A domain at a glance',
    params: DomainParams,
    answer: DomainOverview,
    handle: async ({ params, caller, nowMs }) => {
      const name = getDomainName('name', params.name);
      await chargeProduct(caller, 'intel-enrich', needs, nowMs);
      return overviewOf(name, caller, needs, nowMs);
    },
  });
}

async function overviewOf(
  name: string,
  caller: WebCaller,
  needs: OverviewNeeds,
  nowMs: number,
): Promise<DomainOverview> {
  const accountId = caller.account.id;
  const [record] = await needs.domains.findRecords([name]);
  const [assessed] = await explain([getScoredDomain('name', name)], needs, nowMs);
  const listed = await needs.watchlist.findDomainNamed(accountId, name);
  const { tagged } = await listTags(caller, [name], needs, nowMs);
  const [picture] = await findPictures([name], needs);
  const own = await needs.monitors.listOwnDomains(accountId);
  return {
    ...namesOf(name),
    tld: tldOf(name),
    own: own.some((one) => name === one || name.endsWith(`.${one}`)),
    summary: record ? summaryOf(record) : null,
    risk: riskOf(assessed as ExplainedAssessment),
    listed: listed ? await listedOf(accountId, listed, needs) : null,
    tags: (tagged[0]?.tags ?? []).map(tagOfDomainOnWire),
    picture: pictureView(picture ?? { state: 'none' }),
  };
}

function riskOf({ status, risk, contributions }: ExplainedAssessment): DomainOverview['risk'] {
  return {
    score: risk.risk_score,
    status,
    components: risk.components.map(({ name, risk_score, threats, evidence }) => ({
      name,
      score: risk_score,
      ...(threats ? { threats } : {}),
      ...(evidence ? { evidence } : {}),
    })),
    reasons: reasonsOf(contributions),
  };
}

const entriesMax = 50;

function summaryOf(record: DomainRecord): Static<typeof RecordSummary> {
  const { registrar, registrant_org, create_date, expiration_date, registrar_status } =
    registrationOf(record);
  return {
    active: record.active ?? false,
    first_seen: record.first_seen ?? null,
    updated_at: record.data_updated_timestamp ?? null,
    popularity_rank: record.popularity_rank ?? null,
    registrar: registrar ?? null,
    registrant_org: registrant_org ?? null,
    create_date: create_date ?? null,
    expiration_date: expiration_date ?? null,
    registrar_status: [...(registrar_status ?? [])],
    ip: (record.ip ?? []).slice(0, entriesMax).map(({ address, country_code = '', isp = '', asn = [] }) => ({
      ip: address,
      country_code,
      isp,
      asn: [...asn],
    })),
    name_server: (record.name_server ?? []).slice(0, entriesMax).map(({ host }) => host),
    mx: (record.mx ?? []).slice(0, entriesMax).map(({ host }) => host),
    website_title: record.website_title ?? null,
    website_response: record.website_response ?? null,
    server_type: record.server_type ?? null,
    redirect: record.redirect ?? null,
    certificates: (record.ssl_info ?? []).slice(0, entriesMax).map((certificate) => ({
      hash: certificate.hash,
      common_name: certificate.common_name ?? '',
      issuer: certificate.issuer_common_name ?? '',
      not_before: certificate.not_before ?? '',
      not_after: certificate.not_after ?? '',
    })),
  };
}

async function listedOf(
  accountId: string,
  domain: WatchlistDomain,
  { monitors }: OverviewNeeds,
): Promise<DomainOverview['listed']> {
  const terms: { id: string; term: string }[] = [];
  for (const id of domain.monitorIds.slice(0, entriesMax)) {
    const monitor = await monitors.findMonitor(accountId, id);
    if (monitor) terms.push({ id, term: monitor.term });
  }
  const { assigned, changedMs } = domain;
  const time = (ms: number) => new Date(ms).toISOString();
  const sightings = sightingsOnWire(domain.sightings);
  return {
    id: domain.id,
    state: domain.state,
    discovered_date: time(domain.discoveredMs),
    changed_date: changedMs === undefined ? null : time(changedMs),
    decided: assigned && domain.state !== 'new' ? { by: assigned.by, at: time(assigned.atMs) } : null,
    monitors: terms,
    escalations: domain.escalations.map(({ type, createdBy, createdMs }) => ({
      type,
      by: createdBy,
      at: time(createdMs),
    })),
    match: domain.matches.slice(0, entriesMax).map(matchOnWire),
    ...(sightings ? { sightings } : {}),
  };
}
