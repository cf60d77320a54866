/** Domains of a watchlist on the wire of the web UI: what the list has, with records and pictures. */
import { mapInSlices } from '../../../concurrency/map-in-slices.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import { findPictures, type PictureNeeds } from '../../../product/screenshot/picture-state.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import type { TriageDomain, Note as TriageNote } from '../../../store/triage-store.ts';
import { nameOnWire } from '../../platform/detect/detect-wire.ts';
import { matchOnWire } from '../../platform/detect/match-wire.ts';
import { sightingsOnWire } from '../../platform/detect/sighting-wire.ts';
import { pictureView } from '../domain/picture-view.ts';
import type { Domain, Note } from './domain-wire.ts';

export interface DomainViewNeeds extends PictureNeeds {
  readonly domains: Pick<DomainStore, 'findRecords'>;
}

/** A user may have a hundred monitors of one term, which all match for the same reason. */
const matchesShownMax = 20;
const valuesShownMax = 20;

/** `readMs`: what came into the list later is unseen; undefined: the list was never read. */
export async function domainsOnWire(
  domains: readonly TriageDomain[],
  readMs: number | undefined,
  needs: DomainViewNeeds,
): Promise<Domain[]> {
  const names = domains.map(({ domain }) => domain);
  const [records, pictures] = await Promise.all([
    needs.domains.findRecords(names),
    findPictures(names, needs),
  ]);
  const views = domains.map((domain, index) => ({
    domain,
    record: records[index],
    picture: pictureView(pictures[index] ?? { state: 'none' }),
    isUnseen: domain.arrivedMs > (readMs ?? -1),
  }));
  return mapInSlices(views, ({ domain, ...view }) => domainOnWire(domain, view));
}

interface DomainView {
  readonly record: DomainRecord | undefined;
  readonly picture: Domain['picture'];
  readonly isUnseen: boolean;
}

function domainOnWire(domain: TriageDomain, { record, picture, isUnseen }: DomainView): Domain {
  const { riskComponents: risk, assigned, state, changedMs } = domain;
  const sightings = sightingsOnWire(domain.sightings);
  return {
    id: domain.id,
    domain: nameOnWire(domain.domain),
    punycode: domain.domain,
    state,
    status: domain.active ? 'active' : 'inactive',
    discovered_date: isoTime(domain.discoveredMs),
    changed_date: changedMs === undefined ? null : isoTime(changedMs),
    risk_score: domain.riskScore ?? null,
    risk_score_status: domain.riskStatus ?? null,
    risk_score_components: {
      proximity: risk?.proximity ?? null,
      phishing: risk?.phishing ?? null,
      malware: risk?.malware ?? null,
      spam: risk?.spam ?? null,
    },
    mx_exists: domain.mxExists,
    tld: domain.tld,
    monitor_ids: [...domain.monitorIds],
    match: domain.matches.slice(0, matchesShownMax).map(matchOnWire),
    ...dataOnWire(record),
    escalations: domain.escalations.map(({ id, type, createdMs, createdBy, submission }) => ({
      escalation_type: type,
      id,
      created: isoTime(createdMs),
      created_by: createdBy,
      submission: submission ? { status: submission.status, error: submission.error ?? null } : null,
    })),
    picture,
    decided: assigned && state !== 'new' ? { by: assigned.by, at: isoTime(assigned.atMs) } : null,
    assignee: domain.assignee ?? null,
    notes: domain.notes,
    changes: [...domain.changedFields],
    unseen: isUnseen,
    ...(sightings ? { sightings } : {}),
  };
}

function dataOnWire(record: DomainRecord | undefined) {
  const { name_server = [], ip = [] } = record ?? {};
  const { registrar = '', create_date = null } = record ? registrationOf(record) : {};
  return {
    name_server: name_server.slice(0, valuesShownMax).map(({ host }) => ({ host })),
    registrar,
    create_date,
    ip: ip
      .slice(0, valuesShownMax)
      .map(({ address, country_code = '', isp = '' }) => ({ ip: address, country_code, isp })),
  };
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function noteOnWire({ id, by, atMs, text, decisionId }: TriageNote): Note {
  return {
    id,
    by,
    at: isoTime(atMs),
    text,
    ...(decisionId === undefined ? {} : { decision_id: decisionId }),
  };
}
