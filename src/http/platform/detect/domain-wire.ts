/** A watchlist domain on the wire, with as much of its record as was requested. */
import { type Static, Type } from 'typebox';
import type { RiskComponents, WatchlistDomain } from '../../../model/detect/watchlist.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { registrationOf } from '../../../model/record/registration.ts';
import { assignedOnWire, NullableText, nameOnWire, timeOnWire } from './detect-wire.ts';
import { Match, matchOnWire } from './match-wire.ts';
import { SightingsOnWire, sightingsOnWire } from './sighting-wire.ts';

const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const Host = Type.Object({ host: Type.String() });

const DomainData = Type.Object({
  name_server: Type.Array(Host),
  registrant_contact_email: Type.Array(Type.String()),
  registrar: Type.String({ description: 'empty if unknown' }),
  create_date: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'such as 20260304; null if unknown',
  }),
  ip: Type.Array(Type.Object({ country_code: Type.String(), ip: Type.String(), isp: Type.String() })),
  mx: Type.Array(Host),
});

function dataOnWire(record: DomainRecord | undefined): Static<typeof DomainData> {
  const { name_server = [], ip = [], mx = [] } = record ?? {};
  const { registrant_contact, registrar = '', create_date } = record ? registrationOf(record) : {};
  return {
    name_server: name_server.map(({ host }) => ({ host })),
    registrant_contact_email: [...(registrant_contact?.email ?? [])],
    registrar,
    create_date: create_date === undefined ? null : Number(create_date.replaceAll('-', '')),
    ip: ip.map(({ address, country_code = '', isp = '' }) => ({ country_code, ip: address, isp })),
    mx: mx.map(({ host }) => ({ host })),
  };
}

/** A user may have a hundred monitors of one term, which all match for the same reason. */
const matchesShownMax = 20;

export const DomainOnWire = Type.Object(
  {
    state: Type.String(),
    domain: Type.String({ description: 'in Unicode' }),
    status: Type.String({ description: 'active or inactive' }),
    discovered_date: Type.String(),
    changed_date: NullableText,
    risk_score: NullableInteger,
    risk_score_status: NullableText,
    risk_score_components: Type.Object({
      proximity: NullableInteger,
      threat_profile: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'scores by threat, with evidence if the score is full; empty if nothing is known',
      }),
    }),
    mx_exists: Type.Boolean(),
    tld: Type.String(),
    id: Type.String(),
    escalations: Type.Array(
      Type.Object({
        escalation_type: Type.String(),
        id: Type.String(),
        created: Type.String(),
        created_by: Type.String(),
      }),
    ),
    monitor_ids: Type.Array(Type.String()),
    assigned_by: Type.Optional(Type.String()),
    assigned_date: Type.Optional(Type.String()),
    ...Type.Partial(DomainData).properties,
    screenshot: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
    match: Type.Array(Match, {
      description: `beyond the contract: why monitors matched, at most ${matchesShownMax}`,
    }),
    sightings: Type.Optional(SightingsOnWire),
  },
  { title: 'WatchlistDomain' },
);

/** Optional parts of a domain. */
export interface DomainView {
  /** Undefined unless requested. */
  readonly data: { readonly record: DomainRecord | undefined } | undefined;
  readonly screenshot: object | undefined;
}

export function domainOnWire(domain: WatchlistDomain, view: DomainView): Static<typeof DomainOnWire> {
  const sightings = sightingsOnWire(domain.sightings);
  return {
    state: domain.state,
    domain: nameOnWire(domain.domain),
    status: domain.active ? 'active' : 'inactive',
    discovered_date: timeOnWire(domain.discoveredMs),
    changed_date: domain.changedMs === undefined ? null : timeOnWire(domain.changedMs),
    risk_score: domain.riskScore ?? null,
    risk_score_status: domain.riskStatus ?? null,
    risk_score_components: {
      proximity: domain.riskComponents?.proximity ?? null,
      threat_profile: threatsOnWire(domain.riskStatus, domain.riskComponents),
    },
    mx_exists: domain.mxExists,
    tld: domain.tld,
    id: domain.id,
    escalations: domain.escalations.map(({ type, id, createdMs, createdBy }) => ({
      escalation_type: type,
      id,
      created: timeOnWire(createdMs),
      created_by: createdBy,
    })),
    monitor_ids: [...domain.monitorIds],
    ...(domain.state === 'new' ? {} : assignedOnWire(domain)),
    ...(view.data ? dataOnWire(view.data.record) : {}),
    ...(view.screenshot ? { screenshot: view.screenshot } : {}),
    match: domain.matches.slice(0, matchesShownMax).map(matchOnWire),
    ...(sightings ? { sightings } : {}),
  };
}

/** Clients distinguish three forms: scores with evidence, phishing alone, and an empty object. */
function threatsOnWire(status: WatchlistDomain['riskStatus'], risk: RiskComponents | undefined): object {
  const { phishing, malware, spam, evidence = [] } = risk ?? {};
  const scores = Object.entries(status === 'full' ? { phishing, malware, spam } : { phishing });
  const known = scores.filter(([, score]) => score !== undefined);
  if (known.length === 0) return {};
  return { ...Object.fromEntries(known), ...(status === 'full' ? { evidence } : {}) };
}
