/** What the page of one domain reads: overview, record, history, pictures, passive DNS. Times are ISO 8601 in UTC. */
import { type Static, Type } from 'typebox';
import { AnswerOnWire } from '../../evidence/raw-answers.ts';
import { SightingsOnWire } from '../../platform/detect/sighting-wire.ts';
import { Match, Picture } from '../detect/domain-wire.ts';
import { TagOfDomain } from '../tag/tag-wire.ts';
import { NullableInteger, NullableText, nullable, oneOf } from '../wire-values.ts';

const Score = Type.Integer({ minimum: 0, maximum: 100 });

export const RiskReason = Type.Object({
  code: Type.String({ description: 'stable name of the kind of reason' }),
  text: Type.String({ description: 'a sentence of ours, without anything quoted' }),
  value: NullableText,
  points: Type.Integer({ description: 'the largest of its components' }),
  components: Type.Array(Type.Object({ component: Type.String(), points: Type.Integer() })),
});
export type RiskReason = Static<typeof RiskReason>;

export const DomainRisk = Type.Object({
  score: Score,
  status: oneOf(['provisional', 'full']),
  components: Type.Array(
    Type.Object({
      name: Type.String(),
      score: Score,
      threats: Type.Optional(Type.Array(Type.String())),
      evidence: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  reasons: Type.Array(RiskReason, { description: 'each reason once, most points first' }),
});

/** The members of a record that the head of the page shows. */
export const RecordSummary = Type.Object({
  active: Type.Boolean(),
  first_seen: NullableText,
  updated_at: NullableText,
  popularity_rank: NullableInteger,
  registrar: NullableText,
  registrant_org: NullableText,
  create_date: NullableText,
  expiration_date: NullableText,
  registrar_status: Type.Array(Type.String()),
  ip: Type.Array(
    Type.Object({
      ip: Type.String(),
      country_code: Type.String(),
      isp: Type.String(),
      asn: Type.Array(Type.Integer()),
    }),
  ),
  name_server: Type.Array(Type.String()),
  mx: Type.Array(Type.String()),
  website_title: NullableText,
  website_response: NullableInteger,
  server_type: NullableText,
  redirect: NullableText,
  certificates: Type.Array(
    Type.Object({
      hash: Type.String(),
      common_name: Type.String(),
      issuer: Type.String(),
      not_before: Type.String(),
      not_after: Type.String(),
    }),
  ),
});

const Listed = Type.Object({
  id: Type.String(),
  state: oneOf(['new', 'watched', 'ignored']),
  discovered_date: Type.String(),
  changed_date: NullableText,
  decided: nullable<{ by: string; at: string }>(),
  monitors: Type.Array(Type.Object({ id: Type.String(), term: Type.String() })),
  escalations: Type.Array(Type.Object({ type: Type.String(), by: Type.String(), at: Type.String() })),
  match: Type.Array(Match),
  sightings: Type.Optional(SightingsOnWire),
});

/** GET /ui/api/domains/:name */
export const DomainOverview = Type.Object({
  domain: Type.String({ description: 'in Unicode' }),
  punycode: Type.String(),
  tld: Type.String(),
  own: Type.Boolean({ description: 'a domain of the account itself' }),
  summary: nullable<Static<typeof RecordSummary>>('null: there is no record yet'),
  risk: DomainRisk,
  listed: nullable<Static<typeof Listed>>('null: on no list of the account'),
  tags: Type.Array(TagOfDomain),
  picture: Picture,
});
export type DomainOverview = Static<typeof DomainOverview>;

/** GET /ui/api/domains/:name/record?as_of= */
export const DomainRecordAt = Type.Object({
  domain: Type.String(),
  punycode: Type.String(),
  as_of: NullableText,
  known: Type.Boolean({ description: 'false: there was no record at that time' }),
  first_seen: NullableText,
  complete: Type.Boolean({
    description: 'false: more changes lie between than one answer goes back through',
  }),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: 'a member of the record, such as ip' }),
      value: Type.Unknown(),
      source: NullableText,
      at: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'when that source last reported it, or when the value was set; null if unknown',
      }),
      changed_at: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'when the value came to be what it is, as far as the history goes',
      }),
    }),
  ),
});
export type DomainRecordAt = Static<typeof DomainRecordAt>;

/** GET /ui/api/domains/:name/history?before=&limit=&field= */
export const DomainHistory = Type.Object({
  domain: Type.String(),
  punycode: Type.String(),
  changes: Type.Array(
    Type.Object({
      at: Type.String(),
      source: Type.String(),
      field: Type.String({ description: 'a member of the record' }),
      leaf: Type.String({
        description:
          'the part of it that changed, such as 192.0.2.1 country_code; empty for the member or an entry of it',
      }),
      before: Type.Unknown({ description: 'null where there was none' }),
      after: Type.Unknown({ description: 'null where there is none any more' }),
    }),
    { description: 'newest first' },
  ),
  fields: Type.Array(Type.String(), { description: 'members that changed, for a filter' }),
  before: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'the value of before for the next page',
  }),
});
export type DomainHistory = Static<typeof DomainHistory>;

/** GET /ui/api/domains/:name/pdns */
export const PassiveDnsRow = Type.Object({
  rrname: Type.String(),
  rrtype: Type.String(),
  bailiwick: NullableText,
  rdata: Type.Array(Type.String()),
  count: Type.Integer(),
  first: Type.String(),
  last: Type.String(),
  origin: oneOf(['sensor', 'zone']),
});

export type PassiveDnsRow = Static<typeof PassiveDnsRow>;

export const DomainPassiveDns = Type.Object({
  domain: Type.String(),
  punycode: Type.String(),
  names: Type.Object({
    rows: Type.Array(PassiveDnsRow, { description: 'records of the name and of names below it' }),
    more: Type.Boolean(),
  }),
  data: Type.Object({
    rows: Type.Array(PassiveDnsRow, { description: 'records of other names that point to it' }),
    more: Type.Boolean(),
  }),
});
export type DomainPassiveDns = Static<typeof DomainPassiveDns>;

/** POST /ui/api/domains/:name/refresh */
export const RefreshAnswer = Type.Object({
  domain: Type.String(),
  queued: Type.Boolean({ description: 'false: this server collects nothing' }),
  jobs: Type.Array(Type.String()),
});
export type RefreshAnswer = Static<typeof RefreshAnswer>;

/** GET /ui/api/domains/:name/answers */
export const DomainAnswers = Type.Object({
  answers: Type.Array(AnswerOnWire, { description: 'last seen first' }),
});
export type DomainAnswers = Static<typeof DomainAnswers>;
